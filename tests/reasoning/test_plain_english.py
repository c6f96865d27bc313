"""English as people type and speak it: no apostrophes, no capitals, conditions of a habit, clefts, questions without a mark."""

from __future__ import annotations

import pytest

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.candidates import Candidate, Modality, NodeType

from .conftest import Extract


def told(extract: Extract, text: str) -> list[Candidate]:
    return [candidate for candidate in extract(text).candidates if candidate.type is not NodeType.PERSON]


def slots(extract: Extract, text: str) -> dict[str, str]:
    return {found.slot.key: found.slot.value for found in told(extract, text) if found.slot is not None}


@pytest.mark.parametrize(
    "text",
    [
        "im knackered and its 6am, dont ask",
        "ma wee sister cannae drive, mind",
        "I've tae paint the hall noo",
        "id love a boat but thats pricey",
        "no mate I'm fine",
        "The van's through its service, lets gooo",
    ],
)
def test_words_stand_where_they_were_written(parser: BilingualParser, text: str) -> None:
    tokens = [token for sentence in parser.parse(text).sentences for token in sentence.tokens]
    assert all(len(token.text) == token.end - token.start for token in tokens)
    written = "".join(text[token.start : token.end] for token in tokens)
    assert written == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "lemmas"),
    [
        ("its 6am", ["it", "be"]),
        ("thats a lot", ["that", "be"]),
        ("im tired", ["i", "be"]),
        ("he cannae swim", ["he", "can", "not"]),
        ("My van's a Transit", ["my", "van", "be"]),
    ],
)
def test_a_missing_apostrophe_is_read(parser: BilingualParser, text: str, lemmas: list[str]) -> None:
    assert [token.lemma for token in parser.parse(text).sentences[0].tokens[: len(lemmas)]] == lemmas


def test_its_before_a_noun_owns(parser: BilingualParser) -> None:
    assert "be" not in [token.lemma for token in parser.parse("The dog lost its collar.").sentences[0].tokens]


@pytest.mark.parametrize(
    "text",
    [
        "I swim in the lake every morning unless it's frozen.",
        "I've a shed with a view of the moor if you climb on the roof.",
        "My son only eats peas if they're raw.",
    ],
)
def test_an_exception_leaves_a_habit_a_fact(extract: Extract, text: str) -> None:
    found = told(extract, text)
    assert [Modality.CONDITIONAL in candidate.modality for candidate in found] == [False]


@pytest.mark.parametrize(
    "text",
    ["I lose my pitch if they close the market.", "I'd sell the boat if she asked.", "If I move to Cardiff I need a van."],
)
def test_what_only_may_come_stays_conditional(extract: Extract, text: str) -> None:
    assert all(Modality.CONDITIONAL in candidate.modality for candidate in told(extract, text))


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I drive for Hartwell Haulage now.", "employer", "Hartwell Haulage"),
        ("I live in Reading now, near the river.", "city", "Reading"),
        ("Turned 51 on Friday.", "age", "51"),
        ("My nephew's 12 and he beat me at chess.", "age", "12"),
        ("My son Owen goes to St Joseph's now.", "school", "St Joseph"),
        ("ok update my phone is a fairphone 5 now", "own phone", "fairphone 5"),
        ("Please call me Ness.", "name", "Ness"),
    ],
)
def test_a_new_value_is_found(extract: Extract, text: str, key: str, value: str) -> None:
    assert slots(extract, text).get(key) == value


def test_a_firm_is_no_person(extract: Extract) -> None:
    found = extract("I haul for Benson Freight these days.").candidates
    assert [candidate for candidate in found if candidate.type is NodeType.PERSON] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [("my cousin jayla is a welder", "jayla"), ("my best mate is vicky", "vicky")],
)
def test_a_small_name_after_a_relation_is_a_name(extract: Extract, text: str, name: str) -> None:
    people = [dict(c.attributes).get("name") for c in extract(text).candidates if c.type is NodeType.PERSON]
    assert people == [name]


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("It's Petra who plays the cello.", False),
        ("It's not Petra who plays the cello.", True),
        ("It was my brother who broke the gate, not me.", False),
    ],
)
def test_a_cleft_is_said_of_the_one_put_first(extract: Extract, text: str, *, negated: bool) -> None:
    found = told(extract, text)
    assert len(found) == 1
    assert found[0].about != "self"
    assert (Modality.NEGATED in found[0].modality) is negated


def test_one_spoken_to_is_set_apart(extract: Extract) -> None:
    found = told(extract, "no pet I'm not a baker, I'm a butcher")
    assert [Modality.NEGATED in candidate.modality for candidate in found] == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        "so what can i take for a cough",
        "does my van need a new battery",
        "whats the best oil for an old diesel",
    ],
)
def test_a_question_needs_no_mark(extract: Extract, text: str) -> None:
    assert [candidate for candidate in told(extract, text) if candidate.type is NodeType.FACT] == []


@pytest.mark.parametrize(
    "text", ["I still gotta ring the vet.", "I've to renew my permit.", "We're waiting to hear if Mina got the part."]
)
def test_spoken_duties_are_left_open(extract: Extract, text: str) -> None:
    assert [candidate.type for candidate in told(extract, text)] == [NodeType.OPEN_LOOP]


def test_a_quarter_inside_a_name_is_no_date(extract: Extract) -> None:
    found = told(extract, "Promised Omar the Q3 report by Friday.")
    assert [(candidate.due or "")[:10] for candidate in found] == ["2026-05-15"]
