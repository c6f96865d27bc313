"""Relations that the words of a message state: causes, order, repetition, contradiction, who is named where."""

# ruff: noqa: C901, PLR0912 - rules of language are lists of cases
from __future__ import annotations

import re

from memory_lib.domain.candidates import Candidate, EdgeType, Modality, NodeType, Precision, Slot
from memory_lib.domain.clause import Clause, Cue, LinkKind, Mark, Tense
from memory_lib.domain.ids import MessageId
from memory_lib.domain.message import Role
from memory_lib.reasoning.clauses import with_closing_mark
from memory_lib.reasoning.dates import Direction, find_dates
from memory_lib.reasoning.event_words import names_happening
from memory_lib.reasoning.feelings import Feeling
from memory_lib.reasoning.folding import fold
from memory_lib.reasoning.modality import FORMERLY
from memory_lib.reasoning.node_rules import announces
from memory_lib.reasoning.reading import EVENT_NOUNS, UNREAL, Draft, Reading, content_words, is_time, midnight, same_speaker
from memory_lib.reasoning.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.significance_words import is_significant
from memory_lib.reasoning.topic_words import topic_of

# "After work", "после обеда" only tell the time of the day.
_ROUTINE = frozenset("работа обед ужин завтрак школа work lunch dinner breakfast school class".split())
_CAUSE_PHRASE = re.compile(r"\b(?:because of|due to|thanks to|owing to|из-за|благодаря|по причине|в связи с)\s+")
_FEELING_CASES = frozenset(
    {"about", "of", "over", "by", "with", "for", "at", "за", "о", "об", "от", "перед", "из-за", "по", "насчет", "насчёт", "на"}
)
_SELF_EXPLAINING = 4
"""Content words from which a feeling's cause lies in its own turn (OFFLINE study, within the turn)."""


def relate_persons(reading: Reading) -> None:
    """Person ↔ each clause that names the person, carried by the person's words in it."""
    for mention in reading.mentions:
        person = reading.person_index(reading.key(mention))
        if person is None:
            continue
        for clause_index, number in list(reading.by_clause.items()):
            clause = reading.clauses[clause_index]
            inside = clause.sentence == mention.sentence and mention.token in clause.own
            if inside and number < len(reading.drafts):
                reading.relate(
                    number,
                    person,
                    EdgeType.ASSOCIATED_WITH,
                    reading.params.confidence_relation,
                    mention.start,
                    mention.end,
                    "associated_with.named/1",
                )
        for number, draft in enumerate(reading.drafts):
            candidate = draft.candidate
            told = draft.clause is None and draft.mention is None and (candidate.pinned or candidate.rule == "fact.answer/1")
            if told and candidate.start <= mention.start and mention.end <= candidate.end:
                reading.relate(
                    number,
                    person,
                    EdgeType.ASSOCIATED_WITH,
                    reading.params.confidence_relation,
                    mention.start,
                    mention.end,
                    "associated_with.named/1",
                )


def relate_causes(reading: Reading) -> None:
    """Adds ``caused_by`` edges: stated by a joining word, by a phrase, or left to the turn before a feeling."""
    explained: set[int] = set()
    for clause in reading.clauses:
        link = clause.link
        if link is None:
            continue
        here, there = reading.by_clause.get(clause.index), reading.by_clause.get(link.parent)
        if here is None or there is None:
            continue
        if link.kind in {LinkKind.BECAUSE, LinkKind.FEELING} or (
            link.kind is LinkKind.COLON and announces(reading, reading.clauses[link.parent])
        ):
            effect, cause = there, here
        elif link.kind is LinkKind.THEREFORE:
            effect, cause = here, there
        elif link.kind is LinkKind.WHEN and reading.drafts[there].feeling is not None:
            effect, cause = there, here
        else:
            continue
        if Modality.CONDITIONAL in reading.drafts[cause].candidate.modality:
            continue
        reading.relate(
            effect,
            cause,
            EdgeType.CAUSED_BY,
            reading.params.confidence_relation,
            link.cue.start,
            link.cue.end,
            f"caused_by.{link.kind.value}/1",
        )
        explained.add(effect)
    for clause_index, number in list(reading.by_clause.items()):
        clause = reading.clauses[clause_index]
        if _phrase_cause(reading, clause, number):
            explained.add(number)
        elif (clause.link is None or clause.link.kind is not LinkKind.AFTER) and reading.drafts[
            number
        ].candidate.type is not NodeType.OPEN_LOOP:
            _phrase_before(reading, clause, number)
    for clause_index, number in list(reading.by_clause.items()):
        draft = reading.drafts[number]
        if draft.feeling is None or number in explained:
            continue
        if not _subject_cause(reading, reading.clauses[clause_index], number):
            _implied_cause(reading, reading.clauses[clause_index], number, draft.feeling)


