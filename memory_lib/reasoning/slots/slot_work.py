"""Job, employer and school, read off a clause."""

# ruff: noqa: C901, PLR0911 - rules of language are lists of cases

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_lib.domain.candidates import Slot
from memory_lib.domain.clause import Clause, PredicateKind, Tense, Who
from memory_lib.domain.syntax import Token
from memory_lib.reasoning.slots.slot_values import house, is_quoted, phrase, slot
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.habit_words import WHEN
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.name_forms import is_given_name
from memory_lib.reasoning.words.person_words import NO_TRADE
from memory_lib.reasoning.words.role_words import INSTITUTIONS, OCCUPATIONS, ROLES

_JOB_SUFFIX_EN = re.compile(r"(?:ologist|ographer|smith|therapist|technician)$")
_JOB_SUFFIX_RU = re.compile(r"(?:олог|ограф|тельница|щица|щик|чик)$")
_WORK = frozenset(["work", "работать", "трудиться", "подрабатывать"])
_JOB_NOUNS = frozenset({"job", "profession", "профессия", "работа"})
_SERVING = frozenset("drive haul truck fly freelance contract temp consult write report cook sail sell deliver guard".split())
"""What one does for a house that employs one: "I drive for …"."""
_HIRED = frozenset(["устроиться", "join"])
_BECOME = frozenset(["become", "стать"])
_TAKING_ON = frozenset("брать взять принять принимать нанять нанимать позвать hire employ recruit".split())


def is_occupation(token: Token) -> bool:
    """Whether that noun is a trade, from the list or by its ending."""
    lemma = token.lemma
    if lemma in OCCUPATIONS or token.text.lower() in OCCUPATIONS:
        return True
    return (_JOB_SUFFIX_RU if "а" <= lemma[:1] <= "я" else _JOB_SUFFIX_EN).search(lemma) is not None and token.pos == "NOUN"


