"""Single statements: nodes that say the same in the same words are told once, and in what sense they are told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from memory_lib.domain.candidates import Modality, NodeType, Valence
from memory_lib.reasoning.prose.composable import ComposableNode, ComposeParams
from memory_lib.reasoning.prose.prose_templates import Told
from memory_lib.reasoning.prose.quoting import is_readable


@dataclass(slots=True, eq=False)
class Statement:
    """One statement: a node, with those that say it in the same words (a feeling and an event out of one sentence)."""

    node: ComposableNode
    rank: int
    members: list[ComposableNode]
    pinned: bool = False
    told: Told = Told.SAID

    @property
    def closed(self) -> bool:
        return self.node.valid_until is not None


_OF_WORDS = (NodeType.FACT, NodeType.EVENT, NodeType.EMOTIONAL_NOTE, NodeType.OPEN_LOOP)


def statements(ranked: Sequence[ComposableNode], *, params: ComposeParams) -> list[Statement]:
    """One item a statement: equal words, or words inside another's words of the same moment, are told once."""
    items: list[Statement] = []
    groups: dict[tuple[object, ...], list[tuple[str, Statement]]] = defaultdict(list)
    for rank, node in enumerate(ranked):
        words = node.content[: 4 * params.quote_chars].strip().rstrip(".!;,").casefold()
        if not is_readable(words):
            continue
        if node.type not in _OF_WORDS or not node.own_words or node.is_inference:
            items.append(Statement(node, rank, [node]))
            continue
        group = groups[(node.created_at, node.about_name, node.valid_until)]
        for place, (other, item) in enumerate(group):
            if _says_all_of(other, words, params.quote_chars):
                item.members.append(node)
                break
            if _says_all_of(words, other, params.quote_chars):
                item.members.append(node)
                item.node = node
                group[place] = (words, item)
                break
        else:
            item = Statement(node, rank, [node])
            items.append(item)
            group.append((words, item))
    for item in items:
        item.told = _told_as(item)
        item.pinned = item.node.is_pinned or (len(item.members) > 1 and any(member.is_pinned for member in item.members))
    return items


def _says_all_of(words: str, part: str, limit: int) -> bool:
    """Equal, or ``part`` inside of ``words`` that are short enough to be quoted in full."""
    return words == part or (len(part) > 3 and len(words) <= limit and part in words)


_BY_MODALITY = (
    (Modality.FICTIONAL, Told.FICTIONAL),
    (Modality.JOKING, Told.JOKING),
    (Modality.QUOTED, Told.QUOTED),
    (Modality.REPORTED, Told.REPORTED),
    (Modality.ASKED, Told.ASKED),
    (Modality.CONDITIONAL, Told.CONDITIONAL),
    (Modality.ORDERED, Told.ORDERED),
)
_BY_VALENCE = {Valence.NEGATIVE: Told.NEGATIVE, Valence.POSITIVE: Told.POSITIVE, Valence.NEUTRAL: Told.FELT}


def _told_as(item: Statement) -> Told:
    """In what sense an item is told: the gravest reservation first. Being pinned or closed is not asked here."""
    node = item.node
    if node.is_inference or node.type is NodeType.HYPOTHESIS:
        return Told.HYPOTHESIS
    if not node.own_words:
        return Told.NOTICED
    if node.modality != (Modality.ASSERTED,):
        for modality, told in _BY_MODALITY:
            if modality in node.modality:
                return told
    return _sense(item)


def _sense(item: Statement) -> Told:
    """What a plain statement is to the person: open, a plan, a wish, a feeling, or a fact."""
    kinds = {member.type for member in item.members}
    modality = item.node.modality
    if NodeType.OPEN_LOOP in kinds:
        told = Told.OPEN
    elif Modality.PLANNED in modality:
        told = Told.UNSURE_PLAN if Modality.HEDGED in modality else Told.PLANNED
    elif Modality.WISHED in modality:
        told = Told.WISHED
    elif Modality.HEDGED in modality:
        told = Told.HEDGED
    elif NodeType.EMOTIONAL_NOTE in kinds:
        told = next(_BY_VALENCE[member.valence] for member in item.members if member.type is NodeType.EMOTIONAL_NOTE)
    else:
        told = Told.SAID
    return told


_DENYING = frozenset(
    (
        "не", "нет", "ни", "без", "никогда", "никто", "ничего", "нигде", "нельзя",
        "not", "no", "never", "none", "nobody", "nothing", "nowhere", "without", "cannot", "cant",
    )
)  # fmt: skip


def denies(content: str) -> bool:
    """Whether the words themselves carry a negation, so that saying it again would turn it round."""
    words = content[:1000].casefold().replace("’", "'")
    return "n't" in words or not _DENYING.isdisjoint(words.translate(_TO_SPACES).split())


_TO_SPACES = str.maketrans(dict.fromkeys('«»“”"()[],.!?;:—–…', " "))
