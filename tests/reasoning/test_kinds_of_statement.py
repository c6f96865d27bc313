"""Kinds of statement that once were read wrongly: persons and places, dates, likenesses, habits, idioms of feeling, scraps."""

from __future__ import annotations

import pytest

from memory_lib.domain.candidates import Candidate, EdgeType, Extraction, Modality, NodeType, Topic, Valence

from .conftest import Extract


def names(found: Extraction) -> set[str]:
    return {candidate.attributes["name"] for candidate in found.candidates if candidate.type is NodeType.PERSON}


def statements(found: Extraction) -> list[Candidate]:
    return [candidate for candidate in found.candidates if candidate.type is not NodeType.PERSON]


def named_edges(found: Extraction) -> set[tuple[str, str]]:
    return {
        (found.candidates[edge.source].content, found.candidates[edge.target].content)
        for edge in found.relations
        if edge.type is EdgeType.ASSOCIATED_WITH and isinstance(edge.target, int)
    }


@pytest.mark.parametrize(
    ("text", "name", "relation"),
    [
        ("Felix, our line manager, cancelled the meeting with me.", "Felix", "manager"),
        ("Our caretaker Ned fixed the gate for us.", "Ned", "caretaker"),
        ("Paula, the night nurse, gave me a blanket.", "Paula", "night nurse"),
        ("Эдуард, наш бригадир, отпустил нас раньше.", "Эдуард", "бригадир"),
        ("Наша вахтёрша Зоя отдала мне ключ.", "Зоя", "вахтёрша"),
        ("Шеф-повар Лев похвалил мой соус.", "Лев", "шеф-повар"),
    ],
)
def test_a_role_beside_the_name_is_the_relation_and_the_name_stays_clean(
    extract: Extract, text: str, name: str, relation: str
) -> None:
    found = extract(text)
    (person,) = [candidate for candidate in found.candidates if candidate.type is NodeType.PERSON]
    assert (person.content, person.attributes["name"]) == (name, name)
    assert person.attributes["relation"].endswith(relation)
    assert {target for _, target in named_edges(found)} == {name}


@pytest.mark.parametrize(
    "text",
    [
        "I took the bus to Ludlow.",
        "We cycled round Rutland and slept in Oakham.",
        "Hazelwood Studio sent me a contract.",
        "I queued at Hartley Museum for an hour.",
        "Студия «Веснушка» прислала мне договор.",
        "Мы ездили по Угличу и ночевали в Мышкине.",
    ],
)
def test_a_place_or_a_firm_is_no_person(extract: Extract, text: str) -> None:
    assert names(extract(text)) == set()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I argued with Bettina about the bill.", "Bettina"),
        ("Quentin gets me down with his remarks.", "Quentin"),
        ("A neighbour named Iris gave me tomatoes.", "Iris"),
        ("Поругалась с Зиной из-за счёта.", "Зина"),
    ],
)
def test_who_deals_with_the_speaker_is_a_person(extract: Extract, text: str, name: str) -> None:
    assert names(extract(text)) == {name}


def test_a_known_name_needs_no_more_evidence(extract: Extract) -> None:
    found = extract(
        "Tamsin was rude to me and I left.",
        before=[("user", "Tamsin, our head baker, hired me."), ("assistant", "Nice.")],
    )
    assert names(found) == {"Tamsin"}


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("They have called me in for an interview on 20 May.", "2026-05-20"),
        ("Меня позвали на собеседование 20 мая.", "2026-05-20"),
        ("I sat the exam on 4 May.", "2026-05-04"),
        ("Экзамен я сдавала 4 мая.", "2026-05-04"),
    ],
)
def test_a_date_without_a_year_is_the_close_one_whatever_the_tense(extract: Extract, text: str, date: str) -> None:
    (event,) = statements(extract(text))
    assert (event.valid_from or "").startswith(date)
    assert (event.due or "").startswith(date) == (date > "2026-05-13")


@pytest.mark.parametrize("text", ["The Friday crowd tires me.", "My Tuesday lesson is full.", "Субботний рынок мне нравится."])
def test_a_weekday_that_names_a_kind_dates_nothing(extract: Extract, text: str) -> None:
    assert all(candidate.due is None and candidate.valid_from is None for candidate in extract(text).candidates)


