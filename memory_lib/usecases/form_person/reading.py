"""A person's units in event order, out of the ledger: which there are, which are staged, and what formation needs of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory_lib.domain.changes import WriteKey
from memory_lib.domain.ids import IdKey, MessageId, UserId
from memory_lib.domain.message import Message, MessageRef, unit_id
from memory_lib.policies.audience import audience_of
from memory_lib.policies.formation import VERSION, FormationUnit, FormerUnit
from memory_lib.policies.matching import plain_words
from memory_lib.policies.reinforcement import Said, is_repeat
from memory_lib.policies.sessions import unit_refs
from memory_lib.ports.ledger import MessageLog, People, StagedUnit, Staging
from memory_lib.ports.reasoner import Reasoner
from memory_lib.reasoning.prose.recalled_text import without_recalled
from memory_lib.usecases.form_person.results import FormParams

KIND = "ingest"


@dataclass(frozen=True, slots=True)
class Planned:
    """A unit by its id, its own message, and the key under which it is formed."""

    unit: str
    ref: MessageRef
    key: WriteKey


class UnitReader:
    """``planned``: every unit as the ledger has it now, in event order; ``staged``: ids of those that have been read."""

    def __init__(
        self,
        user: UserId,
        *,
        people: People,
        log: MessageLog,
        staging: Staging,
        reasoner: Reasoner,
        id_key: IdKey,
        params: FormParams,
    ) -> None:
        self.planned: tuple[Planned, ...] = ()
        self.staged: frozenset[str] = frozenset()
        self._user = user
        self._people = people
        self._log = log
        self._staging = staging
        self._reasoner = reasoner
        self._id_key = id_key
        self._params = params
        self._log_version = -1
        self._refs: tuple[MessageRef, ...] = ()
        self._place: dict[MessageId, int] = {}
        self._former: tuple[Planned, ...] = ()

    def replan(self) -> bool:
        """Read the plan again where the ledger has moved on; whether it has."""
        version = self._people.person(self._user).log_version
        if version == self._log_version:
            return False
        self._log_version = version
        self._refs = self._log.refs(self._user)
        self._place = {ref.id: place for place, ref in enumerate(self._refs)}
        by_conversation: dict[str, list[MessageRef]] = {}
        for ref in self._refs:
            by_conversation.setdefault(ref.conversation, []).append(ref)
        units = [refs for theirs in by_conversation.values() for refs in unit_refs(theirs, params=self._params.sessions)]
        self.planned = tuple(sorted((self._plan(refs) for refs in units), key=lambda p: p.ref.order))
        former = self._log.former(self._user)
        companies = {refs[-1].id: refs[:-1] for refs in units} if former else {}
        self._former = tuple(self._plan((*companies[ref.id], ref)) for ref in former)
        return True

    def restage(self) -> None:
        """Look again what has been read."""
        self.staged = self._staging.have(self._user, reasoner=self._reasoner.name, version=self._reasoner.version)

    @property
    def ready(self) -> tuple[Planned, ...]:
        """Units that have been read, in event order."""
        return tuple(p for p in self.planned if p.unit in self.staged)

    def _plan(self, refs: Sequence[MessageRef]) -> Planned:
        unit = unit_id(self._id_key, refs)
        code = f"{VERSION}+{self._reasoner.name}/{self._reasoner.version}"
        return Planned(unit, refs[-1], WriteKey(self._user, KIND, unit, "form", code))

    def former(self, *, fingerprint: str) -> Iterable[FormerUnit]:
        """What edited messages said before, with the candidates whose words are gone from the present text.
        ``fingerprint``: whose vectors count.
        """
        planned = [p for p in self._former if p.unit in self.staged]
        if not planned:
            return
        current = self._log.messages(self._user, {p.ref.id for p in planned})
        texts = self._log.former_texts(self._user, [p.ref for p in planned])
        staged = {
            s.extraction.unit_id: s
            for s in self._staging.units(
                self._user, [p.unit for p in planned], reasoner=self._reasoner.name, version=self._reasoner.version
            )
        }
        for p in planned:
            message = texts.get((p.ref.id, p.ref.text_version))
            if p.unit not in staged or message is None or p.ref.id not in current:
                continue
            now = f" {plain_words(without_recalled(current[p.ref.id].text))} "
            gone = frozenset(
                place
                for place, candidate in enumerate(staged[p.unit].extraction.candidates)
                if f" {plain_words(message.text[candidate.start : candidate.end])} " not in now
            )
            if gone:
                yield FormerUnit(self._unit(p, staged[p.unit], message, repeated=False, fingerprint=fingerprint), gone)

    def units(self, planned: Sequence[Planned], *, fingerprint: str) -> Iterable[tuple[Planned, FormationUnit]]:
        """Staged units with what formation needs of their messages; read in one go, bounded by the caller's batch."""
        by_unit = {p.unit: p for p in planned}
        staged = {
            s.extraction.unit_id: s
            for s in self._staging.units(
                self._user, [p.unit for p in planned], reasoner=self._reasoner.name, version=self._reasoner.version
            )
        }
        telling = [p.ref.id for p in planned if p.unit in staged and staged[p.unit].extraction.candidates]
        messages = self._log.messages(self._user, telling)
        repeated = self._repeated([p for p in planned if p.ref.id in messages])
        for unit, known in by_unit.items():
            if unit in staged:
                yield (
                    known,
                    self._unit(
                        known,
                        staged[unit],
                        messages.get(known.ref.id),
                        repeated=known.ref.id in repeated,
                        fingerprint=fingerprint,
                    ),
                )

    def _unit(
        self, planned: Planned, staged: StagedUnit, message: Message | None, *, repeated: bool, fingerprint: str
    ) -> FormationUnit:
        return FormationUnit(
            message=planned.ref,
            extraction=staged.extraction,
            audience=audience_of(None if message is None else message.agent, params=self._params.agents),
            speaker=None if message is None else message.speaker,
            repeated=repeated,
            vectors=staged.vectors if staged.fingerprint == fingerprint else None,
        )

    def _repeated(self, planned: Sequence[Planned]) -> frozenset[MessageId]:
        """Messages that say what one within the last minute said: they prove, they do not weigh (CONTRACTS)."""
        params, refs = self._params.weight.reinforcement, self._refs
        window = int(params.repeat_seconds * 1_000_000)
        near: dict[MessageId, list[MessageId]] = {}
        for p in planned:
            position = self._place[p.ref.id] - 1
            while position >= 0 and p.ref.at_us - refs[position].at_us <= window:
                if refs[position].role is p.ref.role:
                    near.setdefault(p.ref.id, []).append(refs[position].id)
                position -= 1
        texts = self._log.messages(self._user, {*near, *(other for others in near.values() for other in others)})
        said = {ident: Said(message.at_us, plain_words(message.text)) for ident, message in texts.items()}
        return frozenset(
            ident
            for ident, others in near.items()
            if any(is_repeat(said[ident], said[other], similarity=None, params=params) for other in others)
        )
