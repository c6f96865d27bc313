"""What the person left open: an undecided question or a task of their own (pure)."""

# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Tense, Who
from memory_lib.domain.syntax import Language
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree

_UNDECIDED: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\b(?:не знаю,? (?:стоит ли|что|как|куда|когда|где|кого|какой|какую|какое|какие|чей|с чего|ехать ли|брать ли|\w+ть(?:ся)? ли|,)|"
        r"(?:еще |пока |так и )?не (?:решил[аи]?|решили|определил(?:ся|ась|ись)|выбрал[аи]?|могу решить|могу выбрать|могу определиться)|"
        r"сомневаюсь|думаю,? (?:стоит ли|\w+ть(?:ся)? ли|что выбрать|как быть|куда)|раздумываю|размышляю|выбираю между|никак не (?:могу|соберусь|решу\w*)|"
        r"вс[её] откладываю|руки не доходят|колеблюсь|думаю\b.{0,40}\bили (?:нет|не)\b|то ли\b.{0,40}\bто ли\b|(?:брать|ехать|идти|покупать|продавать|соглашаться|\w+ть(?:ся)?) (?:\w+ )?или (?:нет|не)\b)"
    ),
    "en": re.compile(
        r"\b(?:(?:do not|don't|dont|not) (?:really )?(?:know|sure)(?: yet)?,? (?:if|whether|what|how|where|when|which|who)|"
        r"(?:can't|cannot|can not|couldn't) decide|(?:haven't|have not|hasn't) (?:yet )?(?:decided|figured|made up|made (?:my|our) mind|chosen|picked)|undecided|torn between|"
        r"(?:still )?(?:wondering|deciding|debating|considering) (?:if|whether|between|what)|thinking (?:about|of) whether|keep (?:putting off|forgetting to)|"
        r"on the fence|(?:can't|cannot|couldn't) make (?:up )?(?:my|our) minds?|in two minds|trying to decide|to \w+ or not(?: to)?\b)\b"
    ),
}
_TASK: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\b(?:надо(?: бы)?|нужно(?: бы)?|необходимо|должен|должна|должны|пора(?: бы)?|придется|осталось|предстоит|забыл[аи]?|никак не)\b"
    ),
    "en": re.compile(
        r"(?:\b|(?='ve))(?:(?:still )?(?:need|have|got|ought|'ve|ive|'ve got|have got|ive got) t(?:o|ae)|gotta|must|should(?!n't have| have)|"
        r"(?:haven't|have not) (?:\w+ )?(?:\w+ed|done|sent|paid|bought|called|found|gotten|got|written|finished|started)\b[^.]* yet|forgot to|remember to)\b"
    ),
}
_INFINITIVE_RU = re.compile(r"\b\w+(?:ть|ти|чь)(?:ся|сь)?\b")
_NOT_A_TASK = re.compile(
    r"\b(?:have to (?:say|admit|tell you|agree)|must (?:say|admit|be|have)|need to know if you|got to go|gotta (?:go|run)|have to (?:go|run)(?: now)?$|need to (?:run|go)$|"
    r"should (?:be (?:fine|ok|fun|good|great)|have)|every (?:day|week|morning|time|month|night)|each|always|usually|надо сказать|должен сказать|должна сказать|"
    r"надо признать|пора (?:бежать|идти|спать)|надо бежать|кажд\w+|всегда|постоянно|обычно|have to do with|thought (?:i|we) should|we should|need to be careful|надо (?:же|было|знать))\b"
)
_DELIBERATION: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\b(?:стоит ли(?: мне| нам)?|что (?:мне|нам) (?:делать|выбрать)|как (?:мне|нам) (?:быть|поступить)|(?:может|может быть),? (?:мне|нам) \w+)\b"
    ),
    "en": re.compile(
        r"\b(?:should (?:i|we)\b(?! say)|what (?:should|do) (?:i|we) do (?:about|with|if)|is it worth (?:me )?\w+ing|do i (?:stay|leave|take|accept))\b"
    ),
}
_WAITING: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\b(?:жд(?:у|ем|етс[яь])|ожида(?:ю|ем)|дожида(?:юсь|емся)|подожд(?:у|ем)|висит вопрос|ждет от (?:меня|нас)|ждут от (?:меня|нас)|(?:результат\w*|ответ\w*|решени\w+) (?:буд(?:ет|ут)|прид(?:ет|ут)|обеща\w+|долж(?:ен|на|но|ны))|"
        r"(?:пока |еще )?(?:не (?:ответил\w*|пришл[аи]|пришел|прислал\w*|перезвонил\w*|отписал\w*|позвонил\w*|сообщил\w*|решил[аи] там)|(?:тишина|молчат|ни ответа)))"
    ),
    "en": re.compile(
        r"\b(?:(?:still )?wait(?:ing)? (?:for|on|to (?:hear|see|find out|know)|until|till|to find out|to see if)|await(?:ing)?|expecting (?:a|an|the|to hear|my|our|news|word)|"
        r"should (?:hear|get|have) (?:\w+ )?(?:back|word|news|an answer|a reply|results?|the results?)|(?:haven't|have not|not) heard (?:back|from|anything)|"
        r"(?:results?|answer|decision|verdict|outcome) (?:is|are|will be|should be|comes?|due)\b)"
    ),
}
_PROMISED_ME: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\b(?:(?:по)?обеща(?:л[аи]?|ют|ет)|сказал[аи]?,? что|должн[аы]?|долж(?:ен|ны)|взял(?:ся|ась|ись)|посулил[аи]?)\b.{0,60}?\b(?:прислать|пришл[юеу]\w*|отправ\w+|выслать|вышл\w+|(?:пере|по)?звон\w+|ответ\w+|решить|реш[аиу]т\w*|"
        r"верн\w+|отда\w+|привез\w+|привест[ии]|принес\w+|помо[чг]\w+|узна\w+|сообщ\w+|заплат\w+|перевест\w+|перевед\w+|достать|достан\w+|свозить|починить|почин\w+|сделать|сдела\w+|приехать|приед\w+|дать|да[см]\w*|зайти|заеха\w+|заед\w+)"
    ),
    "en": re.compile(
        r"\b(?:promised|swore|offered to|agreed to|said (?:that )?(?:he|she|they|it)(?:'d| would|'ll| will)|told (?:me|us) (?:that )?(?:he|she|they)(?:'d| would|'ll| will)|(?:is|are|was|were)? ?supposed to|owes? (?:me|us))\b"
        r"(?=.*\b(?:me|us|my|our|send|call|ring|phone|get back|let me|answer|reply|decide|return|bring|pay|fix|help|find out|come by|drop|lend|check)\b)"
    ),
}
_MY_PROMISE: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\b(?:(?:по)?обещал[аи]?|обещаю|дал[аи]? слово|взял(?:ся|ась|ись)|подрядил(?:ся|ась|ись)|вызвал(?:ся|ась|ись)|согласил(?:ся|ась|ись)|должен|должна|задолжал[аи]?|поклял(?:ся|ась|ись))\b"
    ),
    "en": re.compile(
        r"\b(?:(?:i|we)(?:'ve| have)? (?:\w+ )?(?:promised|agreed|volunteered|offered|committed|vowed|pledged|swore|signed up) (?:to|\w+)|(?:i|we) (?:said|told \w+(?: \w+)?) (?:that )?(?:i|we)(?:'d| would|'ll| will)|"
        r"(?:i|we) owe \w+)\b|^(?:also |and |so |just |already )*promised\b"
    ),
}
ORDERED = "open_loop.ordered/1"
"""Others told the speaker to do it: the task is the speaker's."""
PROMISED = frozenset({"open_loop.waiting/1", "open_loop.promise/1", ORDERED})
"""That it was promised, or is waited for, is so, whoever said it."""
_PAST_PROMISE = re.compile(
    r"\b(?:kept|broke|as promised|как (?:и )?обещал\w*|сдержал\w*|нарушил\w*|every|always|кажд\w+|всегда)\b"
)
_DONE_AFTER_ALL = frozenset({Modality.REPORTED, Modality.FICTIONAL, Modality.JOKING, Modality.QUOTED})


