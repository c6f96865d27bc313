"""How a clause is meant: cues of modality, of change and of repetition, with the words that carry them."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Cue, Mark
from memory_lib.domain.syntax import Language

_CUES: dict[Language, tuple[tuple[Modality, re.Pattern[str]], ...]] = {
    "ru": (
        (
            Modality.HEDGED,
            re.compile(
                r"\b(?:кажется|наверное?|наверняка|может быть|возможно|вроде(?: бы| как)?|по-?моему|должно быть|пожалуй|видимо|"
                r"похоже|скорее всего|вероятно|(?:я )?думаю(?=,| что)|мне кажется|если не ошибаюсь|кажись|вряд ли|едва ли|маловероятно|не исключено|судя по всему|не уверен[аы]?|сомневаюсь|насколько (?:я )?(?:помню|знаю)|если (?:я )?правильно помню|не факт,? что|мо(?:гу|жет|гут) (?:и )?(?:ошибаться|путать)|видать|будто бы|предположительно|по идее|не точно)\b"
            ),
        ),
        (
            Modality.WISHED,
            re.compile(
                r"\b(?:хочу|хотим|хотел[аи]? бы|хотелось бы|хочется|подумываю|мечтаю|мечтаем|надеюсь|надеемся|жаль что не|вот бы|скорее бы|хоть бы)\b"
            ),
        ),
        (
            Modality.PLANNED,
            re.compile(
                r"\b(?:собираюсь|собираемся|планирую|планируем|намерен[аы]?|буду|будем|решил[аи]? (?=\w+ть(?:ся)?\b))\b"
            ),
        ),
        (
            Modality.REPORTED,
            re.compile(
                r"\b(?:говорят|по словам|как говорит|якобы|по слухам|дескать|пишут что|сказали что|говорит,? что|сказал[аи]?,? что)\b"
            ),
        ),
        (Modality.FICTIONAL, re.compile(r"\b(?:допустим|предположим|представим|чисто гипотетически|гипотетически)\b")),
    ),
    "en": (
        (
            Modality.HEDGED,
            re.compile(
                r"\b(?:maybe|perhaps|probably|possibly|might|may(?= (?:be|have|not|go|get|need|take|move|try|do)\b)|i think|i guess|i suppose|"
                r"i believe|i assume|seems?(?: like| to)?|not sure if|kind of|sort of|apparently|could be|presumably|i'm pretty sure|(?:highly )?(?:un)?likely|(?:i )?doubt|not (?:entirely |completely |totally |100% )?(?:sure|certain)|i reckon|i'd guess|as far as i (?:know|remember|recall)|if i remember|from what i (?:remember|recall)|supposedly|might've|may(?: well)? have|i (?:could|might|may) be (?:wrong|mistaken)|i can't swear|i wouldn't swear|i imagine|i expect(?= (?:i|it|we|he|she|they))|must have|could have been|hardly)\b"
            ),
        ),
        (
            Modality.WISHED,
            re.compile(
                r"\b(?:i want|we want|i wanna|i wish|i hope|we hope|i'm hoping|hoping|hopefully|(?:would|'d|id) (?:love|like|rather|prefer)|"
                r"i dream of|(?:thinking|dreaming) (?:of|about)(?= \w+ing\b)|considering(?= \w+ing\b)|can't wait|looking forward|my dream)\b"
            ),
        ),
        (
            Modality.PLANNED,
            re.compile(
                r"\b(?:will|'ll|won't|shall|gonna|(?:am|are|is|'m|'re|'s) (?:\w+ )?going to(?= \w+)|plan(?:ning)? (?:to|on)|intend to|"
                r"about to|scheduled)\b"
            ),
        ),
        (
            Modality.REPORTED,
            re.compile(
                r"\b(?:they say|people say|apparently|reportedly|i heard|according to|(?:he|she|they) (?:says?|said|told)|rumou?r has it)\b"
            ),
        ),
        (
            Modality.FICTIONAL,
            re.compile(r"\b(?:let's (?:imagine|say)|suppose(?: that)? (?:i|we|my)|hypothetically|say (?:i|we) \w+ed)\b"),
        ),
    ),
}
_CONDITIONAL: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(r"\b(?:если|при условии|в случае)\b"),
    "en": re.compile(r"\b(?:if|unless|in case|provided that|would(?! (?:like|love|rather|prefer))|'d have)\b"),
}
_NO_CONDITION = re.compile(
    r"\b(?:if you (?:ask|know|want|like|don't mind)|(?:see|seeing|hear|find out|wonder|wondering|knows?|sure|decide|asked?|asking|check|matter|care) if|if i ?'m (?:being |quite |totally |perfectly )?(?:honest|frank)|if (?:i|we)'?m? ?(?:be |may say|may|say so)|if truth be told|if (?:it|that|this) (?:matters|helps)|if (?:it|that|this)(?:'s| is) (?:relevant|important|useful)|если (?:это )?(?:важно|интересно|нужно|надо|поможет)|if anything|if memory serves|если (?:уж )?(?:совсем )?(?:честно|откровенно|быть честн\w+|начистоту)|если можно|если что)\b"
)
_AS_IF = re.compile(r"\b(?:as (?:if|though)|like (?=\w+ would)|как будто|как если бы|словно|будто)\b.*", re.DOTALL)
"""What follows only likens: it sets no condition."""
_WAS_WOULD = re.compile(r"\w+л(?:а|о|и|ся|ась|ось|ись)? бы\b|\bбы \w+")
_NO_WOULD = re.compile(
    r"\b(?:вроде бы|кто бы (?:мог )?(?:по)?думать?л?|надо бы|нужно бы|пора бы|хотел\w* бы|хотелось бы|как бы|вот бы|скорее бы|хоть бы|чтобы)\b"
)

FORMERLY = re.compile(
    r"\b(?:used to|когда-то|в детстве)\b|(?:^|\b(?:я|мы|он|она|они|мне|меня|нас|ведь|а|и|но|вот) )раньше\b(?! (?:чем|срока|времени))"
)
"""True once and no longer; "на два дня раньше" only compares."""

_MARKS: dict[Language, tuple[tuple[Mark, re.Pattern[str]], ...]] = {
    "ru": (
        (Mark.NO_LONGER, re.compile(r"\b(?:больше не(?:т)?|уже не(?= \w)|не \w+ больше|перестал[аи]?|бросил[аи]?(?= \w+ть)|передумал[аи]?|разлюбил[аи]?)\b")),
        (Mark.ACTUALLY, re.compile(r"\b(?:на самом деле|вообще-то|точнее|вернее|я ошиб(?:ся|лась)|оговорил(?:ся|ась))\b")),
        (Mark.AGAIN, re.compile(r"\b(?:снова|опять|в очередной раз|как (?:я )?(?:уже )?(?:говорил|сказал|писал)а?|всё так же|все так же|по-прежнему|еще раз|ещё раз|правда же)\b")),
        (Mark.ADDITION, re.compile(r"\b(?:тоже|также|еще(?! (?:не|раз))|ещё(?! (?:не|раз))|кроме того|к тому же)\b")),
        (Mark.THEN, re.compile(r"^(?:(?:а|и|ну|но) )?(?:потом|затем|после этого|после чего|позже)\b")),
        (Mark.NOW, re.compile(r"\b(?:теперь|сейчас|отныне|нынче|с недавних пор)\b")),
    ),
    "en": (
        (Mark.NO_LONGER, re.compile(r"(?:\b|(?=n't))(?:no longer|not (?:\w+ ){0,4}any ?more|n't (?:[\w']+ ){0,6}any ?more|stopped(?= \w+ing)|quit(?= \w+ing)|gave up|changed my mind|used to)\b")),
        (Mark.ACTUALLY, re.compile(r"\b(?:actually|in fact|to be precise|i was wrong|correction|i meant)\b")),
        (Mark.AGAIN, re.compile(r"\b(?:again|once more|as i (?:said|mentioned|told you)|like i said|still|yet another)\b")),
        (Mark.ADDITION, re.compile(r"\b(?:also|too|as well|another|besides|in addition)\b")),
        (Mark.THEN, re.compile(r"^(?:(?:and|but|so) )?(?:then|after that|afterwards?|later(?: on)?|after which)\b")),
        (Mark.NOW, re.compile(r"\b(?:now|nowadays|these days|currently|from now on|as of)\b")),
    ),
}  # fmt: skip


_DENIAL = re.compile(
    r"\b(?:не то чтобы|не сказать,? чтобы|нельзя сказать,? что(?:бы)?|не могу сказать,? что(?:бы)?|не скажу,? что(?:бы)?|неправда,? что|это не значит,? что|вряд ли|едва ли|маловероятно|чуть (?:было )?не|"
    r"it(?:'s| is| was) not (?:that|like|as if)|it isn't (?:that|like)|(?:i )?(?:wouldn't|can't|cannot|couldn't) say (?:that )?(?:i|we|it|he|she|my)|i(?:'m| am)? ?(?:highly |seriously )?doubt(?:ful)?(?: that| if)?|unlikely|(?:it's )?not true that|"
    r"(?:almost|nearly|very nearly)(?= \w+(?:ed|t|ght|ke|ve|de)\b)|far from being|hardly ever|hardly any\w*|scarcely ever|almost never|practically never|почти (?:никогда )?не)\b"
)
"""What follows is denied as a whole, or did not happen after all."""


def denial(folded: str, offset: int) -> Cue | None:
    """Words of one clause that deny all of it: "it's not that …", "не то чтобы …", "чуть не …"."""
    match = _DENIAL.search(folded)
    return None if match is None else Cue(offset + match.start(), offset + match.end())


def sets_condition(folded: str) -> bool:
    """Whether an "if" in these words sets a condition: not in "if you ask me", "not sure if"."""
    return _NO_CONDITION.search(folded) is None


def modal_cues(folded: str, offset: int, language: Language) -> Iterator[tuple[Modality, Cue]]:
    """Readings of one clause's words. ``folded``: the clause, folded; ``offset``: where it stands in the message."""
    for modality, pattern in _CUES[language]:
        match = pattern.search(folded)
        if match is not None:
            yield modality, Cue(offset + match.start(), offset + match.end())
    folded = _AS_IF.sub("", folded)
    match = _CONDITIONAL[language].search(folded)
    if match is not None and _NO_CONDITION.search(folded) is None:
        yield Modality.CONDITIONAL, Cue(offset + match.start(), offset + match.end())
    elif language == "ru":
        match = _WAS_WOULD.search(folded)
        if match is not None and _NO_WOULD.search(folded) is None:
            yield Modality.CONDITIONAL, Cue(offset + match.start(), offset + match.end())


def marks(folded: str, offset: int, language: Language) -> Iterator[tuple[Mark, Cue]]:
    """Marks of addition, change, repetition and order in one clause's words."""
    for mark, pattern in _MARKS[language]:
        match = pattern.search(folded)
        if match is not None:
            yield mark, Cue(offset + match.start(), offset + match.end())
