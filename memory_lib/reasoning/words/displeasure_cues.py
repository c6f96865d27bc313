"""Cues that a person is unhappy with the assistant, puts it right, or says that they ask again: patterns by name, two languages.

Each stands on a frame rather than on a phrase: the assistant addressed ("ты", "you") beside a verb of talk or understanding, its
answer judged, a ban on going on, the person's own earlier words insisted on. A third person as the subject breaks the frame.
"""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from memory_lib.domain.syntax import Language


class CueKind(StrEnum):
    """What a cue says of the turn. The values are those of the job *displeasure*."""

    DISPLEASURE = "displeasure"
    CORRECTION = "correction"
    ASKS_AGAIN = "rephrased_repeat"


@dataclass(frozen=True, slots=True)
class Cue:
    """``name``: the rule, with its version. ``pattern``: over one folded sentence. ``longest``: words the sentence may have.

    A ``answers`` cue ("no, it's …") is a plain answer where the assistant had asked.
    """

    name: str
    kind: CueKind
    pattern: re.Pattern[str]
    longest: int

    @property
    def answers(self) -> bool:
        return self.name in {"correction.denied/1", "correction.not_but/1"}


def _cues(*rows: tuple[str, CueKind, str, int]) -> tuple[Cue, ...]:
    return tuple(Cue(name, kind, re.compile(pattern), longest) for name, kind, pattern, longest in rows)


_D, _C, _R = CueKind.DISPLEASURE, CueKind.CORRECTION, CueKind.ASKS_AGAIN
_YOU_RU = r"(?:ты|вы)"
_LEAD_RU = r"^(?:(?:ну|так|да|нет|блин|слушай|вот|а|и|но|эй|ой|господи|мда|опять|снова|все|же)[\s,!.-]+)*"
# What an assistant does with words: to understand, answer, read, remember, help, repeat, invent.
_TALK_RU = (
    r"(?:поня\w+|пойм\w+|понима\w+|слыш\w+|слуша\w+|ответ\w+|отвеча\w+|чита\w+|прочита\w+|прочел|прочла|помог\w*|помога\w+|вника\w+|вник\w*|"
    r"запомни\w+|помни\w+|учел|учла|учли|учитыва\w+|обраща\w+|объясни\w+|объясня\w+|сказал\w*|говори\w+|написал\w*|дал[аи]?|нашел|нашла|смотри\w+)"
)
_FAULT_RU = (
    r"(?:перепутал\w*|путаешь|путаете|ошиб\w+|ошибаешься|ошибаетесь|забыл\w*|забываешь|пропустил\w*|проигнорировал\w*|игнорируешь|игнорируете|"
    r"повторяешь\w*|повторяете\w*|выдумал\w*|выдумываешь|выдумываете|придумал\w*|придумываешь|противоречишь|противоречите|издеваешься|издеваетесь|"
    r"бредишь|врешь|соврал\w*|несешь|тупишь|тормозишь|достал\w*|надоел\w*|задолбал\w*|бесишь|раздражаешь|учишь|поучаешь|морализируешь|перебиваешь)"
)
_BAD_RU = (
    r"(?:ерунд\w+|чушь|чуши|бред\w*|глупост\w+|фигн\w+|хрень|хрени|мимо|бесполезн\w+|неверн\w+|неправильн\w+|непонятн\w+|странн\w+|ужасн\w+|плох\w+|отвратительн\w+|"
    r"тупо[йе]|тупая|глуп\w+|бессмысл\w+|неинтересн\w+|скучн\w+|не то|не так|не туда|не про то|не об этом|не по теме|не в тему|ни о чем|вода|слишком (?:длинн\w+|общ\w+|сложн\w+|много|коротк\w+))"
)
_ANSWER_RU = r"(?:ответ\w*|совет\w*|текст\w*|списо?к\w*|вариант\w*|рецепт\w*|объяснени\w+|пример\w*|перевод\w*|информаци\w+|рекомендаци\w+|формулировк\w+)"
_INSULT_RU = r"(?:тормоз|туп(?:ой|ая|ое|ица)|дур(?:ак|а|ачок)|глуп(?:ый|ая|ец)|идиот\w*|бестолоч\w*|бестолков\w+|бесполезн\w+|болван\w*|железяка|робот бездушный|невнимательн\w+|зануда|душнила|слепой|глухой|не в себе)"
_BANNED_RU = (
    r"(?:повторя\w+|советова\w+|совет\w*|дава\w+ (?:мне )?совет\w*|учить|поуча\w+|умнич\w+|извиня\w+|спрашива\w+|писа\w+|присыла\w+|отвеча\w+|говори\w+|выдумыва\w+|придумыва\w+|льсти\w+|"
    r"морализир\w+|лекци\w+|списк\w+|вопрос\w*|рассказыва\w+|утеша\w+|воды|лить|хамить|спорить|давить|предлага\w+)"
)
_YOU_EN = r"(?:you|u)"
_LEAD_EN = r"^(?:(?:no|nope|ok|okay|well|so|but|and|look|listen|come on|seriously|ugh|please|hey|again|god|wow|hmm|sorry|yeah|really|just)[\s,!.-]+)*"
_TALK_EN = r"(?:understand|listen|answer|read|get|help|hear|remember|pay|follow|address|respond|make sense|see|know what i)"
_FAULT_EN = (
    r"(?:missed|skipped|ignored|ignoring|forgot|mixed|confus\w+|contradict\w+|repeat\w*|repeating|making (?:it|this|that|things|stuff) up|made (?:it|this|that|things|stuff) up|"
    r"got (?:it|that|this|me|my \w+|the \w+) (?:all )?wrong|going in circles|wasting my time|lecturing|patroni[sz]ing|guessing|hallucinat\w+|dodging|avoiding|not making sense)"
)
_BAD_EN = (
    r"(?:useless|wrong|incorrect|inaccurate|not (?:right|true|correct|helpful|helping|what i \w+|it|the point|relevant)|nonsense|unhelpful|irrelevant|off[- ]topic|rubbish|garbage|gibberish|terrible|awful|stupid|ridiculous|pointless|"
    r"too (?:long|vague|generic|short|complicated|general)|a lie|made up|confusing|no help|bs|bullshit)"
)
_ANSWER_EN = r"(?:answer|response|reply|advice|list|summary|suggestion|suggestions|explanation|recommendation|recommendations|text|translation|recipe|version|information)"
_STOPPED_EN = r"(?:\w+ing\b|with the)"

