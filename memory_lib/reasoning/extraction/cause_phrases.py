"""Causes told as a phrase inside the clause of their effect: "из-за дождя", "tired from the shift", "proud of winning"."""

# ruff: noqa: E501 - a record is written field by field
from __future__ import annotations

from collections.abc import Iterator

from memory_lib.domain.candidates import Candidate, EdgeType, Modality, NodeType, Precision
from memory_lib.domain.clause import Clause, Cue, Mark, Tense
from memory_lib.domain.message import Role
from memory_lib.reasoning.clauses.clause_words import with_closing_mark
from memory_lib.reasoning.dates import Direction, find_dates
from memory_lib.reasoning.extraction.cause_words import BEHIND, BRINGS_ABOUT, CAUSE_PHRASE, MOVING, STATES_FROM
from memory_lib.reasoning.extraction.reading import EVENT_NOUNS, Draft, Reading, is_time, midnight
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import FIRST_PERSON, SentenceTree, is_mark, relation
from memory_lib.reasoning.words.event_words import names_happening
from memory_lib.reasoning.words.significance_words import is_significant
from memory_lib.reasoning.words.topic_words import topic_of

# "After work", "после обеда" only tell the time of the day.
_ROUTINE = frozenset("работа обед ужин завтрак школа work lunch dinner breakfast school class".split())
_FEELING_CASES = frozenset(
    "about of over by with for at from за о об обо от перед передо из-за по насчет насчёт на с со".split()
)
_SIGN_CASES = frozenset({"над", "over", "about", "because"})
"""After a sign of feeling only these say why: "плачу над письмом", not "плакала в машине"."""
_FEELING_GERUNDS = frozenset("for from of about at by over with after".split())
_OF_THE_EFFECT = frozenset({Modality.ASSERTED, Modality.NEGATED, Modality.PLANNED, Modality.WISHED})
"""How the effect is meant, not its cause: "из-за дождя не поедем" tells a rain that is there."""
_LONGEST = 14
"""Words of a phrase that may still be one cause."""


def phrase_cause(reading: Reading, clause: Clause, number: int) -> bool:
    """Adds the cause told inside that clause, if any. True also where one is told that needs no node of its own."""
    tree = reading.trees[clause.sentence]
    if not tree.sentence.has_tree:
        return False
    found = (
        _after_preposition(reading, clause, tree)
        or _gerund(reading, clause, tree, number)
        or _of_feeling(reading, clause, tree, number)
        or _of_state(clause, tree)
    )
    if found is None:
        return _brought_about(reading, clause, tree, number)
    head, cue = found
    if tree[head].pos == "PRON" or is_time(tree, head):
        return False
    return attach(reading, clause, number, head, cue, "caused_by.phrase/1")


def attach(reading: Reading, clause: Clause, number: int, head: int, cue: Cue, rule: str) -> bool:
    """An edge from that draft to the phrase under ``head``: the person it names, or a candidate of its own."""
    for mention in reading.mentions:
        if mention.sentence == clause.sentence and head in mention.tokens:
            person = reading.person_index(reading.key(mention))
            if person is not None:
                _relate(reading, number, person, cue, rule)
                return True
    place = phrase_candidate(reading, clause, number, head, cue)
    if place is not None:
        _relate(reading, number, place, cue, rule)
    return True  # the cause is told inside the clause; nothing before it need be one


def _relate(reading: Reading, effect: int, cause: int, cue: Cue, rule: str) -> None:
    reading.relate(effect, cause, EdgeType.CAUSED_BY, reading.params.confidence_relation, cue.start, cue.end, rule)


def _after_preposition(reading: Reading, clause: Clause, tree: SentenceTree) -> tuple[int, Cue] | None:
    """As in "из-за развода", "because of the rain", "по глупости"."""
    match = CAUSE_PHRASE.search(fold(reading.words(clause)))
    if match is None:
        return None
    after = clause.start + match.end()
    noun = next(
        (
            i
            for i in clause.own
            if tree[i].start >= after
            and (tree[i].pos in {"NOUN", "PROPN", "PRON"} or (tree[i].pos == "VERB" and tree[i].text.lower().endswith("ing")))
            and not _inside_phrase(tree, i, after)
        ),
        None,
    )
    if noun is None:
        return None
    behind = match.group().startswith("из-за") and tree[noun].lemma in BEHIND
    if behind and (tree[clause.head].lemma in MOVING or any(tree[a].lemma in MOVING for a in tree.ancestors(noun))):
        return None
    return noun, Cue(clause.start + match.start(), clause.start + len(match.group().rstrip()) + match.start())