def _subject_cause(reading: Reading, clause: Clause, number: int) -> bool:
    """As in "Marcus stresses me out": who or what does it is the cause; a named person becomes its node."""
    feeling = reading.drafts[number].feeling
    token = clause.subject.token
    if feeling is None or not feeling.undergone or token is None or clause.subject.inherited:
        return False
    tree = reading.trees[clause.sentence]
    for mention in reading.mentions:
        if mention.sentence == clause.sentence and token in mention.tokens:
            person = reading.person_index(reading.key(mention))
            if person is not None:
                reading.relate(
                    number,
                    person,
                    EdgeType.CAUSED_BY,
                    reading.params.confidence_relation,
                    mention.start,
                    mention.end,
                    "caused_by.subject/1",
                )
            return True
    return tree[token].pos in {"NOUN", "PROPN"}


def _phrase_cause(reading: Reading, clause: Clause, number: int) -> bool:
    """As in "из-за развода", "because of the rain", "worried about the exam": the noun phrase is the cause."""
    tree = reading.trees[clause.sentence]
    if not tree.sentence.has_tree:
        return False
    feeling = reading.drafts[number].feeling
    found: tuple[int, Cue] | None = None
    match = _CAUSE_PHRASE.search(fold(reading.words(clause)))
    if match is not None:
        after = clause.start + match.end()
        noun = next(
            (
                i
                for i in clause.own
                if tree[i].start >= after and tree[i].pos in {"NOUN", "PROPN", "PRON"} and not _inside_phrase(tree, i, after)
            ),
            None,
        )
        if noun is not None:
            found = (noun, Cue(clause.start + match.start(), clause.start + match.end() - 1))
    elif feeling is not None and not feeling.idiom:
        for child in (*tree.children(feeling.token, "obl", "nmod", "obj"), *tree.children(clause.head, "obl")):
            case = tree.case(child)
            token = tree[child]
            if token.pos not in {"NOUN", "PROPN"} or child not in clause.own or child <= feeling.token:
                continue
            first = case.split()[0] if case else ""
            if first in _FEELING_CASES or (
                not case
                and relation(token) in {"obj", "obl"}
                and clause.language == "ru"
                and token.features.get("Case") in {"Gen", "Ins", "Acc"}
            ):
                preposition = tree.child(child, "case")
                word = tree[preposition] if preposition is not None else tree[feeling.token]
                found = (child, Cue(word.start, word.end))
                break
    if found is None:
        return False
    noun, cue = found
    if tree[noun].pos == "PRON" or is_time(tree, noun):
        return False
    for mention in reading.mentions:
        if mention.sentence == clause.sentence and noun in mention.tokens:
            person = reading.person_index(reading.key(mention))
            if person is not None:
                reading.relate(
                    number,
                    person,
                    EdgeType.CAUSED_BY,
                    reading.params.confidence_relation,
                    cue.start,
                    cue.end,
                    "caused_by.phrase/1",
                )
                return True
    place = _phrase_event(reading, clause, number, noun, cue)
    if place is None:
        return True  # the cause is told inside the clause; nothing before it need be one
    reading.relate(
        number, place, EdgeType.CAUSED_BY, reading.params.confidence_relation, cue.start, cue.end, "caused_by.phrase/1"
    )
    return True


def _phrase_before(reading: Reading, clause: Clause, number: int) -> None:
    """As in "После ссоры …", "after the breakup …": the noun phrase is an event that came before."""
    tree = reading.trees[clause.sentence]
    if not tree.sentence.has_tree or (clause.tense is not Tense.PAST and clause.tense is not Tense.PRESENT):
        return
    for noun in tree.children(clause.head, "obl"):
        token = tree[noun]
        if tree.case(noun) not in {"after", "после"} or noun not in clause.own or token.pos != "NOUN" or is_time(tree, noun):
            continue
        if token.lemma in _ROUTINE or token.features.get("Number") == "Plur" or clause.tense is not Tense.PAST:
            continue  # "после разговоров с ним я без сил": again and again, no single event
        case = tree.child(noun, "case")
        if case is None or any(tree[child].lemma in {"each", "every", "каждый"} for child in tree.children(noun, "det")):
            continue
        cue = Cue(tree[case].start, tree[case].end)
        place = _phrase_event(reading, clause, number, noun, cue)
        if place is not None:
            reading.relate(
                number,
                place,
                EdgeType.FOLLOWED_BY,
                reading.params.confidence_relation,
                cue.start,
                cue.end,
                "followed_by.phrase/1",
            )
        return


