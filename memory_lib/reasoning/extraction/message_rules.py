"""Candidates that no single clause gives: short answers, what is to be remembered, and the people named."""

# ruff: noqa: C901 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from dataclasses import replace

from memory_lib.domain.candidates import Candidate, NodeType, Slot, Topic, Valence
from memory_lib.domain.message import Role
from memory_lib.reasoning.dates import Direction, find_dates
from memory_lib.reasoning.dates import Role as DateRole
from memory_lib.reasoning.extraction.reading import Draft, Reading, midnight, times_of
from memory_lib.reasoning.people.person_equations import equations
from memory_lib.reasoning.people.person_mention import PersonMention
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import is_mark
from memory_lib.reasoning.words.significance_words import is_significant
from memory_lib.reasoning.words.topic_words import topic_of

_PIN = re.compile(
    r"^\W*(?:(?:пожалуйста|please|слушай|кстати|and|и)[,\s]+)?(?:запомни(?:те)?|имей(?:те)? в виду|не забудь(?:те)?|учти(?:те)?|remember|don't forget|do not forget|keep in mind|note)"
    r"(?:[,\s]+(?:пожалуйста|please|это|this|навсегда|для меня|for me|про меня))*"
    r"(?:\s*[:—–-]\s*|[,\s]+(?:что|that)\s+|(?<=запомни)\s*,\s*|(?<=remember)\s*,\s*)"
)
_QUESTIONS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "city",
        re.compile(
            r"\b(?:where (?:do|are) you (?:live|living|based|from)|what city|в каком городе|где (?:ты|вы) живе\w+|откуда (?:ты|вы))\b"
        ),
    ),
    ("age", re.compile(r"\b(?:how old are you|what(?:'s| is) your age|сколько (?:тебе|вам) лет|твой возраст|ваш возраст)\b")),
    ("name", re.compile(r"\b(?:what(?:'s| is) your name|как (?:тебя|вас) зовут|как (?:к тебе|к вам) обращаться|твое имя)\b")),
    (
        "job",
        re.compile(
            r"\b(?:what do you do(?: for (?:a living|work))?|what(?:'s| is) your (?:job|profession|occupation)|кем (?:ты |вы )?работае\w+|кто (?:ты|вы) по профессии)\b"
        ),
    ),
    (
        "employer",
        re.compile(r"\b(?:where do you work|who do you work for|which company|где (?:ты|вы) работае\w+|в какой компании)\b"),
    ),
    ("birthday", re.compile(r"\b(?:when(?:'s| is) your birthday|когда у (?:тебя|вас) день рождения)\b")),
)


def read_answer(reading: Reading) -> None:
    """A short answer to a partner's question fills the slot that was asked for."""
    if not reading.unit.before or (reading.unit.before[-1].role is reading.message.role and reading.message.role is Role.USER):
        return
    question = fold(reading.unit.before[-1].text)
    if not question.rstrip().endswith("?"):
        return
    tokens = [t for s in reading.parse.sentences for t in s.tokens if not is_mark(t)]
    if not tokens or len(tokens) > reading.params.answer_tokens or any(draft.candidate.slot for draft in reading.drafts):
        return
    last = question[-200:]
    key = next((key for key, pattern in _QUESTIONS if pattern.search(last)), None)
    if key is None:
        return
    value_tokens = [
        t for t in tokens
        if (key == "age" and t.text.isdigit())
        or (key in {"city", "name", "employer"} and (t.pos == "PROPN" or (t.text[:1].isupper() and t.pos in {"NOUN", "X"})))
        or (key == "job" and t.pos == "NOUN")
    ]  # fmt: skip
    if key == "birthday":
        found = find_dates(
            reading.text, anchor=reading.message.time, language=reading.parse.language, direction=Direction.FUTURE
        )
        if not found:
            return
        value = found[0].begin.date().isoformat()[5:]
    elif not value_tokens:
        return
    elif key in {"name", "employer"}:
        value = " ".join(t.text for t in value_tokens[:2])
    else:
        word = value_tokens[0]
        cased = word.features.get("Case") not in {None, "Nom"} and word.lemma
        value = (word.lemma.capitalize() if word.text[0].isupper() else word.lemma) if cased else word.text
    start, end = tokens[0].start, tokens[-1].end
    reading.drafts = [draft for draft in reading.drafts if draft.clause is None]
    reading.by_clause.clear()
    reading.drafts.append(
        Draft(
            Candidate(
                type=NodeType.FACT, content=reading.text[start:end], start=start, end=end, rule="fact.answer/1",
                confidence=reading.params.confidence_implied, importance=reading.params.importance_profile, slot=Slot(key, value),
                holder=reading.holder, about=reading.self_about, topic=topic_of(t.lemma for t in tokens),
                about_name=reading.message.speaker if reading.message.role is Role.OTHER else None,
            ),
            None,
        )
    )  # fmt: skip