def _of_feeling(reading: Reading, clause: Clause, tree: SentenceTree, number: int) -> tuple[int, Cue] | None:
    """As in "worried about the exam", "горжусь дочкой", "crying over the vase": what the feeling is about.

    What it is *for* ("злюсь на Вадима за обещание") goes before the one it is turned to.
    """
    feeling = reading.drafts[number].feeling
    if feeling is None or clause.mark(Mark.NO_LONGER) is not None:
        return None
    found: list[tuple[bool, int, Cue]] = []
    for child in dict.fromkeys((*tree.children(feeling.token, "obl", "nmod", "obj"), *tree.children(clause.head, "obl"))):
        case = tree.case(child)
        token = tree[child]
        if token.pos not in {"NOUN", "PROPN"} or child not in clause.own or child <= feeling.token or is_time(tree, child):
            continue
        first = case.split()[0] if case else ""
        if feeling.idiom:
            fits = first in _SIGN_CASES and not feeling.stated
        else:
            bare = not case and relation(token) in {"obj", "obl"} and clause.language == "ru"
            place = first in {"за", "с", "со", "на"} and token.features.get("Case") in {"Ins", "Loc", "Gen"}
            fits = (first in _FEELING_CASES and not place) or (
                bare and token.features.get("Case") in {"Gen", "Ins", "Acc", "Dat"}
            )
        if fits:
            preposition = tree.child(child, "case")
            word = tree[preposition] if preposition is not None else tree[feeling.token]
            found.append((first not in {"за", "for", "из-за"}, child, Cue(word.start, word.end)))
    best = min(found, default=None, key=lambda each: each[:2])
    return None if best is None else best[1:]


def _of_state(clause: Clause, tree: SentenceTree) -> tuple[int, Cue] | None:
    """As in "устала от переездов", "my shoulder's wrecked from carrying the bass": a state and what it comes from."""
    for index in clause.own:
        token = tree[index]
        if token.lemma not in STATES_FROM and token.text.lower() not in STATES_FROM:
            continue
        for child in tree.children(index, "obl", "nmod", "advcl", "acl", "ccomp", "xcomp"):
            word = tree[child]
            marks = tree.children(child, "case", "mark")
            mark = next((c for c in marks if tree.lowered(c) in {"from", "от", "с", "со"}), None)
            if mark is None or child not in clause.own or word.pos == "PROPN" or is_time(tree, child):
                continue
            if tree[mark].text.lower() in {"с", "со"} and word.features.get("Case") != "Gen":
                continue
            if word.pos in {"NOUN", "VERB"}:
                return child, Cue(tree[mark].start, tree[mark].end)
    return None


def _gerund(reading: Reading, clause: Clause, tree: SentenceTree, number: int) -> tuple[int, Cue] | None:
    """As in "proud of her for winning the cup", "guilty about leaving": a feeling and a gerund."""
    feeling = reading.drafts[number].feeling
    if feeling is None or clause.language != "en":
        return None
    holders = (feeling.token, *tree.children(feeling.token, "obl"))
    for holder in dict.fromkeys(holders):
        for child in tree.children(holder, "advcl", "acl", "ccomp", "xcomp", "obl", "nmod"):
            mark = next((c for c in tree.children(child, "mark", "case") if tree.lowered(c) in _FEELING_GERUNDS), None)
            gerund = tree[child].pos == "VERB" and tree.lowered(child).endswith("ing")
            if mark is not None and child in clause.own and gerund:
                return child, Cue(tree[mark].start, tree[mark].end)
    return None


def _brought_about(reading: Reading, clause: Clause, tree: SentenceTree, number: int) -> bool:
    """As in "The noise made me leave", "Меня бесит этот шум": the subject brings it about."""
    feeling = reading.drafts[number].feeling
    if feeling is not None and feeling.of_other:
        return False
    undergone = feeling is not None and feeling.undergone
    head = feeling.token if feeling is not None and undergone else clause.head
    told = feeling is None or not feeling.stated or not feeling.idiom
    made = told and tree[head].lemma in BRINGS_ABOUT and _acts_on_speaker(tree, head)
    if not undergone and not made:
        return False
    subject = clause.subject.token if not clause.subject.inherited else None
    if subject is None and undergone:  # "Меня бесит этот шум": the parser took what follows for an object
        subject = next((c for c in tree.children(head, "nsubj", "obj") if tree[c].pos in {"NOUN", "PROPN"}), None)
    if subject is None or tree[subject].pos not in {"NOUN", "PROPN"} or subject not in clause.own:
        return False
    verb = tree[head]
    return attach(reading, clause, number, subject, Cue(verb.start, verb.end), "caused_by.subject/1")


def _acts_on_speaker(tree: SentenceTree, verb: int) -> bool:
    mine = {"i", "me", "we", "us", "я", "мы", "мне", "меня", "нас", "нам"}
    below = [*tree.children(verb, "obj", "iobj", "obl", "nsubj")]
    for child in tree.children(verb, "ccomp", "xcomp"):
        below.extend(tree.children(child, "nsubj", "obj"))
    return any(tree[child].text.lower() in mine and (tree[child].text.lower() != "i") for child in below)


