"""Causes that a message states, from effect to cause: by joining words, phrases, outcomes, answers, feelings beside events."""

# ruff: noqa: C901 - rules of language are lists of cases
from __future__ import annotations

from memory_lib.domain.candidates import EdgeType, Modality, NodeType, Valence
from memory_lib.domain.clause import Clause, Cue, LinkKind, Tense, Who
from memory_lib.domain.ids import MessageId
from memory_lib.domain.message import Role
from memory_lib.reasoning.extraction.cause_phrases import phrase_before, phrase_cause
from memory_lib.reasoning.extraction.cause_words import OBLIGED, WHY, says_nothing
from memory_lib.reasoning.extraction.node_rules import announces, read_clause
from memory_lib.reasoning.extraction.reading import UNREAL, Reading, same_speaker
from memory_lib.reasoning.feelings.feeling import Feeling
from memory_lib.reasoning.judging.turn_causes import SpokenTurn, turn_causes
from memory_lib.reasoning.judging.turn_valence import valence_by_words
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree
from memory_lib.reasoning.words.content_words import content_words

_SELF_EXPLAINING = 4
"""Content words from which a feeling's cause lies in its own turn (OFFLINE study, within the turn)."""
_CAUSAL = frozenset({LinkKind.BECAUSE, LinkKind.THEREFORE, LinkKind.FEELING})


def relate_causes(reading: Reading) -> None:
    """Adds ``caused_by`` edges: by a joining word, a phrase, an answer to "why?", or left to what a feeling stands beside."""
    explained: set[int] = set()
    for clause in reading.clauses:
        _joined(reading, clause, explained)
    for clause_index, number in list(reading.by_clause.items()):
        clause = reading.clauses[clause_index]
        if phrase_cause(reading, clause, number):
            explained.add(number)
        elif (clause.link is None or clause.link.kind is not LinkKind.AFTER) and reading.drafts[
            number
        ].candidate.type is not NodeType.OPEN_LOOP:
            phrase_before(reading, clause, number)
    for clause in reading.clauses:
        _outcome(reading, clause, explained)
    _answered_why(reading, explained)
    for clause_index, number in list(reading.by_clause.items()):
        draft = reading.drafts[number]
        if draft.feeling is not None and number not in explained:
            _beside_feeling(reading, reading.clauses[clause_index], number, draft.feeling)


def _joined(reading: Reading, clause: Clause, explained: set[int]) -> None:
    link = clause.link
    if link is None:
        return
    here = reading.by_clause.get(clause.index)
    there: int | MessageId | None = reading.by_clause.get(link.parent)
    if there is None and link.kind in _CAUSAL:
        there = _said_before(reading, link.parent)
    if link.kind is LinkKind.THEREFORE and _is_empty(reading, clause) and there is not None:
        here, told = None, _last_told(reading, link.parent)  # "Хор распустили. Спонсор обанкротился, отсюда и всё"
        if told is not None and told != there:
            _relate(reading, told, there, link.cue, "caused_by.therefore/1")
    if here is None or there is None:
        return
    effect: int | MessageId
    cause: int | MessageId
    if link.kind in {LinkKind.BECAUSE, LinkKind.FEELING} or (
        link.kind is LinkKind.COLON and announces(reading, reading.clauses[link.parent])
    ):
        effect, cause = there, here
    elif link.kind is LinkKind.THEREFORE:
        effect, cause = here, there
    elif link.kind is LinkKind.WHEN and isinstance(there, int) and reading.drafts[there].feeling is not None:
        effect, cause = there, here
    else:
        return
    if isinstance(cause, int) and Modality.CONDITIONAL in reading.drafts[cause].candidate.modality:
        return
    _relate(reading, effect, cause, link.cue, f"caused_by.{link.kind.value}/1")
    if isinstance(effect, int):
        explained.add(effect)


