"""Who is this: the person a name or a relation means, among those of the same audience.

``resolve`` turns what a candidate says of its subject (``about``, ``holder``) into ``self``, ``others`` or a person's node;
``known_person`` finds the node that a person candidate means.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.candidates import OTHERS, SELF, Candidate, NodeType
from memory_lib.domain.ids import NodeId
from memory_lib.domain.message import Role
from memory_lib.policies.formation.draft import Draft
from memory_lib.policies.matching import name_key
from memory_lib.policies.person_names import SINGULAR_TIES, PersonNames, lookup_keys, may_be_one, person_names


def resolve(draft: Draft, who: str, candidate: Candidate) -> tuple[str, str | None]:
    """``self``, ``others`` or a person's node id, and the name where there is one."""
    if not who.startswith("person:"):
        return who, None
    name = who.removeprefix("person:")
    meant = draft.meant.get(who) or _last_spoken_of(draft, draft.graph.persons_called(name_key(name), draft.unit.audience))
    if meant is not None:
        return meant, draft.base(meant).attributes.get("name", name)
    if name == draft.unit.speaker and draft.unit.message.role is Role.OTHER:
        return _speaker(draft, name, candidate), name
    return OTHERS, name


def known_person(draft: Draft, candidate: Candidate) -> tuple[NodeId | None, str]:
    """The person meant, and the reason; (None, "") where it is somebody new."""
    who = person_names(candidate.attributes, candidate.content)
    near: dict[NodeId, PersonNames] = {}
    for key in lookup_keys(candidate.attributes, candidate.content):
        for node in draft.graph.persons_called(key, draft.unit.audience):
            base = draft.base(node)
            near[node] = person_names(base.attributes, base.content)
    fitting = {node: names for node, names in near.items() if may_be_one(who, names)}
    if not fitting:
        return None, ""
    if who.names:
        exact = [node for node, names in fitting.items() if set(names.names) & set(who.names)]
        named = exact or [node for node, names in fitting.items() if names.names] or list(fitting)
        tied = [node for node in named if who.tie and fitting[node].tie == who.tie]
        return _last_spoken_of(draft, tied or named), "same_person" if exact else "same_person_other_name"
    nameless = [node for node, names in fitting.items() if not names.names]
    if not nameless and len(fitting) > 1 and who.tie not in SINGULAR_TIES:
        return None, ""  # "my sister", of whom there are two
    return _last_spoken_of(draft, nameless or list(fitting)), "same_tie"


def _last_spoken_of(draft: Draft, nodes: Sequence[NodeId]) -> NodeId | None:
    """Of several, the one mentioned last; the same whatever the order they are given in."""

    def mentioned(node: NodeId) -> tuple[tuple[int, str, int, int], NodeId]:
        return draft.graph.known[node].last_said, node

    return max(nodes, key=mentioned, default=None)


def _speaker(draft: Draft, name: str, candidate: Candidate) -> NodeId:
    """A partner in the chat becomes a person by the first words that say something of them."""
    person = Candidate(
        type=NodeType.PERSON,
        content=name,
        start=candidate.start,
        end=candidate.end,
        rule="person.speaker/1",
        confidence=1.0,
        attributes={"name": name},
        about=SELF,
    )
    created = draft.create(person, None, about=SELF, about_name=name, holder=SELF)
    # None: the same words made this person before
    return draft.id_of(person) if created is None else created
