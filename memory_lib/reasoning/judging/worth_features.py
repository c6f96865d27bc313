"""What a turn looks like to the judge of worth: 27 numbers from closed-class words, marks and shape (pure).

Shared by ``training/train_heads.py`` and the product. Words of the two languages stand in one pattern, so that a weight learnt in
one language serves the other. Nothing here depends on the rules that make nodes: a model trained on features that were written
for its own training sentences hides everything else.
"""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import math
import re

import numpy as np
from numpy.typing import NDArray

from memory_lib.reasoning.trees.folding import fold

VERSION = "worth-features/1"
"""Part of the manifest: weights of another version are refused."""

_MAX_CHARACTERS = 6_000
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")
_PIECE = re.compile(r"[,;:()]+\s|\s[-–—]+\s")
"""A question often comes with what is told ("I played tennis at college, can I start again?"): pieces are judged apart."""
_TRIM = " \t\"'«»“”()-—*#>"
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_SELF = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|im|ive|me|my|mine|myself|we|we're|we've|we'd|we'll|us|our|ours|я|меня|мне|мной|мною|мой|моя|мое|мои|моего|моей|моему|моем|моим|моих|мою|моими|мы|нас|нам|нами|наш|наша|наше|наши|нашего|нашей|нашем|наших|нашу|себя|себе|собой)\b"
)
_OWNED = re.compile(r"\b(?:my|our|мо[йяеию]|мое[гйм]\w*|мои[мх]\w*|наш\w{0,3}|у (?:меня|нас))\b")
_YOU = re.compile(
    r"\b(?:you|you're|you've|you'd|your|yours|ты|тебя|тебе|тобой|твой|твоя|твое|твои|твоего|твою|твоей|вы|вас|вам|вами|ваш|ваша|ваши|вашего|вашу|вашей)\b"
)
_ASKING = re.compile(
    r"^(?:(?:and|so|but|ok|okay|well|also|hi|hey|hello|а|и|ну|так|да|но|тогда|слушай|привет|скажи|кстати|или)[\s,]+)*(?:what|what's|how|how's|why|where|when|which|who|whose|can|could|would|will|do|does|did|is|are|was|were|should|have|has|any|"
    r"(?<!так )как|какой|какая|какие|какое|каких|каким|какую|каком|что|чем|чего|кто|кого|кому|где|куда|откуда|когда|почему|зачем|сколько|есть ли|можно|нужно ли|стоит ли|бывает ли|правда ли|а если|чей|чья|разве)\b"
)
_ORDERING = re.compile(
    r"^(?:(?:and|so|but|ok|okay|well|then|please|now|а|и|ну|так|да|но|тогда|слушай|пожалуйста|теперь|лучше|привет|здравствуй\w*)[\s,]+)*(?:(?:please |just )?(?:tell|give|show|help|explain|write|make|list|find|suggest|recommend|describe|compare|create|generate|provide|let|act|imagine|translate|summari[sz]e|rewrite|continue|add|name|check|remind)\b|"
    r"[а-я]{2,}(?:ись|исься|айся|ите|йте|ьте)\b|(?:\w+ )?(?:расска|подска|напи|объясн|посовет|помо[гч]|покаж|назов|опиш|найд|придум|состав|перевед|перечисл|да[йв]|сдела|сравни|напомн|уточн|продолж|предлож|провер|дополн|распи|раскро|скин|накид|порекоменд|переска|посчит|поясн)\w{0,6})\b"
)
_WANTING_HELP = re.compile(
    r"\b(?:can you|could you|would you|do you (?:know|have|think)|any (?:tips|advice|ideas|suggestions|recommendations)|i(?:'d| would) (?:like|love) (?:to know|you to|some)|i was wondering|i'm (?:looking for|wondering|curious)|"
    r"можешь|можете|мог(?:ла)? бы ты|хочу (?:узнать|понять|спросить)|интересует|мне интересно|подскажи\w*|расскажи\w*|посоветуй\w*|помоги\w*|объясни\w*|напиши\w*|знаешь)\b"
)
_BY_THE_WAY = re.compile(
    r"\b(?:by the way|btw|speaking of|actually|just|recently|lately|кстати|между прочим|вообще-то|недавно|только что|на днях)\b"
)
_GREETING = re.compile(
    r"\b(?:hi|hey|hello|thanks?|thank you|bye|goodbye|good (?:morning|night|evening)|take care|see you|привет|здравствуй\w*|добрый|спасибо|благодарю|пока|до встречи)\b"
)
_REACTION = re.compile(
    r"\b(?:wow|awesome|cool|great|nice|amazing|sounds|that's|yeah|yep|yes|sure|ok|okay|haha|lol|glad|congrats|congratulations|absolutely|totally|exactly|круто|здорово|класс|отлично|супер|понятно|ясно|ага|да|нет|ладно|хорошо|точно|конечно|ахах\w*|хаха\w*)\b"
)
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|week|weekend|month|year|years|morning|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|"
    r"вчера|сегодня|завтра|позавчера|назад|недел\w+|месяц\w*|год\w{0,3}|лет|летом|зимой|весной|осенью|выходны\w+|понедельник\w*|вторник\w*|сред[уы]|четверг\w*|пятниц\w+|суббот\w+|воскресень\w+|январ\w+|феврал\w+|март\w?|апрел\w+|июн\w+|июл\w+|август\w?|сентябр\w+|октябр\w+|ноябр\w+|декабр\w+)\b"
)
_PAST = re.compile(
    r"\b(?:i|we)(?:'ve| have| had|'d)? (?:just |also |recently |finally |really |already |never |always |even )*(?:was|were|went|got|had|did|made|saw|took|bought|found|met|came|felt|started|been|gone|done|\w+ed)\b|"
    r"\b[а-я]{3,}(?:л|ла|ли|лся|лась|лись)\b"
)
_PLAN = re.compile(
    r"\b(?:going to|gonna|planning|plan to|will be|i'll|we'll|thinking (?:of|about)|looking forward|hoping|want to|decided|собира\w+|планиру\w+|решил\w*|хочу|хотим|буду|будем|пойд[уе]\w*|поед[уе]\w*|мечта\w+|думаю)\b"
)
_TASTE = re.compile(
    r"\b(?:love|loved|like|liked|prefer|enjoy|enjoyed|hate|favou?rite|fan of|into|interested in|passion\w*|always|never|usually|often|every|люблю|любим\w*|нрав\w+|обожа\w+|предпочита\w+|ненавижу|увлека\w+|всегда|никогда|обычно|часто|кажд\w+|привык\w*)\b"
)
_TIES = re.compile(
    r"\b(?:mom|mum|mother|dad|father|parents?|wife|husband|son|sons|daughter|kids?|children|child|baby|brother|sister|friends?|family|cousin|aunt|uncle|grand\w+|girlfriend|boyfriend|partner|colleague\w*|coworker\w*|boss|neighbou?r\w*|roommate|dog|cat|puppy|kitten|pets?|"
    r"мам\w{0,3}|пап[аеуы]|пап[ао]й|отец|отц\w+|родител\w+|жен[аеуы]|женой|муж\w{0,3}|сын\w{0,4}|доч\w+|дет(?:и|ей|ям|ьми)|ребен\w+|брат\w{0,3}|сестр\w+|друг|друз\w+|друг[ау]|подруг\w+|семь\w+|бабушк\w+|дедушк\w+|племян\w+|внук\w*|внуч\w+|коллег\w+|начальни\w+|сосед\w*|собак\w+|кот|кошк\w+|кот[ау]|щен\w+)\b"
)
_LIFE = re.compile(
    r"\b(?:work|works|worked|working|job|career|office|company|business|school|college|university|class|course|degree|home|house|apartment|flat|moved|move|live|lived|living|birthday|wedding|married|trip|travel\w*|vacation|hobby|team|project|volunteer\w*|"
    r"работ\w+|должност\w+|професси\w+|карьер\w+|офис\w*|компани\w+|школ\w+|универ\w*|институт\w*|учусь|учил\w+|курс\w*|дом|дома|дому|квартир\w+|дач\w+|переех\w+|жив[уе]\w*|свадьб\w+|день рождения|отпуск\w*|поезд\w+|путешеств\w+|хобби|машин\w+|купил\w*)\b"
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|hundred|couple|dozen|first|second|third|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|двое|трое|пару|первый|второй|третий)\b"
)
_CAPITAL = re.compile(r"(?<![.!?…\n\"«(\-—:] )(?<=[\w,;)»\"] )[A-ZА-ЯЁ][\w'-]+")
_PRONOUN_CAPITAL = re.compile(r"I(?:'\w+)?\b")