def test_since_a_weekday_lies_behind(extract: Extract) -> None:
    (said,) = statements(extract("I have been on leave since Saturday."))
    assert (said.valid_from or "").startswith("2026-05-09")


@pytest.mark.parametrize(
    "text",
    [
        "My boss talks to me as though I were a child.",
        "I walked out as if nothing had happened.",
        "Начальник говорит со мной, как будто я ребёнок.",
        "Я ушла так, словно ничего не было.",
    ],
)
def test_a_likeness_is_no_condition(extract: Extract, text: str) -> None:
    found = statements(extract(text))
    assert found
    assert all(Modality.CONDITIONAL not in candidate.modality for candidate in found)


@pytest.mark.parametrize(
    ("kept", "ended", "value"),
    [
        ("I drink green tea every morning.", "I don't drink tea any more.", "drink tea"),
        ("I walk to school.", "I no longer walk to school.", "walk school"),
        ("I smoke.", "I've quit smoking.", "smoke"),
        ("Я пью чай литрами.", "Я больше не пью чай.", "пить чай"),
        ("Я хожу на танцы.", "Я больше не хожу на танцы.", "ходить танец"),
        ("Я курю.", "Я бросил курить.", "курить"),
    ],
)
def test_a_habit_and_its_end_meet_in_one_value(extract: Extract, kept: str, ended: str, value: str) -> None:
    for text, polarity in ((kept, True), (ended, False)):
        (said,) = [candidate for candidate in extract(text).candidates if candidate.slot is not None]
        assert said.slot is not None
        assert (said.slot.key, said.slot.value, said.slot.single, said.polarity) == ("habit", value, False, polarity)


@pytest.mark.parametrize(
    "text", ["I'm drinking tea right now.", "Сижу, читаю письмо.", "У меня есть дача.", "She smokes.", "I might run tomorrow."]
)
def test_what_is_done_once_or_by_others_is_no_habit(extract: Extract, text: str) -> None:
    assert all(candidate.slot is None or candidate.slot.key != "habit" for candidate in extract(text).candidates)


@pytest.mark.parametrize(
    ("text", "valence"),
    [
        ("Her comments stress me out.", Valence.NEGATIVE),
        ("My voice was trembling on the phone.", Valence.NEGATIVE),
        ("I burst into tears in the lift.", Valence.NEGATIVE),
        ("I couldn't stop grinning.", Valence.POSITIVE),
        ("I feel sick every time the phone rings.", Valence.NEGATIVE),
        ("Its slowness drives me crazy.", Valence.NEGATIVE),
        ("Меня трясёт от этих звонков.", Valence.NEGATIVE),
        ("У меня дрожал голос.", Valence.NEGATIVE),
        ("Я разрыдалась в лифте.", Valence.NEGATIVE),
        ("После совещаний я совсем выжата.", Valence.NEGATIVE),
        ("Вышла от врача и улыбалась.", Valence.POSITIVE),
        ("Весь вечер сидела грустная.", Valence.NEGATIVE),
    ],
)
def test_a_feeling_told_without_its_name(extract: Extract, text: str, valence: Valence) -> None:
    notes = [candidate for candidate in extract(text).candidates if candidate.type is NodeType.EMOTIONAL_NOTE]
    assert [(note.valence, note.about) for note in notes] == [(valence, "self")]


@pytest.mark.parametrize(
    "text",
    [
        "His hands were shaking.",
        "У Олега тряслись руки.",
        "Руки больше не дрожат.",
        "She drives me to the station.",
        "Я достал книгу с полки.",
        "Does it stress you out?",
    ],
)
def test_other_peoples_denied_or_literal_signs_are_no_feeling(extract: Extract, text: str) -> None:
    assert all(candidate.type is not NodeType.EMOTIONAL_NOTE for candidate in extract(text).candidates)


def test_who_brings_a_feeling_about_is_its_cause(extract: Extract) -> None:
    found = extract("Bettina stresses me out.")
    (cause,) = [edge for edge in found.relations if edge.type is EdgeType.CAUSED_BY]
    assert isinstance(cause.target, int)
    assert (found.candidates[cause.source].type, found.candidates[cause.target].content) == (
        NodeType.EMOTIONAL_NOTE,
        "Bettina",
    )