def phrase_before(reading: Reading, clause: Clause, number: int) -> None:
    """As in "После ссоры …", "after the breakup …": the noun phrase is an event that came before; of a feeling, its cause."""
    tree = reading.trees[clause.sentence]
    if not tree.sentence.has_tree or (clause.tense is not Tense.PAST and clause.tense is not Tense.PRESENT):
        return
    felt = reading.drafts[number].feeling is not None
    for noun in tree.children(clause.head, "obl"):
        token = tree[noun]
        if tree.case(noun) not in {"after", "после"} or noun not in clause.own or token.pos != "NOUN" or is_time(tree, noun):
            continue
        if token.lemma in _ROUTINE or token.features.get("Number") == "Plur" or (clause.tense is not Tense.PAST and not felt):
            continue  # "после разговоров с ним я без сил": again and again, no single event
        case = tree.child(noun, "case")
        if case is None or any(tree[child].lemma in {"each", "every", "каждый"} for child in tree.children(noun, "det")):
            continue
        if not names_happening(token.lemma):
            return
        cue = Cue(tree[case].start, tree[case].end)
        place = phrase_candidate(reading, clause, number, noun, cue)
        if place is None:
            return
        p = reading.params
        reading.relate(number, place, EdgeType.FOLLOWED_BY, p.confidence_relation, cue.start, cue.end, "followed_by.phrase/1")
        if felt:
            reading.relate(number, place, EdgeType.CAUSED_BY, p.confidence_adjacent, cue.start, cue.end, "caused_by.after/1")
        return


def phrase_candidate(reading: Reading, clause: Clause, number: int, head: int, cue: Cue) -> int | None:
    """A candidate for the phrase itself, without its preposition: an event where it names one, else a fact."""
    tree = reading.trees[clause.sentence]
    inside = set(clause.own)
    own = [i for i in _run(tree, head, inside) if not is_mark(tree[i]) or tree[i].text in {"-", "/"}]
    before = cue.end if cue.end <= tree[head].start else 0
    while own and (relation(tree[own[0]]) in {"case", "advmod", "mark", "cc"} or tree[own[0]].end <= before) and own[0] != head:
        own.pop(0)
    if not own or head not in own or len(own) > _LONGEST:
        return None
    if all(tree[i].pos in {"PRON", "DET"} for i in own):
        return None
    own = with_closing_mark(tree, own)
    start, end = tree[own[0]].start, tree[own[-1]].end
    parent = reading.drafts[number].candidate
    if (start, end) == (parent.start, parent.end):
        return None
    known = next((n for n, d in enumerate(reading.drafts) if (d.candidate.start, d.candidate.end) == (start, end)), None)
    if known is not None:
        return known
    lemmas = [tree[i].lemma for i in own if not is_mark(tree[i])]
    dates = find_dates(reading.text[start:end], anchor=reading.message.time, language=clause.language, direction=Direction.NONE)
    date = dates[0] if dates else None
    ahead = date is not None and date.begin >= midnight(reading.message) and any(lemma in EVENT_NOUNS for lemma in lemmas)
    happens = names_happening(tree[head].lemma) or tree[head].pos == "VERB"
    p = reading.params
    once = tree[head].features.get("Number") != "Plur"
    weighs = once and is_significant(lemmas) and parent.about == reading.self_about
    mine = parent.about == reading.self_about or any(tree[i].lemma in FIRST_PERSON for i in own)
    unreal = tuple(m for m in parent.modality if m not in _OF_THE_EFFECT)
    modality = unreal or (Modality.PLANNED if ahead else Modality.ASSERTED,)
    reading.drafts.append(
        Draft(
            Candidate(
                type=NodeType.EVENT if happens else NodeType.FACT, content=reading.text[start:end], start=start, end=end,
                rule="event.phrase/1" if happens else "fact.phrase/1", confidence=min(parent.confidence, p.confidence_implied),
                importance=p.importance_significant if weighs else p.importance_minor,
                topic=topic_of(lemmas), holder=parent.holder, about=reading.self_about if mine else parent.about, modality=modality,
                about_name=(reading.message.speaker if reading.message.role is Role.OTHER else None) if mine else parent.about_name,
                valid_from=None if date is None else date.begin.isoformat(),
                precision=Precision.DAY if date is None else date.precision,
                due=date.begin.isoformat() if ahead and date is not None else None,
            ),
            None,
        )
    )  # fmt: skip
    return len(reading.drafts) - 1


def _run(tree: SentenceTree, head: int, inside: set[int]) -> Iterator[int]:
    """The phrase's tokens that stand together with its head."""
    own = [i for i in tree.subtree(head) if i in inside]
    place = own.index(head) if head in own else 0
    left = right = place
    while left > 0 and own[left] - own[left - 1] == 1:
        left -= 1
    while right < len(own) - 1 and own[right + 1] - own[right] == 1:
        right += 1
    yield from own[left : right + 1]


def _inside_phrase(tree: SentenceTree, index: int, after: int) -> bool:
    """Whether that noun hangs on another noun of the same phrase (its owner or compound)."""
    head = tree[index].head
    return (
        head >= 0
        and tree[head].start >= after
        and tree[head].pos in {"NOUN", "PROPN"}
        and relation(tree[index]) in {"compound", "nmod", "flat"}
        and head > index
    )
