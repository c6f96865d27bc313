"""Clauses that make no node: requests and questions to the assistant, greetings, small talk (pure)."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re

from memory_lib.domain.syntax import Language
from memory_lib.reasoning.trees.folding import fold

_REQUEST: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\b(?:подскажи\w*|посоветуй\w*|расскажи\w*|напиши\w*|объясни\w*|помоги\w*|скажи\w*|покажи\w*|найди\w*|придумай\w*|составь\w*|дай\w*|давай\w*|переведи\w*|"
        r"хочу (?:узнать|спросить|попросить|уточнить|понять)|хотел[аи]? бы (?:узнать|спросить|уточнить|понять|попросить)|хотел[аи]? (?:спросить|узнать|уточнить)|"
        r"(?:мне|нам) (?:нужен|нужна|нужно|нужны) (?:\w+ )?(?:рецепт|совет|помощь|информаци\w+|рекомендаци\w+|иде\w+|список|текст|ответ)|"
        r"(?:меня )?интересует|можешь|можете|не мог\w* бы (?:ты|вы)|можно ли|знаешь|нужна помощь|нужен совет|нужно чтобы ты|прошу|хочу чтобы (?:ты|вы)|"
        r"ты (?:говорил|сказал|писал|советовал)\w*|мне интересно|интересно|(?:мне )?важно (?:понять|знать))\b"
    ),
    "en": re.compile(
        r"\b(?:can you|could you|would you|will you|please|tell me|give me|help me|show me|let me know|do you (?:know|have|think)|i(?:'d| would) (?:like|love) (?:to (?:know|hear|ask|learn more)|you to|some (?:tips|advice|ideas))|"
        r"i want (?:to (?:know|ask)|you to)|i need (?:you to|help|advice|some (?:help|advice|tips|ideas))|i (?:was|am|'m) wondering (?:if you|what|how|about)|any (?:tips|advice|ideas|suggestions)|"
        r"i(?:'m| am) (?:also )?(?:looking for|curious|interested in (?:learning|knowing|hearing))(?: some)?(?: advice| tips| recommendations| ideas| suggestions| about)?|you (?:said|mentioned|told me)|i wonder|how about you|what about you|by the way can)\b"
    ),
}
_OWN_SEARCH = re.compile(
    r"\blooking for (?:a |an )?(?:new )?(?:job|work|apartment|flat|house|place|home|roommate|partner)\b|интересуюсь"
)
_PHATIC: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"^(?:(?:ой|ну|да|нет|ага|ок|окей|хорошо|ладно|понятно|ясно|спасибо\w*|привет\w*|здравствуй\w*|добрый (?:день|вечер|утро)|доброе утро|пока|до свидания|до встречи|"
        r"согласен|согласна|понял[аи]?|поняла|я понял[аи]?|я согласен|я согласна|точно|конечно|отлично|супер|круто|здорово|класс|благодарю|извини\w*|прости\w*|удачи|"
        r"большое|тебе|вам|за помощь|за совет|за ответ|за информацию|за|совет|помощь|ответ|информацию|рекомендации|это|очень|интересно|я тоже|понимаю|я понимаю|знаю|я знаю|не знаю|я не знаю|"
        r"думаю|я думаю|надеюсь|звучит|неплохо|хорошая|идея|правда|так|и|а|,)[\s,!.)]*)+$"
    ),
    "en": re.compile(
        r"^(?:(?:hi|hey|hello|thanks?|thank you|thx|ok|okay|yes|yeah|yep|yup|no|nope|sure|great|cool|nice|wow|bye|goodbye|see you|take care|got it|i see|i agree|i know|i understand|"
        r"i get it|i mean|sounds (?:good|great|fun|amazing|awesome|like (?:a )?(?:fun|great|good|lot of fun|plan|blast))|that(?:'s| is) (?:so )?(?:great|cool|nice|awesome|amazing|good|true|right|fine|wonderful|interesting)|of course|"
        r"absolutely|definitely|exactly|i appreciate (?:it|that|your \w+)|(?:so |very |really |much|a lot|again|too|you're|you are|welcome|right|no problem|for (?:the|your) \w+|for that|there|man|dude|everyone|"
        r"good (?:morning|night|luck|idea|point)|have a (?:good|great|nice) (?:day|one|night|weekend)|long time no see|how are you|what's up|it|that|i don't know|idk|me too|same here|hope so|i hope so|i think so|i guess(?: so)?|"
        r"will do|i will|i do|i am|i did|i'm here|glad (?:to hear (?:that|it)|you liked it|you like it|you're (?:\w+))|happy to (?:help|hear (?:that|it))|nice to (?:hear|meet|see) \w+|good to (?:hear|see) \w+(?: \w+)?|"
        r"can't wait(?: to (?:see|hear|catch up)(?: \w+)*)?|can't complain|great (?:chatting|catching up|talking)(?: with you| to you)?|let's go|keep (?:it )?up|i bet|i'm (?:good|fine|great|doing (?:well|good|great))|doing (?:well|good|great)|and|but|so|oh|well))[\s,!.:)(;'\"-]*)+$"
    ),
}


def is_request(words: str, language: Language) -> bool:
    """Whether these words ask something of the listener."""
    folded = fold(words)
    return _REQUEST[language].search(folded) is not None and _OWN_SEARCH.search(folded) is None


def is_phatic(words: str, language: Language) -> bool:
    """Whether these words only keep the talk going. Long texts are never phatic (and never cost a long match)."""
    folded = fold(words).strip()
    if _REACTION.match(folded) or _ABOUT_THE_TALK.match(folded):
        return True
    return len(folded) <= _LONGEST_PHATIC and _PHATIC[language].match(folded) is not None


_REACTION = re.compile(
    r"(?:wow,? |oh,? )?(?:i had no idea (?:that|there|how)|i apologi[sz]e\b|i (?:really |totally |completely |so )?(?:appreciate|agree|encourage)\b|i understand (?:that|your|how)|"
    r"i(?:'m| am) sorry\b|i bet\b|(?:я )?(?:полностью |совершенно )?соглас(?:ен|на)\b|понимаю (?:тебя|вас)\b|прошу прощения|извини)"
)
_ABOUT_THE_TALK = re.compile(
    r"(?:and |but |well,? |no,? |так |но |а |и |нет,? |ну )?(?:"
    r"i (?:just |only |simply |really )*(?:want(?:ed)?|need(?:ed)?|had|felt like|meant) (?:to )?(?:tell|telling|share|sharing|vent|venting|get (?:it|this|that) off my chest|say (?:it|this|that|hi|hello)|think(?:ing)? out loud|write (?:it|this) down|talk)(?: (?:it|this|that|out|about it|about this|someone|somebody|anyone|you|all|loud))*$|"
    r"(?:just|only) (?:want(?:ed)? to )?(?:shar\w+|vent\w*|tell\w* (?:you|someone|somebody)|thinking (?:out loud|aloud)|saying)(?: (?:it|this|that|news))*$|"
    r"(?:i'm|i am|i was) (?:just |only )?(?:sharing|venting|thinking out loud|thinking aloud|rambling|testing|joking)$|"
    r"(?:that|this|it)(?:'s| is| was)(?: not|n't)? (?:all |everything |what |the thing |exactly what )?(?:that )?i (?:asked|meant|said|want(?:ed)?|need(?:ed)?|was asking|had in mind)(?: to (?:say|tell|share))?(?: for)?$|"
    r"(?:that|this)(?:'s| is) (?:all|it|everything)(?: for (?:now|today))?$|"
    r"i (?:only |just )?(?:asked|was asking|wanted|needed|meant)(?: for)? (?:you |only |just )*(?:one|a|an|something|the)? ?(?:quick|short|brief|simple|single|shorter|simpler) \w+$|"
    r"i (?:did not|didn't) (?:ask|mean|say|want) (?:for )?(?:that|this|it)$|"
    r"(?:stop|no more) (?:offering|giving|sending|suggesting)\b.*|"
    r"i(?:'ll| will) (?:think about it|sleep on it|think it over|let you know|tell you (?:later|more)|be (?:back|right back)|try|see|do my best|never forget (?:it|this|that)|be fine|be ok(?:ay)?|manage|survive|get there|pass)$|i won't (?:give up|let you down|forget(?: it| this)?)$|"
    r"(?:я )?(?:просто |только |всего лишь )*(?:хотел[аи]?|хочу|хотелось|решил[аи]?) (?:просто |этим |немного )?(?:поделиться|выговориться|рассказать(?: об этом)?|пожаловаться|высказаться|поболтать|поговорить|сказать)$|"
    r"(?:я )?(?:просто |только )+(?:делюсь|рассказываю|говорю|жалуюсь|думаю вслух|спрашиваю|проверяю)$|(?:это )?(?:я )?(?:делюсь|думаю вслух)$|"
    r"(?:буду|стану) (?:\w+ )*(?:думать|рассуждать|размышлять) вслух$|(?:буду|стану) (?:\w+ )*(?:сюда|здесь|тут|тебе|вам) (?:писать|делиться|рассказывать)$|"
    r"это (?:не )?(?:все|то|совсем не то)(?:,)? ?(?:что )?(?:я )?(?:хотел[аи]?|просил[аи]?|имел[аи]? в виду|спрашивал[аи]?)(?: сказать| рассказать)?$|это все$|вот и все$|"
    r"я (?:же )?(?:(?:по)?просил[аи]?|спрашивал[аи]?|имел[аи] в виду) (?:\w+ )?(?:коротко|кратко|короче|покороче|попроще|проще|другое|не (?:об? )?(?:это[мй]?|то))\b.*|"
    r"(?:не надо|хватит|не нужно) (?:мне )?(?:советов|вопросов|списков|утешать|советовать)$|"
    r"(?:я )?(?:подумаю|посмотрю|попробую|подожду|напишу позже|расскажу (?:потом|позже|завтра)|вернусь позже)$"
    r")"
)
"""Remarks about the talk itself, the whole of the clause."""
_LONGEST_PHATIC = 60