@pytest.mark.parametrize(
    ("text", "effect", "cause"),
    [
        ("Я безумно рада, потому что о своей мастерской мечтаю давно.", "Я безумно рада", "о своей мастерской мечтаю давно"),
        ("I'm delighted because we finally have a garden.", "I'm delighted", "we finally have a garden"),
    ],
)
def test_a_feeling_and_its_stated_cause_are_two(extract: Extract, text: str, effect: str, cause: str) -> None:
    found = extract(text)
    (edge,) = [edge for edge in found.relations if edge.type is EdgeType.CAUSED_BY]
    assert isinstance(edge.target, int)
    assert (found.candidates[edge.source].content, found.candidates[edge.target].content) == (effect, cause)
    assert found.candidates[edge.source].type is NodeType.EMOTIONAL_NOTE


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("После кофе я пошла гулять.", set()),
        ("Я опоздала из-за кошки.", set()),
        ("I went out after my coffee.", set()),
        ("После ссоры я ушла гулять.", {"ссоры"}),
        ("I stayed home because of the storm.", {"the storm"}),
    ],
)
def test_only_a_happening_becomes_a_node_of_its_own(extract: Extract, text: str, phrases: set[str]) -> None:
    assert {candidate.content for candidate in extract(text).candidates if candidate.rule == "event.phrase/1"} == phrases


@pytest.mark.parametrize(
    "text",
    [
        "Хочу.",
        "Да, подожду.",
        "I'll wait.",
        "I just wanted to tell someone.",
        "Я просто делюсь.",
        "Буду тут иногда думать вслух.",
        "That's not what I meant.",
        "I only wanted one short answer.",
        "Это не то, что я просила.",
    ],
)
def test_scraps_and_remarks_about_the_talk_make_no_node(extract: Extract, text: str) -> None:
    assert extract(text).candidates == ()


def test_a_bare_verb_that_answers_a_question_is_kept(extract: Extract) -> None:
    assert extract("Промолчала.", before=[("assistant", "Что вы ему ответили?")]).candidates
    assert extract("Промолчала.", before=[("assistant", "Понимаю.")]).candidates == ()


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Мне написали из студии «Веснушка».", "Мне написали из студии «Веснушка»"),
        ("I sent it to Zoe (my cousin).", "I sent it to Zoe (my cousin)"),
        ("Hi there, I'm Odile.", "I'm Odile"),
    ],
)
def test_content_keeps_its_closing_mark_and_drops_the_greeting(extract: Extract, text: str, content: str) -> None:
    assert statements(extract(text))[0].content == content


@pytest.mark.parametrize(
    ("text", "employer"),
    [
        ("Меня взяли в «Веснушку»!", "Веснушка"),
        ("Меня приняли на работу в «Северный чай».", "Северный чай"),
        ("I was hired by Lattice.", "Lattice"),
        ("Got a job at Hazelwood!", "Hazelwood"),
        ("Я работаю корректором в издательстве «Ясень».", "Ясень"),
    ],
)
def test_being_taken_on_names_the_employer(extract: Extract, text: str, employer: str) -> None:
    slots = {(candidate.slot.key, candidate.slot.value) for candidate in extract(text).candidates if candidate.slot is not None}
    assert ("employer", employer) in slots


@pytest.mark.parametrize(
    "text",
    [
        "I handed in my notice.",
        "I crashed my car.",
        "Написала заявление об уходе.",
        "Меня взяли в «Веснушку».",
        "Сдала на права!",
    ],
)
def test_turns_of_ones_own_life_are_important(extract: Extract, text: str) -> None:
    assert statements(extract(text))[0].importance > 0.8


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Надо сдать макет каталога птиц.", Topic.WORK),
        ("Я испекла хлеб на закваске.", Topic.FOOD),
        ("My landlord repainted the ceiling for me.", Topic.HOME),
        ("I paid my insurance bill.", Topic.MONEY),
    ],
)
def test_everyday_words_tell_the_topic(extract: Extract, text: str, topic: Topic) -> None:
    assert statements(extract(text))[0].topic is topic
