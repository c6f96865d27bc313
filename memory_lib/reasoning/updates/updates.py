"""What a clause says of earlier statements: that something is over, one more, new, or put right (pure).

Only the speaker's own doing or state counts for the speaker: formation asks the same ``about`` of both statements, so that a
sister's new job ends nothing of one's own.
"""

# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases
from __future__ import annotations

from collections.abc import Iterator

from memory_lib.domain.candidates import NO_UPDATE, Modality, Update
from memory_lib.domain.clause import Clause, Mark, Tense, Who
from memory_lib.reasoning.slots.slot_home import MOVING_OUT, is_moving
from memory_lib.reasoning.slots.slot_values import experienced_by_me, is_quoted
from memory_lib.reasoning.trees.sentence_tree import FIRST_PERSON, SentenceTree, relation
from memory_lib.reasoning.updates.corrections import Corrected
from memory_lib.reasoning.words.ending_words import (
    CHANGING,
    DYING,
    EXCHANGING,
    FOR_GOOD,
    GROUPS,
    LAYING_OFF,
    LEAVING,
    LEAVING_WORK,
    LOVED,
    PARTICLES,
    PARTING,
    WORK_NOUNS,
)
from memory_lib.reasoning.words.habit_words import DOINGS, GERUNDS, WHEN
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.pet_words import PETS
from memory_lib.reasoning.words.role_words import INSTITUTIONS

_WORK = ("employer", "job")
_HOME = ("city", "origin")
_WHICH_ONE = frozenset(
    "other older elder eldest oldest younger youngest middle старший младший средний двоюродный троюродный".split()
)
_ONE_MORE = frozenset("another second third fourth extra one-more ещё второй третий четвертый четвёртый другой".split())


def update_of(corrected: Corrected, tree: SentenceTree) -> Update:
    """What the clause does to what was said before it."""
    clause = corrected.clause
    if not tree.sentence.has_tree:
        return NO_UPDATE
    slots, ended = _over(clause, tree)
    return Update(
        slots=slots,
        ended=ended,
        denied=corrected.denied,
        corrects=corrected.corrects,
        adds=_adds(clause, tree),
        changes=clause.mark(Mark.NOW) is not None or clause.mark(Mark.NO_LONGER) is not None,
    )


def _adds(clause: Clause, tree: SentenceTree) -> bool:
    if clause.mark(Mark.ADDITION) is not None or any(tree[i].lemma in _ONE_MORE for i in clause.own):
        return True
    subject = clause.subject.token  # "my other brother is a paramedic": not the one spoken of before
    return subject is not None and any(tree[c].lemma in _WHICH_ONE for c in tree.children(subject, "amod", "det"))


def _over(clause: Clause, tree: SentenceTree) -> tuple[tuple[str, ...], tuple[str, ...]]:
    head = tree[clause.head]
    fallen = next((i for i in clause.own if tree[i].lemma in _FALLEN_OUT), None)
    if fallen is not None:
        return (), tuple(
            tree[c].lemma for c in tree.children(fallen, "obj", "xcomp", "nsubj") if tree[c].pos in {"NOUN", "PROPN", "VERB"}
        )
    if clause.negated:
        return (), _no_longer(clause, tree)
    if clause.has(Modality.CONDITIONAL) or clause.has(Modality.WISHED) or clause.tense is Tense.FUTURE:
        return (), ()
    if clause.subject.who is Who.ADDRESSEE:
        return (), ()
    lemma = head.lemma
    if is_moving(tree, clause) and any(tree[i].lemma in FOR_GOOD or tree[i].text.lower() in FOR_GOOD for i in clause.own):
        return _HOME, ()
    if lemma in MOVING_OUT or (lemma == "move" and any(tree[c].text.lower() == "out" for c in tree.children(clause.head))):
        left = tuple(
            tree[c].lemma
            for c in tree.children(clause.head, "obl", "nmod")
            if tree.case(c) in {"из", "с", "от", "of", "out of", "from"}
        )
        return (() if left else ("home",)), left
    if lemma in LEAVING_WORK or (lemma in LAYING_OFF and _befalls_me(clause, tree)) or _is_laid_off(clause, tree):
        house = tuple(_names(clause, tree))
        return (() if house else _WORK), house or tuple(_house_left(clause, tree))
    moved_from = tuple(_changed_from(clause, tree)) if lemma in CHANGING else ()
    if moved_from:
        return (), moved_from
    if _is_new_job(clause, tree):
        return _WORK, ()
    if lemma in LEAVING:
        found = _left(clause, tree)
        if found is not None:
            return found
    if lemma in DYING and clause.subject.token is not None and not clause.subject.inherited:
        subject = tree[clause.subject.token]
        named = subject.text[:1].isupper() and subject.lemma not in RELATIONS
        return (), (subject.lemma,) if subject.lemma in PETS or named else ()
    if lemma in PARTING or _phrasal(clause, tree):
        return (), tuple(_parted_with(clause, tree))
    return (), ()