def work_slots(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """As in "I work at a bakery as a baker", "я сварщик"."""
    head, token = clause.head, tree[clause.head]
    is_job = clause.tense is not Tense.PAST and not clause.negated and _is_trade(clause, tree)
    i_am = clause.subject.token is not None and tree[clause.subject.token].head == head
    somebodys = clause.subject.who in {Who.SELF, Who.PERSON} and (relation(token) != "nsubj" or i_am)
    named_job = clause.subject.token is not None and tree[clause.subject.token].lemma in _JOB_NOUNS
    if is_job and (somebodys or named_job):
        yield slot("job", phrase(tree, head))
        for child in complements(tree, head):  # "a chef at the Crown hotel", "медсестра в поликлинике"
            case = tree.case(child)
            if case in {"at", "with", "в", "на"} and (
                is_employer(tree[child], case) or (case == "at" and _is_house(tree[child]))
            ):
                yield slot("employer", house(tree, child))
                break
    if token.pos not in {"VERB", "AUX"}:
        return
    working = token.lemma in _WORK and clause.tense is not Tense.PAST
    hired = token.lemma in _HIRED or (
        token.lemma in {"hire", "employ"} and any(relation(tree[c]) == "aux" for c in tree.children(head))
    )
    became = token.lemma in _BECOME
    started = token.lemma in {"start", "get"} and any(tree[c].lemma in {"job", "position"} for c in tree.children(head, "obj"))
    for child in complements(tree, head):
        below = tree[child]
        case = tree.case(child)
        if (
            (working or hired or became)
            and (is_occupation(below) or (working and _is_done_as(below, case)))
            and (
                case == "as"
                or (not case and (below.features.get("Case") == "Ins" or (working and clause.language == "ru")))
                or (became and relation(below) in {"xcomp", "obj"})
            )
        ):
            yield slot("job", phrase(tree, child))
            continue
        placed = case in {"at", "for", "in", "в", "на", "by", "with"} and is_employer(below, case)
        placed = placed or (working and case in {"in", "в"} and below.lemma in _BRANCHES)
        placed = placed or ((working or hired) and case in {"at", "for", "в", "на"} and is_quoted(tree, child))
        placed = placed or ((working or hired) and case in {"at", "for", "в", "на", "во"} and _is_house(below))
        placed = placed or (working and case in {"в", "на"} and _is_invented_name(below))
        joined = token.lemma == "join" and relation(below) == "obj" and below.pos == "PROPN"
        serving = token.lemma in _SERVING and clause.tense is not Tense.PAST and case == "for" and is_employer(below, case)
        serving = serving and below.pos == "PROPN" and not is_given_name(below.text) and below.lemma not in WHEN
        if serving or ((working or hired or started) and (placed or joined)):
            yield slot("employer", house(tree, child))
        if not clause.negated and _goes_to_work_at(tree, head, child):
            yield slot("employer", house(tree, child))
        if started and relation(below) == "obj":
            for inner in tree.children(child, "nmod"):
                if tree.case(inner) in {"at", "with"} and tree[inner].pos in {"PROPN", "NOUN"}:
                    yield slot("employer", house(tree, inner))
                elif tree.case(inner) == "as" and is_occupation(tree[inner]):
                    yield slot("job", phrase(tree, inner))


def _is_invented_name(token: Token) -> bool:
    """As in "в ТрансЛайне": written large, and nobody's name, whatever the tagger took it for."""
    return token.text[:1].isupper() and token.features.get("NameType") == "given" and not is_given_name(token.lemma)


_STARTING = frozenset(["start", "begin"])
_COMING_OUT = frozenset(["выйти", "выходить"])
_CHANGING = frozenset("move transfer switch перевестись перейти перевести перебросить переводиться переходить".split())
_BRANCHES = frozenset(
    """
    branch office offices department depot site ward plant headquarters store division bureau unit surgery station
    филиал отделение отдел цех офис депо участок подразделение бригада диспетчерская управление контора бюро комбинат
    """.split()
)
"""Parts of a house: who moves there moves as one who works there."""
_LEISURE = frozenset(
    """
    gym club pool church theatre theater gallery museum restaurant cafe café pub bar bistro centre center
    university college school academy institute nursery garden gardens
    """.split()
)
"""Where one may start without working there."""


def _goes_to_work_at(tree: SentenceTree, head: int, child: int) -> bool:
    """As in "Started at the post office", "вышла в новую больницу", "перевелась в филиал", "moved me to the Leeds branch"."""
    verb, below, case = tree[head].lemma, tree[child], tree.case(child)
    if below.pos not in {"NOUN", "PROPN"}:
        return False
    branch = below.lemma in _BRANCHES
    if verb in _STARTING:
        named = below.lemma in INSTITUTIONS - _LEISURE or (below.pos == "PROPN" and below.features.get("NameType") != "given")
        as_what = any(tree.case(c) == "as" for c in complements(tree, head))
        return case in {"at", "with"} and below.lemma not in WHEN and (branch or named or (as_what and _is_house(below)))
    if verb in _COMING_OUT:
        anew = any(tree[c].lemma == "новый" for c in tree.children(child, "amod"))
        working = any(tree[c].lemma in {"работа", "смена", "должность"} for c in complements(tree, head) if c != child)
        return case in {"в", "на"} and (anew or working) and (branch or is_employer(below, case) or _is_house(below))
    if verb in _CHANGING and case in {"to", "в", "на"}:
        apart = verb == "перевестись" and below.lemma in INSTITUTIONS - _SCHOOLS
        return branch or apart or (is_quoted(tree, child) and verb != "move")
    return False


_NO_HOUSE = (
    frozenset(
        """
    home moment night nights field industry area sphere time shift holiday weekend sector department remote pleasure desk
    part сфера область отдел удаленка удалёнка смена дом полставки ставка выход отпуск фриланс вечер праздник неделя
    подработка команда проект сезон график радость износ совесть результат перспектива будущее
    """.split()
    )
    | WHEN
)


def _is_house(token: Token) -> bool:
    """Where one works, named by a plain noun: "at the port", "на хлебозавод"."""
    plural = token.features.get("Number") == "Plur"
    return token.pos == "NOUN" and token.lemma not in _NO_HOUSE and not plural and token.features.get("Animacy") != "Anim"


def _is_trade(clause: Clause, tree: SentenceTree) -> bool:
    """As in "I'm a falconer", "я сторож": a trade from the list, or by its form and nothing else a person can be."""
    token = tree[clause.head]
    indefinite = any(tree[c].text.lower() in {"a", "an"} for c in tree.children(clause.head, "det"))
    if token.pos == "ADJ" and indefinite and clause.kind is PredicateKind.ADJECTIVAL:
        return token.text.lower() in OCCUPATIONS  # "a paramedic", taken for an adjective
    if token.pos != "NOUN" or clause.kind not in {PredicateKind.NOMINAL, PredicateKind.FRAGMENT}:
        return False
    if is_occupation(token):
        spoken = clause.language == "ru" and clause.subject.who is Who.SELF and not clause.subject.inherited
        return clause.kind is PredicateKind.NOMINAL or (spoken and clause.subject.token is not None)
    lemma = token.lemma
    if (
        lemma in NO_TRADE
        or lemma in RELATIONS
        or clause.subject.who not in {Who.SELF, Who.PERSON}
        or tree.children(clause.head, "case")
    ):
        return False
    if lemma in ROLES:
        return True
    if clause.language == "ru":
        animate = token.features.get("Animacy") == "Anim" and token.features.get("Case") == "Nom"
        return animate and token.features.get("Number") != "Plur" and token.text[:1].islower()
    return indefinite and _AGENT_EN.search(lemma) is not None


_AGENT_EN = re.compile(r"(?:[^aeiou]er|eer|tor|sor|ist|ician|arian|man|woman|smith|wright|herd|keeper|hand|monger)$")


def _is_done_as(token: Token, case: str) -> bool:
    """As in "work as a luthier", "работаю звонарём": whatever one works as is one's trade."""
    if case == "as":
        return token.pos == "NOUN"
    return token.features.get("Case") == "Ins" and not case and token.features.get("Animacy") == "Anim"


_LEARNING = frozenset(
    "study attend go enrol enroll transfer учиться обучаться ходить поступить перевестись перевести пойти".split()
)
_SCHOOLS = frozenset(
    """
    school primary preschool kindergarten nursery university uni college academy lyceum gymnasium grammar conservatory
    institute polytechnic faculty школа лицей гимназия колледж техникум училище институт университет вуз академия
    консерватория садик сад музыкалка интернат факультет магистратура аспирантура прогимназия
    """.split()
)


def school_slots(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """As in "Tamsin goes to Trevose Academy", "дочка учится в 17-й школе", "её перевели в лицей"."""
    head, token = clause.head, tree[clause.head]
    if token.lemma not in _LEARNING and clause.language == "ru":
        mine = (k for k in clause.own if tree[k].lemma in {"учиться", "обучаться"} and tree[k].features.get("Person") == "1")
        head = next(mine, head)  # "я в 43 школе учусь, у нас злая математичка"
        token = tree[head]
    if token.lemma not in _LEARNING or clause.negated:
        return
    past = clause.tense is Tense.PAST
    if past and token.lemma not in {"enrol", "enroll", "transfer", "поступить", "перевестись", "перевести", "пойти"}:
        return
    for child in complements(tree, head):
        below = tree[child]
        named = {below.lemma, below.text.lower()}
        learning = token.lemma in {"study", "учиться", "обучаться", "поступить", "перевестись", "transfer", "enrol", "enroll"}
        capital = (
            learning
            and (below.pos == "PROPN" or below.text[:1].isupper())
            and tree.case(child) in {"at", "to", "в", "на", "во"}
        )
        saint = any(tree.lowered(c) in {"st", "st.", "saint"} for c in tree.children(child, "compound"))
        of_saint = saint and clause.subject.who is Who.PERSON and tree.case(child).startswith("to")
        if of_saint:
            yield slot("school", house(tree, child))
            return
        if (named & _SCHOOLS or capital) and (
            tree.case(child) in {"to", "at", "in", "в", "на", "во"} or relation(below) == "obj"
        ):
            yield slot("school", house(tree, child))
            return


def complements(tree: SentenceTree, head: int) -> list[int]:
    """Dependants of the verb, and of those the nouns below them ("as a nurse at a hospital" hangs either way)."""
    direct = tree.children(head, "obl", "nmod", "xcomp", "obj", "advmod")
    return [*direct, *(below for child in direct for below in tree.children(child, "nmod", "obl"))]


def is_employer(token: Token, case: str) -> bool:
    """Whether that noun names a house one can work for, after this preposition."""
    if token.lemma in INSTITUTIONS:
        return True
    if token.pos != "PROPN" and not token.text[:1].isupper():
        return False
    if token.features.get("NameType") in {"given", "place"} or token.lemma in {"monday", "friday", "home"}:
        return False
    return case in {"at", "for", "by", "with"} or (
        case in {"в", "на"} and (token.features.get("NameType") is None or not token.text.isascii())
    )


def hired_slots(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """As in "Меня берут в «Полином»", "They hired me at Corvex": who takes the speaker on becomes the employer."""
    head, token = clause.head, tree[clause.head]
    if token.lemma not in _TAKING_ON or clause.negated:
        return
    if not any(
        tree[c].lemma in {"я", "i"} or tree[c].text.lower() == "me" for c in tree.children(head, "obj", "nsubj", "iobj")
    ):
        return
    for child in complements(tree, head):
        below = tree[child]
        case = tree.case(child)
        if case in {"в", "на", "at", "by", "to"} and (is_employer(below, case) or is_quoted(tree, child)):
            yield slot("employer", house(tree, child))
            return
    for child in tree.children(head, "obl", "xcomp"):
        if is_occupation(tree[child]) and (tree.case(child) == "as" or tree[child].features.get("Case") == "Ins"):
            yield slot("job", phrase(tree, child))
            return