CUES: dict[Language, tuple[Cue, ...]] = {
    "ru": _cues(
        ("displeasure.not_understood/1", _D, rf"{_LEAD_RU}{_YOU_RU}(?: \w+){{0,2}} не {_TALK_RU}", 14),
        ("displeasure.fault/1", _D, rf"\b{_YOU_RU}(?: (?!сам|мо\w+|тво\w+)\w+){{0,3}} {_FAULT_RU}\b", 16),
        ("displeasure.again_you/1", _D, rf"{_LEAD_RU}(?:опять|снова|вечно|все время|постоянно|уже (?:в )?(?:второй|третий|сто\w*|который) раз) {_YOU_RU}\b|\b{_YOU_RU} (?:меня |мне )?(?:опять|снова|вечно|все время|постоянно|уже (?:в )?(?:второй|третий|который|сотый) раз)\b(?!.*\?$)", 14),
        ("displeasure.why_you/1", _D, rf"{_LEAD_RU}(?:почему|зачем|чего|че|чё|что|с чего) (?:это |вдруг |же )?{_YOU_RU} (?:меня |мне |ко мне |мой |мою |мои |опять |снова |все время |постоянно )*(?:не {_TALK_RU}|не \w+(?:ешь|ишь|ете|ите)(?:ся)?\b|опять|снова|все время|взял\w*|решил\w*|{_FAULT_RU}|прислал\w*|(?:меня|мне) \w+(?:ешь|ишь|ете|ите)\b)", 16),
        ("displeasure.what_for/1", _D, rf"{_LEAD_RU}(?:и |ну и )?(?:зачем|на кой|к чему) (?:мне |ты |вы |мне )+(?:это|этот|эта|эти|все это|\w+ это|прислал\w*|написал\w*)", 14),
        ("displeasure.i_asked_other/1", _D, r"\bя (?:\w+ ){0,2}(?:не (?:об|про|о) (?:это\w*|то\w*)|(?:совсем |вообще )?(?:о |об |про )?друг\w+|не это) (?:\w+ ){0,2}(?:спрашива\w+|спросил\w*|просил\w*|хотел\w*|имел\w*|говорил\w*)|\bя (?:же |ведь |вообще-то )?(?:спрашивал\w*|спросил\w*|просил\w*|хотел\w*)(?: \w+){0,3} (?:не (?:об|про|о) |друг(?:ое|ом|ой))", 16),
        ("displeasure.question_was/1", _D, r"\b(?:вопрос (?:был |же )+|речь (?:была |шла )?(?:же )?|я )(?:про|о|об|спрашивал\w* про|спросил\w* про) .+, (?:а )?не (?:про|о|об)\b|\b(?:на вопрос|по существу|по делу|конкретно|нормально|прямо) (?:\w+ )?(?:ответь|отвечай|ответьте)\b|\b(?:ответь|отвечай)\w* (?:уже |наконец |лучше |же )*(?:на (?:мой |заданный )?вопрос|по существу|нормально|прямо|конкретно)\b", 24),
        ("displeasure.insisted/1", _D, r"\b(?:я (?:\w+ ){0,3})?(?:сколько (?:можно|раз)(?: \w+){0,2}|сто раз|(?:второй|третий|который|десятый) раз|уже (?:\w+ )?раз) (?:тебе |вам |уже |я |это |об этом )*(?:повторя\w+|говор\w+|сказа\w+|проси\w+|объясн\w+|писа\w+|спрашива\w+)|сколько раз (?:тебе |вам |можно )*(?:повторять|говорить|просить|объяснять)|\bя (?:тебе |вам |же )*уже (?:тебе |вам |на это |на этот вопрос |об этом |это )*(?:отвечал\w*|говорил\w*|сказал\w*|объяснял\w*|объяснил\w*|писал\w*)", 16),
        ("displeasure.judged_answer/1", _D, rf"{_LEAD_RU}(?:это |эт[оаи]т? |тво[йяеи] |ваш\w* |какой-то |какая-то |какие-то |что за |очень |совсем |совершенно |полный |полная |\w+о ){{0,3}}{_BAD_RU} (?:\w+ )?{_ANSWER_RU}|\b(?:тво[йяеи]|ваш\w?|эт[оаи]т?) {_ANSWER_RU}(?: \w+){{0,2}} {_BAD_RU}|{_LEAD_RU}(?:это )?(?:опять |снова |совсем |вообще |все |явно |точно |какая-то |какой-то |что за |полн\w+ |ну и ){{0,2}}{_BAD_RU}(?: как(?:ая|ой|ие)-то| полн\w+)?(?:, .*)?\W*$", 9),
        ("displeasure.what_nonsense/1", _D, rf"\b(?:что за|какую|какой|ну и) (?:\w+ )?(?:ерунд\w+|чушь|бред|глупост\w+|фигн\w+|хрень)\b.*\b{_YOU_RU}\b|\b{_YOU_RU}\b.*\b(?:ерунду|чушь|бред|фигню|хрень|глупости)\b", 12),
        ("displeasure.no_use/1", _D, rf"\b(?:от тебя|от вас|с тебя|от этого|от такого) (?:\w+ )?(?:нет )?(?:никако\w+ )?(?:толк\w*|польз\w+|помощи)\b|\b(?:мне )?(?:это )?(?:никак |совсем |вообще |ничем )+не помогл?[оа]\b|{_LEAD_RU}(?:это|{_ANSWER_RU}) (?:мне )?(?:никак |совсем |вообще )?не (?:помог\w*|подход\w+|работает)\W*$", 10),
        ("displeasure.stop/1", _D, rf"{_LEAD_RU}(?:хватит|перестань\w*|прекрати\w*|кончай\w*|довольно|может,? хватит|не надо|не нужно) (?:мне |меня |уже |все время |этих |эти |так |больше |мне )*{_BANNED_RU}", 12),
        ("displeasure.do_not/1", _D, rf"{_LEAD_RU}(?:только |пожалуйста,? |больше )?не (?:выдумывай|придумывай|ври|фантазируй|учи меня|поучай|умничай|повторяй\w*|сочиняй|спорь|увиливай|льсти|перебивай|тупи|хами|лей воду|пиши (?:мне )?(?:так|больше|столько)|давай мне)\w*\b", 12),
        ("displeasure.insult/1", _D, rf"{_LEAD_RU}(?:какой (?:же )?|ну и |вот )?{_YOU_RU} (?:\w+ ){{0,2}}?{_INSULT_RU}\b|\b{_INSULT_RU},? {_YOU_RU}\b", 14),
        ("displeasure.known_already/1", _D, rf"{_LEAD_RU}(?:это|все это|эти \w+|про это|об этом) я (?:\w+ )?знаю\b(?!,? (?:что|как|где|потому))|\bэто (?:я |мы )?(?:и так|и без тебя|без тебя) (?:\w+ )?знаю", 8),
        ("correction.misunderstood/1", _C, r"\b(?:ты|вы) (?:меня )?(?:\w+ )?(?:не так|неправильно|неверно) (?:меня )?(?:понял\w*|поняли|записал\w*|запомнил\w*|назвал\w*|прочитал\w*)", 16),
        ("correction.i_meant/1", _C, r"^\W*(?:(?:нет|да нет|не)[,.! ]+)?я (?:же )?(?:имел|имела) в виду (?!.*\bнравится)|^\W*(?:нет|да нет|не)[,.! ]+я (?:же |ведь )?(?:сказал|говорил|просил|писал|спросил|спрашивал)а?\b|^\W*я же (?:\w+ )?(?:просил|говорил|сказал|писал)а?\b", 20),
        ("correction.never_said/1", _C, r"\bя (?:тебе |вам )?(?:такого |этого |никогда (?:такого |этого )?)+не (?:говорил|писал|просил|сказал)\w*|\bя (?:не|никогда не) (?:говорил|писал|просил)а? (?:такого|этого|что)\b|\b(?:откуда|с чего) (?:ты|вы) (?:\w+ )?(?:взял\w*|решил\w*|знаешь)", 14),
        ("correction.denied/1", _C, r"^\W*(?:нет|неправда|неверно|неправильно|ошибка|поправка|поправлю|уточню|уточнение|стоп)\b[,.:!—-]+\s*(?!спасибо|не надо|не нужно)(?=.*(?:\bне .+,? а |, а не |, не ))|^\W*(?:это )?(?:неправда|неверно|неправильно|ошибка|поправка)(?:[,.:!—-]|$)|^\W*(?:исправь|поправь)\w*\s*[:—-]", 20),
        ("correction.not_but/1", _C, r"^\W*(?:это (?:был[аои]? )?)?не (?:мо[йяеи] )?[\w-]+(?: \w+)?, а (?:мо[йяеи] )?[\w-]+(?: \w+)?\W*$", 7),
        ("correction.you_forgot/1", _C, r"\b(?:ты|вы) (?:\w+ )?(?:забыл\w*|перепутал\w*|путаешь|путаете),? (?:что )?(?:я|мне|у меня|мо[йяеи]|имя|дату|город)\b", 14),
        ("asks_again.said/1", _R, r"^\W*(?:(?:так|давай|попробую|спрошу|ладно|хорошо|тогда)[\s,]+)*(?:еще раз\s*[:,—-]|спрошу (?:еще раз|иначе|по-другому|снова)|повторю (?:вопрос|еще раз)|повторяю\s*[:,—-]|перефразир\w+|переформулир\w+|(?:скажу|спрошу) (?:по-другому|иначе)|другими словами|иначе говоря|так все-таки[,: ].*\?|(?:и )?все-таки[,: ].*\?)|, еще раз\W*$|^\W*(?:я )?не понял[аи]?,? (?:что|как|почему|где|кто)\b", 30),
    ),
    "en": _cues(
        ("displeasure.not_understood/1", _D, rf"{_LEAD_EN}{_YOU_EN}(?:'re| are| were)? (?:still |just |really |clearly |even |obviously )*(?:don't|do not|didn't|did not|haven't|aren't|not|never|can't|won't)(?: (?:even|really|seem to|actually))? {_TALK_EN}\w*\b(?! (?:worry|have to|need))", 14),
        ("displeasure.fault/1", _D, rf"\b{_YOU_EN}(?:'ve|'re| have| are)?(?: (?:just|still|completely|totally|always|keep|kept|again|already|clearly|being|literally)){{0,3}} {_FAULT_EN}\b", 16),
        ("displeasure.keep/1", _D, rf"\b{_YOU_EN} (?:keep|kept|always|constantly) (?:\w+ing|ask|forget|repeat|say|give|ignore|misunderstand|get)\b.*\b(?:me|that|this|same|it|wrong|my)\b|\b{_YOU_EN}(?:'ve| have)? already (?:asked|told|said|gave|given|suggested|mentioned)\b(?: me)? (?:that|this|it|the same)", 14),
        ("displeasure.why_you/1", _D, rf"{_LEAD_EN}why (?:did|do|are|would|don't|won't|can't|didn't|aren't) {_YOU_EN} (?:\w+ ){{0,2}}?(?:keep|always|not|never|ignor\w+|repeat\w*|send|give|tell|ask|lectur\w+|assum\w+|sent|answer|listen|understand|remember|call|think (?:i|that))", 16),
        ("displeasure.i_asked_other/1", _D, r"\b(?:that|this|it)(?:'s| is| was)(?:n't| not)(?: at all| even| really| quite)? (?:what|how|the \w+) i (?:asked|meant|said|wanted|want|need\w*|had in mind|was asking)|\bi (?:was )?ask(?:ed|ing)? (?:you )?(?:for|about|something|a different)\b.*(?:,| and)? not\b|\bi (?:wanted|needed|asked for|meant) (?:to \w+ )?something (?:else|different)|\bi didn'?t ask (?:for|about|you)\b|\b(?:the|my) question was (?:about|not)\b|\banswer (?:the|my) (?:actual )?question\b|\bi (?:don't|do not) (?:need|want) (?:advice|a lecture|your|another list|lists|tips|suggestions)\b", 24),
        ("displeasure.insisted/1", _D, r"\bhow many (?:more )?times\b|\bfor the (?:second|third|last|hundredth|umpteenth|\w+th) time\b|\bi(?:'ve| have)? (?:already|just) (?:told|said|explained|answered|mentioned)(?: (?:you|that|this|it|to you))|\bi(?:'ve| have) (?:told|asked) you\b", 18),
        ("displeasure.judged_answer/1", _D, rf"{_LEAD_EN}(?:this|that|these|your|what a|another|such a)(?: \w+)? {_ANSWER_EN}s?(?: (?:is|was|are|makes?|does|doesn't|isn't))? (?:\w+ )?{_BAD_EN}|{_LEAD_EN}(?:what a |such a |another )?{_BAD_EN} {_ANSWER_EN}|{_LEAD_EN}(?:(?:this|that|it)(?:'s| is| was) (?:just |completely |totally |so |all |absolutely |still |plain )?)?{_BAD_EN}(?:,? (?:just|give|try|again|i)\b.*)?\W*$", 10),
        ("displeasure.no_use/1", _D, rf"{_LEAD_EN}(?:this|that|it|{_YOU_EN})(?:'re| are| is|'s)? (?:does(?:n't| not)|did(?:n't| not)|(?:is|are)?n't|not) (?:really |even |at all )?(?:help(?:ing|ful)?|answer|make (?:any )?sense|address)\b|\bno (?:help|use) at all\b|\b(?:makes?|made) no sense\W*$|\bmiss(?:ed|ing|es) the point\b|\bdidn'?t help\b", 12),
        ("displeasure.stop/1", _D, rf"{_LEAD_EN}(?:can|could|would|will)? ?(?:{_YOU_EN} )?(?:please |just )?(?:stop|quit|enough(?: with| of)?) (?:{_STOPPED_EN})(?=.*\b(?:me|us|lists?|advice|questions?|that|this|it|things|yourself|sorry|so|same|lectures?|apolog\w+|repeat\w+|lectur\w+|guess\w+|suggest\w+)\b)(?! by\b)|{_LEAD_EN}(?:stop|enough) (?:it|that|this)\W*$", 12),
        ("displeasure.do_not/1", _D, rf"{_LEAD_EN}don'?t (?:make (?:things|stuff|it|this|that) up|lecture|patroni[sz]e|invent|lie|assume|guess|repeat yourself|change the subject|tell me (?:what to|to)|give me (?:advice|lists|a lecture|that)|be (?:so )?(?:condescending|rude|vague)|argue|ignore|apologi[sz]e)", 12),
        ("displeasure.insult/1", _D, rf"{_LEAD_EN}(?:{_YOU_EN}(?:'re| are)) (?:\w+ ){{0,2}}?(?:useless|stupid|dumb|an? idiot|broken|terrible|hopeless|no help|pathetic|annoying|a joke|worthless|incompetent|slow|clueless|not helping|not listening|no use)\b", 10),
        ("correction.misunderstood/1", _C, rf"\b{_YOU_EN}(?:'ve| have)? (?:misunder\w+|misread|misheard|mixed (?:up|it|them|me)|got (?:me|it|that|my \w+) (?:all )?wrong|confused (?:me|it|my)|have (?:it|that) wrong)\b|\b{_YOU_EN}(?:'re| are) (?:wrong|mistaken)\b", 16),
        ("correction.i_meant/1", _C, r"^\W*(?:(?:no|nope|sorry|actually|wait)[,.! ]+)*i (?:meant|said|wrote|asked for|asked about)\b(?=.*\b(?:not|other|instead)\b|.{0,40}$)(?!.*\b(?:to (?:him|her|them|my)|(?:her|him|them) to)\b)(?! (?:to|that i|it|yes|no|goodbye|hi|hello)\b)|^\W*(?:no|nope)[,.! ]+i (?:said|meant|asked|told)\b|^\W*i (?:already )?told you\b", 16),
        ("correction.never_said/1", _C, r"\bi (?:never|didn't|did not) (?:say|said|ask|asked|tell|told|write|wrote|mention\w*)(?: you)? (?:that|this|it|so|anything like|for (?:that|this)|to)\b|\bwhere did (?:you|u) get (?:the idea|that from|this from|that i\b)|\bwho (?:said|told you)\b.*\?$|\bwhat makes you think\b", 16),
        ("correction.denied/1", _C, r"^\W*(?:no|nope|wrong|incorrect|correction)\b[,.:!-]+\s*(?!thanks|thank|problem|worries|need|i'm good|that's (?:all|fine|ok))(?=.*(?:,| but)? not\b|my (?:name|birthday|\w+)(?:'s| is)\b|(?:it|he|she)(?:'s| is)\b)|^\W*(?:that|this)(?:'s| is) (?:incorrect|wrong|not (?:right|true|correct))(?:[,.!]|$)|^\W*(?:correction|fix that|correct that)\b\s*[,:-]", 20),
        ("correction.not_but/1", _C, r"^\W*(?:my (?:\w+ )?\w+(?:'s| is| was)|i(?:'m| am| was| live| work)|(?:he|she|it|they)(?:'s|'re| is| are| was) my) .{2,30}, not (?:my |in |at |a |an |the )?[\w-]+(?: [\w-]+)?\W*$", 10),
        ("correction.you_forgot/1", _C, rf"\b{_YOU_EN} (?:forgot|mixed up|confused) (?:that )?(?:i|i'm|my|we)\b", 14),
        ("asks_again.said/1", _R, r"^\W*(?:(?:ok|okay|so|well|no|sorry|alright)[\s,]+)*(?:let me (?:rephrase|ask (?:again|differently|that again)|try (?:again|that again)|put it)|i(?:'ll| will) (?:ask (?:again|once more)|rephrase|repeat)|(?:once|one) (?:more|again)(?: time)?\s*[:,-]|again\s*[:,-]|to rephrase|rephras\w+|in other words|(?:so,? )?asking again|different (?:question|way|words),? same|same question|still,? (?:what|how|where|which|when|who)\b)|\bagain\?\W*$(?<=again\?)|^\W*i (?:didn't|don't) (?:get|understand) (?:it|that|you),? (?:what|how|why|where|so|can)\b", 30),
    ),
}  # fmt: skip