def _changed_from(clause: Clause, tree: SentenceTree) -> Iterator[str]:
    """What was given up for another: "switched from X to Y", "перешла с X на Y", "сменила X на Y", "swapped X for Y"."""
    below = [
        c for c in tree.children(clause.head, "obj", "obl", "nmod", "xcomp") if tree[c].pos in {"NOUN", "PROPN", "X", "VERB"}
    ]
    below += [c for k in below for c in tree.children(k, "nmod", "obl") if tree[c].pos in {"NOUN", "PROPN", "X"}]
    to = [c for c in below if tree.case(c) in {"to", "onto", "for", "with", "на", "к"}]
    for child in below:
        direct = relation(tree[child]) == "obj" and not tree.case(child) and tree[clause.head].lemma in EXCHANGING
        direct = direct or (tree.case(child) == "in" and tree[clause.head].lemma == "trade")
        if (
            (direct or tree.case(child) in {"from", "с", "со"})
            and to
            and child not in to
            and tree[child].lemma not in WHEN | WORK_NOUNS
        ):
            gerund = GERUNDS.get(tree[child].text.lower())
            yield gerund or tree[child].lemma
            return


_NEW_JOB = frozenset(
    {"start", "get", "have", "land", "find", "take", "accept", "получить", "найти", "начать", "быть", "есть", "нет"}
)
_OTHER_JOB = frozenset(["change", "switch", "swap", "сменить", "поменять"])


def _is_new_job(clause: Clause, tree: SentenceTree) -> bool:
    """As in "I've got a new job", "у меня новая работа", "сменила работу": whatever one did before is over."""
    if clause.subject.who not in {Who.SELF, Who.GROUP, Who.NONE, Who.THING}:
        return False
    jobs = [k for k in clause.own if tree[k].lemma in {"job", "работа"}]
    if not jobs or clause.has(Modality.PLANNED) or clause.has(Modality.HEDGED) or clause.has(Modality.REPORTED):
        return False
    head = tree[clause.head].lemma
    if head in _OTHER_JOB:
        return jobs[0] in tree.children(clause.head, "obj")
    anew = any(tree[c].lemma in {"new", "новый"} for c in tree.children(jobs[0], "amod"))
    mine = clause.subject.who in {Who.SELF, Who.GROUP} or experienced_by_me(clause, tree)
    told = head in _NEW_JOB or clause.head == jobs[0] or jobs[0] in tree.children(clause.head, "nsubj")
    return anew and mine and told


def _befalls_me(clause: Clause, tree: SentenceTree) -> bool:
    """As in "меня уволили", "they fired me"; "I was fired" has the speaker as its subject."""
    objects = [tree[c] for c in tree.children(clause.head, "obj", "iobj")]
    if any(token.lemma in {"я", "i"} or token.text.lower() == "me" for token in objects):
        return True
    passive = any(tree[c].lemma in {"be", "get"} for c in tree.children(clause.head, "aux", "cop"))
    return passive and clause.subject.who in {Who.SELF, Who.PERSON}


def _is_laid_off(clause: Clause, tree: SentenceTree) -> bool:
    words = " ".join(tree[i].text.lower() for i in clause.own)
    return any(
        told in words
        for told in (
            "laid off",
            "let go",
            "made redundant",
            "lost my job",
            "my notice",
            "заявление об уход",
            "заявление на уход",
            "по собственному",
            "заявление на увол",
            "потеряла работу",
            "потерял работу",
        )
    )


def _names(clause: Clause, tree: SentenceTree) -> Iterator[str]:
    """The house that is left: "уволилась из «Вымпела»", "resigned from Corvex"."""
    for child in tree.children(clause.head, "obl", "nmod", "obj"):
        for index in (child, *tree.children(child, "nmod", "appos", "obl", "flat", "compound")):
            if (tree[index].pos == "PROPN" or is_quoted(tree, index)) and tree.case(child) not in {"on", "в", "after", "после"}:
                yield tree[index].lemma


def _house_left(clause: Clause, tree: SentenceTree) -> Iterator[str]:
    """As in "laid off from the port", "уволилась с почты"."""
    for child in tree.children(clause.head, "obl", "nmod"):
        if (
            tree.case(child) in {"from", "at", "из", "с", "со"}
            and tree[child].pos == "NOUN"
            and tree[child].lemma not in WHEN | WORK_NOUNS
        ):
            yield tree[child].lemma