def _relate(
    reading: Reading, effect: int | MessageId, cause: int | MessageId, cue: Cue, rule: str, *, confidence: float | None = None
) -> None:
    p = reading.params
    sure = p.confidence_relation if confidence is None else confidence
    if not (isinstance(effect, int) and isinstance(cause, int)):
        sure = min(sure, p.confidence_previous_turn)  # which statement of an earlier message is meant is a guess
    reading.relate(effect, cause, EdgeType.CAUSED_BY, sure, cue.start, cue.end, rule)


def _said_before(reading: Reading, parent: int) -> int | MessageId | None:
    """As in "It's because …", "А всё потому, что …": the parent says nothing itself; what was told before it is meant."""
    if parent >= len(reading.clauses) or not _is_empty(reading, reading.clauses[parent]):
        return None
    return _last_told(reading, parent)


def _last_told(reading: Reading, before: int) -> int | MessageId | None:
    """The last statement kept before that clause, or the speaker's message before."""
    for earlier in reversed(reading.clauses[:before]):
        place = reading.by_clause.get(earlier.index)
        if place is not None:
            return place
    last = next((earlier for earlier in reversed(reading.clauses[:before]) if not _is_empty(reading, earlier)), None)
    if last is not None:
        if not (last.has(Modality.ASKED) or last.has(Modality.ORDERED) or last.subject.who is Who.ADDRESSEE):
            read_clause(reading, last, linked=True)
        return reading.by_clause.get(last.index)
    return next((m.id for m in reversed(reading.unit.before[-2:]) if same_speaker(m, reading.message)), None)


def _is_empty(reading: Reading, clause: Clause) -> bool:
    return says_nothing(reading.trees[clause.sentence], clause.own)


def _outcome(reading: Reading, clause: Clause, explained: set[int]) -> None:
    """As in "Рейс отменили, пришлось ночевать", "The boiler died and we had to shower at the gym": having to is the outcome."""
    here = reading.by_clause.get(clause.index)
    if here is None or here in explained or clause.index == 0 or clause.tense is not Tense.PAST:
        return
    link = clause.link
    if link is not None and link.kind is not LinkKind.AND:
        return
    tree = reading.trees[clause.sentence]
    before = reading.clauses[clause.index - 1]
    if before.sentence != clause.sentence:
        return
    head = tree[clause.head]
    must = head.lemma in OBLIGED or (
        head.lemma == "have"
        and any(tree.lowered(i) == "to" for c in tree.children(clause.head, "xcomp") for i in tree.children(c))
    )
    if not must:
        return
    there = reading.by_clause.get(before.index)
    if there is None and before.tense is not Tense.FUTURE and not before.has(Modality.ASKED):
        read_clause(reading, before, linked=True)
        there = reading.by_clause.get(before.index)
    if there is not None:
        cue = Cue(head.start, head.end)
        _relate(reading, here, there, cue, "caused_by.outcome/1", confidence=reading.params.confidence_judged)
        explained.add(here)


def _answered_why(reading: Reading, explained: set[int]) -> None:
    """Asked for the reason of what was said before, the speaker tells it: the effect is in that message, the cause in this."""
    before = reading.unit.before
    if not before or same_speaker(before[-1], reading.message) or before[-1].role is Role.USER:
        return
    asked = fold(before[-1].text).strip()
    if not asked.endswith("?"):
        return
    question = asked.rstrip("?").replace("!", ".").split(".")[-1]
    if WHY.search(question) is None and WHY.search(asked[-160:]) is None:
        return
    effect = next((m.id for m in reversed(before[:-1]) if same_speaker(m, reading.message)), None)
    if effect is None:
        return
    first = next((clause for clause in reading.clauses if not _is_empty(reading, clause)), None)
    if first is None or first.has(Modality.ASKED):
        return
    if first.index not in reading.by_clause and first.subject.who is not Who.ADDRESSEE:
        read_clause(reading, first, linked=True)
    for clause in reading.clauses[first.index : first.index + 2]:
        number = reading.by_clause.get(clause.index)
        if number is None or Modality.CONDITIONAL in reading.drafts[number].candidate.modality:
            continue
        inside = (r.target for r in reading.relations if r.source == number and r.type is EdgeType.CAUSED_BY)
        cause = next(inside, number) if number in explained else number
        told = cause if isinstance(cause, int) else number
        candidate = reading.drafts[told].candidate
        cue = Cue(candidate.start, candidate.end)
        _relate(reading, effect, told, cue, "caused_by.answer/1", confidence=candidate.confidence)
        return