def _phrase_event(reading: Reading, clause: Clause, number: int, noun: int, cue: Cue) -> int | None:
    """A candidate for the noun phrase itself, without its preposition."""
    tree = reading.trees[clause.sentence]
    if not names_happening(tree[noun].lemma):
        return None
    inside = set(clause.own)
    own = [i for i in tree.subtree(noun) if i in inside and not is_mark(tree[i])]
    while own and (relation(tree[own[0]]) in {"case", "advmod", "mark", "cc"} or tree[own[0]].end <= cue.end):
        own.pop(0)
    if not own or noun not in own:
        return None
    own = with_closing_mark(tree, own)
    start, end = tree[own[0]].start, tree[own[-1]].end
    lemmas = [tree[i].lemma for i in own if not is_mark(tree[i])]
    dates = find_dates(reading.text[start:end], anchor=reading.message.time, language=clause.language, direction=Direction.NONE)
    date = dates[0] if dates else None
    ahead = date is not None and date.begin >= midnight(reading.message) and any(lemma in EVENT_NOUNS for lemma in lemmas)
    parent = reading.drafts[number].candidate
    reading.drafts.append(
        Draft(
            Candidate(
                type=NodeType.EVENT, content=reading.text[start:end], start=start, end=end, rule="event.phrase/1",
                confidence=min(parent.confidence, reading.params.confidence_implied),
                importance=reading.params.importance_significant if is_significant(lemmas) else reading.params.importance_minor,
                topic=topic_of(lemmas), holder=reading.holder, about=reading.self_about,
                modality=(Modality.PLANNED if ahead else Modality.ASSERTED,),
                about_name=reading.message.speaker if reading.message.role is Role.OTHER else None,
                valid_from=None if date is None else date.begin.isoformat(),
                precision=Precision.DAY if date is None else date.precision,
                due=date.begin.isoformat() if ahead and date is not None else None,
            ),
            None,
        )
    )  # fmt: skip
    return len(reading.drafts) - 1


def _implied_cause(reading: Reading, clause: Clause, number: int, feeling: Feeling) -> None:
    """Nothing said why: the event told just before, in this message or in the turn before, at most 0.6 sure."""
    tree = reading.trees[clause.sentence]
    cue = tree[feeling.token]
    for earlier in reversed(reading.clauses[: clause.index]):
        place = reading.by_clause.get(earlier.index)
        if clause.sentence - earlier.sentence > 1:
            break
        link = clause.link
        if link is not None and link.kind is LinkKind.AND and link.parent == earlier.index:
            continue  # "Шла по набережной и улыбалась": at the same time
        if place is None:
            continue
        candidate = reading.drafts[place].candidate
        if candidate.type is NodeType.EVENT and not set(candidate.modality) & set(UNREAL):
            reading.relate(
                number,
                place,
                EdgeType.CAUSED_BY,
                reading.params.confidence_adjacent,
                cue.start,
                cue.end,
                "caused_by.adjacent/1",
            )
            return
        break
    if clause.index > 2 or len(content_words(reading.lemmas(clause))) >= _SELF_EXPLAINING:
        return
    for message in reversed(reading.unit.before[-2:]):
        if message.role not in {Role.USER, Role.OTHER}:
            continue
        said = message.text.strip()
        if len(said) > reading.params.previous_turn_characters and not said.endswith("?"):
            reading.relate(
                number,
                message.id,
                EdgeType.CAUSED_BY,
                min(reading.params.confidence_previous_turn, 0.6),
                cue.start,
                cue.end,
                "caused_by.previous_turn/1",
            )
        return