_BARE = re.compile(r"\b(ca|do|wo|have|has|had|is|are|was|were|does|did|could|would|should|need)nt\b")


def with_apostrophes(folded: str) -> str:
    """As in "i havent decided", "cant": written without the apostrophe. Changes lengths."""
    return _BARE.sub(r"\1n't", folded)


def open_loop_rule(clause: Clause, tree: SentenceTree, words: str) -> str | None:
    """The rule's id where the clause leaves something open, else None. ``words``: the clause's text."""
    folded = with_apostrophes(fold(words))
    awaited = _awaited(clause, tree, folded)
    if awaited is not None:
        return awaited
    if any(clause.has(modality) for modality in _DONE_AFTER_ALL):
        return None
    if clause.has(Modality.ASKED):
        return "open_loop.deliberation/1" if _DELIBERATION[clause.language].search(folded) else None
    mine = clause.subject.who in {Who.SELF, Who.GROUP, Who.NONE}
    if clause.experiencer is not None:
        mine = tree[clause.experiencer].lemma in {"я", "мы"}
    if not mine:
        return None
    if _NOT_A_TASK.search(folded):
        return None
    if _UNDECIDED[clause.language].search(folded):
        return "open_loop.undecided/1" if _is_about_oneself(clause, folded) else None
    if clause.has(Modality.CONDITIONAL):
        return None
    match = _TASK[clause.language].search(folded)
    if match is None or (
        clause.tense is Tense.PAST
        and match.group() not in {"осталось", "забыл", "забыла", "forgot to", "gotta"}
        and not match.group().endswith(("'ve got to", "have got to", "ive got to"))
        and "yet" not in match.group()
    ):
        return None
    if clause.language == "ru":
        if _INFINITIVE_RU.search(folded) is None:
            return None
        if re.search(r"\b(?:не (?:надо|нужно|должен|должна|пора)|больше не)\b", folded):
            return None
        if clause.subject.who is Who.NONE and re.search(
            r"\b(?:тебе|вам|ему|ей|им) (?:\w+ )?(?:надо|нужно|пора|придется|необходимо)\b|\b(?:надо|нужно|пора|придется) (?:тебе|вам|ему|ей|им)\b",
            folded,
        ):
            return None
        return "open_loop.task/1"
    if clause.subject.who not in {Who.SELF, Who.GROUP} or (clause.negated and "yet" not in folded):
        return None
    return "open_loop.task/1"