def _beside_feeling(reading: Reading, clause: Clause, number: int, feeling: Feeling) -> None:
    """Nothing said why: the event told beside it, in this message or in the turn before, at most 0.6 sure."""
    tree = reading.trees[clause.sentence]
    cue = Cue(tree[feeling.token].start, tree[feeling.token].end)
    p = reading.params
    _keep_beside(reading, clause)
    for earlier in reversed(reading.clauses[: clause.index]):
        place = reading.by_clause.get(earlier.index)
        if clause.sentence - earlier.sentence > 1:
            break
        link = clause.link
        if link is not None and link.kind is LinkKind.AND and link.parent == earlier.index and not _turned_out(clause, tree):
            continue  # "Шла по набережной и улыбалась": at the same time
        if place is None:
            continue
        if _can_cause(reading, place):
            _relate(reading, number, place, cue, "caused_by.adjacent/1", confidence=p.confidence_adjacent)
            return
        break
    for later in reading.clauses[clause.index + 1 : clause.index + 2]:
        place = reading.by_clause.get(later.index)
        bare = later.link is None or later.link.kind is LinkKind.COLON
        if place is not None and bare and later.sentence - clause.sentence <= 1 and _can_cause(reading, place):
            _relate(reading, number, place, cue, "caused_by.adjacent/1", confidence=p.confidence_adjacent)
            return
    if clause.index > 2 or len(content_words(reading.lemmas(clause))) >= _SELF_EXPLAINING:
        return
    told = [message for message in reading.unit.before if message.role in {Role.USER, Role.OTHER}]
    colour = {Valence.POSITIVE: 1.0, Valence.NEGATIVE: -1.0}.get(feeling.valence, 0.0)
    turn = SpokenTurn(text=reading.text, colour=colour)
    before = [SpokenTurn(text=message.text, colour=_colour(message.text)) for message in told]
    for cause in turn_causes(turn, before, opens=False):
        if cause.sure:
            confidence = min(p.confidence_previous_turn, cause.confidence)
            _relate(reading, number, told[cause.place].id, cue, cause.rule, confidence=confidence)


def _colour(text: str) -> float:
    """Between -1 and 1, by coloured words."""
    scores = valence_by_words(text).scores
    return scores[Valence.POSITIVE] - scores[Valence.NEGATIVE]


def _keep_beside(reading: Reading, clause: Clause) -> None:
    """As in "I'm over the moon, the egg hatched": what happened, told in one breath with the feeling, is worth keeping too."""
    for other in reading.clauses[max(0, clause.index - 1) : clause.index + 2]:
        plain = other.link is None or other.link.kind in {LinkKind.COLON, LinkKind.AND}
        if (
            other.index != clause.index
            and other.sentence == clause.sentence
            and other.index not in reading.by_clause
            and other.tense is Tense.PAST
            and other.subject.who is not Who.ADDRESSEE
            and (plain or other.index < clause.index)
            and not any(other.has(m) for m in (*UNREAL, Modality.ASKED, Modality.ORDERED))
        ):
            read_clause(reading, other, linked=True)


def _can_cause(reading: Reading, place: int) -> bool:
    candidate = reading.drafts[place].candidate
    return candidate.type is NodeType.EVENT and not set(candidate.modality) & set(UNREAL)


def _turned_out(clause: Clause, tree: SentenceTree) -> bool:
    """As in "Меня повысили, и я на седьмом небе": another subject than the clause before, so no mere company."""
    return clause.subject.token is not None and not clause.subject.inherited and tree[clause.subject.token].pos == "PRON"