def relate_order(reading: Reading) -> None:
    """Adds ``followed_by`` edges, later to earlier, where a word says so."""
    for clause in reading.clauses:
        here = reading.by_clause.get(clause.index)
        link = clause.link
        if here is None:
            continue
        if link is not None and link.kind in {LinkKind.AFTER, LinkKind.BEFORE}:
            there = reading.by_clause.get(link.parent)
            if there is not None:
                later, earlier = (there, here) if link.kind is LinkKind.AFTER else (here, there)
                reading.relate(
                    later,
                    earlier,
                    EdgeType.FOLLOWED_BY,
                    reading.params.confidence_relation,
                    link.cue.start,
                    link.cue.end,
                    f"followed_by.{link.kind.value}/1",
                )
            continue
        cue = clause.mark(Mark.THEN)
        if cue is None or reading.drafts[here].candidate.type is not NodeType.EVENT:
            continue
        target: int | MessageId | None = next(
            (
                place
                for earlier_clause in reversed(reading.clauses[: clause.index])
                if (place := reading.by_clause.get(earlier_clause.index)) is not None
                and reading.drafts[place].candidate.type is NodeType.EVENT
            ),
            None,
        )
        if target is None:
            target = next((m.id for m in reversed(reading.unit.before) if same_speaker(m, reading.message)), None)
        if target is not None:
            reading.relate(
                here,
                target,
                EdgeType.FOLLOWED_BY,
                reading.params.confidence_relation,
                cue.start,
                cue.end,
                "followed_by.then/1",
            )


def relate_repeats(reading: Reading) -> None:
    """As in "снова", "больше не", "actually" over an earlier statement of the session with the same content words."""
    for clause_index, number in list(reading.by_clause.items()):
        clause = reading.clauses[clause_index]
        candidate = reading.drafts[number].candidate
        again = clause.mark(Mark.AGAIN)
        denies = clause.mark(Mark.NO_LONGER) or clause.mark(Mark.ACTUALLY)
        correction = _correction_cue(reading, clause)
        within = _within_message(reading, clause, number)
        if within is not None:
            place, cue = within
            reading.relate(
                place,
                number,
                EdgeType.CONTRADICTS,
                reading.params.confidence_relation,
                cue.start,
                cue.end,
                "contradicts.contrast/1",
            )
            continue
        if again is None and denies is None and correction is None:
            continue
        words = content_words(reading.lemmas(clause))
        target = _best_earlier(reading, words)
        if again is not None and denies is None:
            if target is not None:
                reading.relate(
                    number,
                    target,
                    EdgeType.REINFORCES,
                    reading.params.confidence_judged,
                    again.start,
                    again.end,
                    "reinforces.again/1",
                )
            continue
        stated = denies or correction
        if target is None and candidate.slot is not None:
            target = _same_slot(reading, candidate.slot)
        if target is not None and stated is not None:
            reading.relate(
                number,
                target,
                EdgeType.CONTRADICTS,
                reading.params.confidence_judged,
                stated.start,
                stated.end,
                "contradicts.stated/1",
            )


def _correction_cue(reading: Reading, clause: Clause) -> Cue | None:
    """As in "Нет, …", "No, …" right before the clause."""
    sentence = reading.trees[clause.sentence].sentence
    first = next((token for token in sentence.tokens if not is_mark(token)), None)
    if (
        first is not None
        and first.text.lower() in {"нет", "no", "nope", "не"}
        and first.end <= clause.end
        and clause.start - first.start < 12
    ):
        return Cue(first.start, first.end)
    return None


def _within_message(reading: Reading, clause: Clause, number: int) -> tuple[int, Cue] | None:
    """As in "I used to …, but now …": the new statement contradicts the old one beside it."""
    folded = fold(reading.words(clause))
    if FORMERLY.search(folded):
        for later in reading.clauses[clause.index + 1 : clause.index + 2]:
            place = reading.by_clause.get(later.index)
            cue = later.mark(Mark.NOW)
            if cue is None and later.link is not None and later.link.kind is LinkKind.CONTRAST:
                cue = later.link.cue
            if place is not None and cue is not None and place != number:
                return place, cue
    return None


def _best_earlier(reading: Reading, words: frozenset[str]) -> MessageId | None:
    best, best_share = None, reading.params.overlap
    for said in reading.earlier:
        message, earlier = said.message, said.words
        shared = words & earlier
        size = min(len(words), len(earlier))
        if size and shared and len(shared) / size >= best_share and (len(shared) >= 2 or size == 1):
            best, best_share = message, len(shared) / size
    return best


def _same_slot(reading: Reading, slot: Slot) -> MessageId | None:
    if not slot.single:
        return None
    for said in reversed(reading.earlier):
        if said.slots.get(slot.key, slot.value) != slot.value:
            return said.message
    return None


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