def read_pins(reading: Reading) -> None:
    """As in "Запомни: …", "remember that …": the rest of the sentence is pinned, as one fact."""
    for sentence in reading.parse.sentences:
        piece = reading.text[sentence.start : sentence.end]
        match = _PIN.match(fold(piece))
        if match is None or piece.rstrip().endswith("?"):
            continue
        end = sentence.end
        while end > sentence.start and not reading.text[end - 1].isalnum():
            end -= 1
        start = sentence.start + match.end()
        if start >= end:
            continue
        inside = [
            number for number, draft in enumerate(reading.drafts) if draft.candidate.start < end and start < draft.candidate.end
        ]
        lead = next((reading.drafts[n] for n in inside if reading.drafts[n].clause is not None), None)
        if lead is not None:
            lead.candidate = replace(
                lead.candidate,
                start=start, end=end, content=reading.text[start:end], pinned=True, rule="fact.pinned/1",
                importance=max(lead.candidate.importance, reading.params.importance_profile),
                type=lead.candidate.type if lead.candidate.type is NodeType.EVENT else NodeType.FACT,
                valence=Valence.NEUTRAL, intensity=0.0,
            )  # fmt: skip
            for number in reversed(inside):
                draft = reading.drafts[number]
                if draft is not lead and draft.clause is not None:
                    reading.drop(number)
            continue
        dates = find_dates(
            reading.text[start:end], anchor=reading.message.time, language=sentence.language, direction=Direction.NONE
        )
        date = next((found for found in dates if found.role is DateRole.AT), None)
        times = times_of(date)
        reading.drafts.append(
            Draft(
                Candidate(
                    type=NodeType.FACT, content=reading.text[start:end], start=start, end=end, rule="fact.pinned/1",
                    confidence=reading.params.confidence_stated,
                    importance=reading.params.importance_significant
                    if is_significant(t.lemma for t in sentence.tokens)
                    else reading.params.importance_profile,
                    due=times.valid_from if date is not None and date.begin >= midnight(reading.message) else None,
                    precision=times.precision,
                    topic=topic_of(t.lemma for t in sentence.tokens), holder=reading.holder, about=reading.self_about, pinned=True,
                ),
                None,
            )
        )  # fmt: skip


def read_persons(reading: Reading) -> None:
    """One candidate a person: who has a tie to the speaker, or whom a kept clause names."""
    merged: dict[str, PersonMention] = {}
    for mention in reading.mentions:
        key = reading.key(mention)
        if reading.message.role is Role.OTHER and mention.name and mention.name == reading.message.speaker:
            continue
        if not mention.tie and not _told_of(reading, mention):
            continue  # a name in a question or an order need not be anybody the speaker knows
        known = merged.get(key)
        if known is None:
            merged[key] = mention
        elif not known.tie and mention.tie:
            merged[key] = replace(known, tie=mention.tie, words=mention.words)
    aliases = _aliases(reading, merged)
    for key, mention in list(merged.items())[: reading.params.max_candidates]:
        attributes: dict[str, str] = {"name": mention.name or key}
        if mention.tie:
            attributes["relation"] = mention.words
            attributes["tie"] = mention.tie
        if mention.full_name:
            attributes["full_name"] = mention.full_name
        if mention.qualifier:
            attributes["qualifier"] = mention.qualifier
        if mention.gender in {"m", "f"}:
            attributes["gender"] = mention.gender
        if reading.message.role is Role.OTHER and reading.message.speaker and mention.tie:
            attributes["of"] = reading.message.speaker
        if aliases.get(key):
            attributes["aliases"] = " / ".join(aliases[key])
        reading.drafts.append(
            Draft(
                Candidate(
                    type=NodeType.PERSON, content=mention.name or reading.text[mention.start : mention.end], start=mention.start, end=mention.end,
                    rule="person.relation/1" if mention.tie else "person.name/1",
                    confidence=reading.params.confidence_stated if mention.tie else reading.params.confidence_implied,
                    importance=reading.params.importance_plain, topic=_topic_of_tie(mention.tie), attributes=attributes,
                    holder=reading.holder, about=f"person:{key}", about_name=key,
                ),
                None, mention=mention,
            )
        )  # fmt: skip


def _aliases(reading: Reading, merged: dict[str, PersonMention]) -> dict[str, list[str]]:
    """Other names of the message's people, where the words say so; of two that are one, the one named first is kept."""
    found: dict[str, list[str]] = {}
    for one, other in equations(reading.text):
        first = _called(merged, one) if one is not None else _before(reading, merged, other)
        second = _called(merged, other)
        alias = other
        if first is None:
            first, second, alias = second, None, one or ""
        if first is None or first == second:
            continue
        if second is not None:
            known, gone = merged[first], merged.pop(second)
            if gone.tie and not known.tie:
                merged[first] = replace(known, tie=gone.tie, words=gone.words)
            alias = gone.name
        if alias and alias.casefold() != merged[first].words.casefold():
            found.setdefault(first, []).append(alias)
    return found


def _called(merged: dict[str, PersonMention], said: str) -> str | None:
    """The key of the person whose name or relation word this is."""
    folded = said.casefold()
    return next(
        (
            key
            for key, m in merged.items()
            if folded in {m.name.casefold(), m.words.casefold(), m.name.casefold().split(" ")[0]}
        ),
        None,
    )


def _before(reading: Reading, merged: dict[str, PersonMention], said: str) -> str | None:
    """The person spoken of last before that name ("all of us call her Maka")."""
    place = reading.text.find(said)
    earlier = [m for m in reading.mentions if m.end <= place and m.key.casefold() != said.casefold()]
    return next((reading.key(m) for m in reversed(earlier) if reading.key(m) in merged), None)


def _told_of(reading: Reading, mention: PersonMention) -> bool:
    """Whether a kept clause of the speaker's names that person."""
    return any(
        reading.clauses[index].sentence == mention.sentence and mention.token in reading.clauses[index].own
        for index in reading.by_clause
    )


def _topic_of_tie(tie: str) -> Topic:
    if tie in {"colleague", "boss", "client", "role"}:
        return Topic.WORK
    if tie in {"wife", "husband", "partner", "girlfriend", "boyfriend", "fiance", "fiancee", "ex", "friend"}:
        return Topic.RELATIONSHIPS
    if tie == "neighbour":
        return Topic.HOME
    if tie in {"teacher", "classmate"}:
        return Topic.LEARNING
    if tie in {"doctor", "therapist", "coach", ""}:
        return Topic.OTHER
    return Topic.FAMILY