def _left(clause: Clause, tree: SentenceTree) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """As in "I left Orbis", "quit the choir", "ушёл из таксидермии"; to leave a house or a party ends nothing."""
    for child in tree.children(clause.head, "obj", "obl", "nmod", "xcomp"):
        token, case = tree[child], tree.case(child)
        if relation(token) != "obj" and case not in {"from", "из", "с", "со", "от"}:
            continue
        if token.lemma in WORK_NOUNS:
            named = tuple(
                tree[i].lemma
                for i in (*tree.children(child, "nmod"), *tree.children(clause.head, "obl"))
                if tree[i].pos == "PROPN"
            )
            return (() if named else _WORK), named
        if token.lemma in LOVED:
            return ("relationship",), ()
        stopping = tree[clause.head].lemma in {"quit", "бросить"}
        if token.pos == "PROPN" or token.lemma in GROUPS or token.lemma in INSTITUTIONS or stopping:
            named = tuple(tree[i].lemma for i in tree.children(child, "nmod", "appos", "compound") if tree[i].pos == "PROPN")
            return (), named or (token.lemma,)
        if case in {"из", "from"} and token.pos == "NOUN" and clause.language == "ru":
            return (), (token.lemma,)
    return None


def _phrasal(clause: Clause, tree: SentenceTree) -> bool:
    lemma = tree[clause.head].lemma
    beside = {tree[c].text.lower() for c in tree.children(clause.head)} | {
        tree[i].text.lower() for i in range(clause.head + 1, min(clause.head + 3, len(tree.tokens)))
    }
    return any((lemma, particle) in PARTICLES for particle in beside)


def _parted_with(clause: Clause, tree: SentenceTree) -> Iterator[str]:
    subject = clause.subject.token
    if clause.subject.who is Who.THING and subject is not None and tree[subject].pos in {"NOUN", "PROPN"}:
        if any(
            tree[c].relation == "aux:pass" or tree[c].lemma in {"be", "get"} for c in tree.children(clause.head, "aux", "cop")
        ):
            yield tree[subject].lemma  # "the narrowboat is sold"
        elif tree[clause.head].features.get("Variant") == "Short" or tree[clause.head].features.get("VerbForm") == "Part":
            yield tree[subject].lemma  # "лодка продана"
        return
    for child in tree.children(clause.head, "obj", "obl", "xcomp", "nmod", "nsubj", "ccomp", "advmod"):
        token, case = tree[child], tree.case(child)
        inanimate = clause.language == "ru" and token.features.get("Animacy") == "Inan"
        if child == clause.subject.token or (child < clause.head and relation(token) not in {"obj", "obl"} and not inanimate):
            continue
        direct = relation(token) in {"obj", "xcomp", "nsubj", "ccomp", "advmod"} and not case
        if not direct and case not in {"of", "от", "с", "со"}:
            continue
        if token.lemma in WHEN or token.pos in {"PRON", "DET"}:
            continue
        gerund = GERUNDS.get(token.text.lower())
        if gerund is not None or token.lemma in DOINGS:
            yield gerund or token.lemma
            yield from (tree[below].lemma for below in tree.children(child, "obj"))
        elif token.pos == "VERB":
            below = [tree[c].lemma for c in tree.children(child, "obj", "obl") if tree[c].pos in {"NOUN", "PROPN"}]
            yield below[0] if below else token.lemma
        elif token.lemma in _PAPERS:
            yield from (tree[below].lemma for below in tree.children(child, "compound", "nmod"))
        elif token.pos in {"NOUN", "PROPN", "X"}:
            yield token.lemma
        return


_FALLEN_OUT = frozenset({"разлюбить", "разлюблять"})
_PAPERS = frozenset(["membership", "subscription", "contract", "абонемент", "подписка", "членство", "договор"])


def _no_longer(clause: Clause, tree: SentenceTree) -> tuple[str, ...]:
    """As in "I don't have a car", "машины больше нет", "больше не хожу на йогу": one thing, the nearest to the verb."""
    head = tree[clause.head]
    having = head.lemma in {"have", "own", "нет", "быть", "иметь"}
    if clause.mark(Mark.NO_LONGER) is None and not having:
        return ()
    if clause.tense not in {Tense.PRESENT, Tense.PAST} or clause.subject.who not in {
        Who.SELF,
        Who.GROUP,
        Who.THING,
        Who.PERSON,
        Who.NONE,
    }:
        return ()
    subjects = ("nsubj",) if clause.language == "ru" else ()
    for names in (("obj", *subjects), ("obl", "nmod", "xcomp")):
        for child in tree.children(clause.head, *names):
            token = tree[child]
            if (
                token.lemma in FIRST_PERSON
                or (child == clause.subject.token and not having and token.features.get("Animacy") == "Anim")
                or token.pos not in {"NOUN", "PROPN", "X"}
                or token.lemma in WHEN
            ):
                continue
            return (token.lemma,)
    return (head.lemma,) if head.lemma in DOINGS else ()