_THEIR_WAIT = re.compile(r"wait|expecting|^(?:жд|ожида|дожида|подожд)")
_FROM_ME = re.compile(r"\b(?:от (?:меня|нас)|from (?:me|us))\b")
_UNREAL = frozenset(
    {Modality.FICTIONAL, Modality.JOKING, Modality.QUOTED, Modality.ASKED, Modality.CONDITIONAL, Modality.ORDERED}
)


def _awaited(clause: Clause, tree: SentenceTree, folded: str) -> str | None:
    """Something promised by the person or to them, or waited for: "жду ответа", "she said she'd send the pattern"."""
    if any(clause.has(modality) for modality in _UNREAL) or _PAST_PROMISE.search(folded):
        return None
    mine = clause.subject.who in {Who.SELF, Who.GROUP, Who.NONE}
    if mine and not clause.negated and _MY_PROMISE[clause.language].search(folded):
        with_task = clause.language == "en" or _INFINITIVE_RU.search(folded) or "долж" not in folded
        if with_task and (clause.subject.who is not Who.NONE or clause.tense is Tense.PAST):
            return "open_loop.promise/1"
    if clause.subject.who is Who.ADDRESSEE:
        return None
    if not mine and not clause.negated and _PROMISED_ME[clause.language].search(folded):
        return "open_loop.waiting/1"
    if not mine and not clause.negated and clause.language == "ru":
        told = _will_answer(clause, tree, folded) or _ordered_me(clause, tree, folded)
        if told is not None:
            return told
    match = _WAITING[clause.language].search(folded)
    theirs = match is not None and not mine and _THEIR_WAIT.search(match.group()) is not None
    if theirs and _FROM_ME.search(folded) is None:
        return None  # "the gate can wait", "родители ждут с лета"
    if match is None or (clause.tense is Tense.PAST and not clause.negated and "heard" not in folded):
        return None
    return None if tree[clause.head].lemma in {"hate", "love", "ненавидеть", "любить"} else "open_loop.waiting/1"


_ANSWERING = frozenset(
    "ответить сообщить перезвонить отписаться решить объявить рассмотреть прислать утвердить подтвердить одобрить".split()
)
_ORDERING = frozenset(
    "велеть поручить просить попросить потребовать требовать наказать приказать обязать задать назначить распорядиться".split()
)
_BY_A_DAY = re.compile(r"\b(?:до|к|ко|не позднее|в течение|завтра|сегодня|послезавтра)\b")


def _will_answer(clause: Clause, tree: SentenceTree, folded: str) -> str | None:
    """As in "Банк ответит до 20 мая": others decide, by a day."""
    awaited = clause.tense is Tense.FUTURE and tree[clause.head].lemma in _ANSWERING
    return "open_loop.waiting/1" if awaited and _BY_A_DAY.search(folded) else None


def _ordered_me(clause: Clause, tree: SentenceTree, folded: str) -> str | None:
    """As in "тренер велел принести справку к пятнице": what others told the speaker to do, and nobody else, by a day."""
    verb = tree[clause.head]
    if verb.lemma not in _ORDERING or not tree.children(clause.head, "xcomp", "ccomp") or not _INFINITIVE_RU.search(folded):
        return None
    asked = [c for c in tree.children(clause.head, "iobj", "obj", "obl") if tree[c].features.get("Case") in {"Dat", "Acc"}]
    if any(tree[c].lemma not in {"я", "мы"} and not tree.case(c) for c in asked):
        return None
    return ORDERED if _BY_A_DAY.search(folded) else None


def _is_about_oneself(clause: Clause, folded: str) -> bool:
    """As in "I don't know what to do" is one's own; "I don't know how photosynthesis works" is a question to the assistant."""
    if clause.language == "en":
        if re.search(r"\b(?:know|sure)(?: yet)?,? (?:if|whether|what|how|where|when|which|who)\b", folded):
            return (
                re.search(
                    r"\b(?:what|how|where|when|which|who(?:m)?)(?: \w+)? to \w+|(?:if|whether|what|how|where|when|which|who) (?:\w+ )?(?:i|we|my|our|to)\b",
                    folded,
                )
                is not None
            )
        return True
    if re.search(r"\bне знаю\b", folded):
        return re.search(r"\b(?:я|мне|нам|мы|мой|моя|свою?)\b|\w+(?:ть|ти|чь)(?:ся|сь)?\b", folded) is not None
    return True