NAMES = (
    "log_words", "log_words_told", "self", "self_rate", "owned", "you_rate", "asking_share", "ordering_share", "wanting_help",
    "first_asks", "questions", "ends_asking", "told_pieces", "told_self_pieces", "by_the_way", "greeting", "reaction_short",
    "time", "past", "plan", "taste", "ties", "life", "number", "capitals", "lines", "answers_question",
)  # fmt: skip


def worth_features(text: str, *, before: str = "") -> NDArray[np.float32]:
    """Float32 (27,), in the order of ``NAMES``.

    Args:
        before: the turn before, whoever spoke: a short answer is worth as much as the question makes of it.
    """
    text = text[:_MAX_CHARACTERS]
    folded = fold(text)
    words = len(_WORD.findall(folded))
    asking = ordering = told = told_self = told_words = count = 0
    told_text: list[str] = []
    first_asks = 0.0
    for match in _SENTENCE.finditer(folded):
        sentence = match.group().strip(_TRIM)
        if not _WORD.search(sentence):
            continue
        interrogative = sentence.endswith("?")
        pieces = [piece for piece in (part.strip(_TRIM) for part in _PIECE.split(sentence)) if _WORD.search(piece)]
        for place, piece in enumerate(pieces):
            count += 1
            ends = place == len(pieces) - 1 and piece.endswith("?")
            # "рада, что ты пришла": inside a statement such a word only joins
            asks = ends or ((place == 0 or interrogative) and _ASKING.match(piece) is not None)
            orders = not asks and (_ORDERING.match(piece) is not None or _WANTING_HELP.search(piece) is not None)
            if count == 1:
                first_asks = float(asks or orders)
            asking += asks
            ordering += orders
            if not asks and not orders:
                told += 1
                told_words += len(_WORD.findall(piece))
                told_self += _SELF.search(piece) is not None
                told_text.append(piece)
    statement = " ".join(told_text)
    own = _SELF.findall(folded)
    capitals = [found for found in _CAPITAL.findall(text) if not _PRONOUN_CAPITAL.fullmatch(found)]
    asked_before = before.rstrip().endswith("?") or "?" in before[-300:]
    values = (
        math.log1p(words),
        math.log1p(told_words),
        float(bool(own)),
        len(own) / max(words, 1),
        float(_OWNED.search(folded) is not None),
        len(_YOU.findall(folded)) / max(words, 1),
        asking / max(count, 1),
        ordering / max(count, 1),
        float(_WANTING_HELP.search(folded) is not None),
        first_asks,
        math.log1p(folded.count("?")),
        float(folded.rstrip(" )\"'»”").endswith("?")),
        math.log1p(told),
        math.log1p(told_self),
        float(_BY_THE_WAY.search(folded) is not None),
        float(_GREETING.search(folded) is not None),
        float(words <= _SHORT and _REACTION.search(folded) is not None),
        _several(_TIME, folded),
        _several(_PAST, statement),
        float(_PLAN.search(statement) is not None),
        float(_TASTE.search(statement) is not None),
        _several(_TIES, folded),
        _several(_LIFE, folded),
        float(_NUMBER.search(folded) is not None),
        math.log1p(len(capitals)),
        math.log1p(folded.count("\n")),
        float(asked_before and not first_asks),
    )
    return np.array(values, np.float32)


_SHORT = 12
"""Words up to which a reaction may be all that is said."""


def _several(pattern: re.Pattern[str], text: str) -> float:
    return math.log1p(len(pattern.findall(text)))
