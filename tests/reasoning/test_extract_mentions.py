"""What one message says, as candidates and stated relations: Russian and English alike."""

from __future__ import annotations

import pytest

from memory_lib.domain.candidates import Candidate, EdgeType, Extraction, Modality, NodeType, Precision, Topic, Valence

from .conftest import Extract


def one(found: Extraction, node_type: NodeType) -> Candidate:
    (candidate,) = [candidate for candidate in found.candidates if candidate.type is node_type]
    return candidate


def slots(found: Extraction) -> set[tuple[str, str]]:
    return {(candidate.slot.key, candidate.slot.value) for candidate in found.candidates if candidate.slot is not None}


def edges(found: Extraction, text: str) -> list[tuple[str, str, str, str]]:
    """(type, source's words, target's words or message, the words that carry it)."""
    return [
        (
            edge.type.value,
            found.candidates[edge.source].content,
            found.candidates[edge.target].content if isinstance(edge.target, int) else str(edge.target),
            text[edge.start : edge.end],
        )
        for edge in found.relations
    ]


@pytest.mark.parametrize(
    ("text", "content", "slot"),
    [
        ("Меня зовут Алина.", "Меня зовут Алина", ("name", "Алина")),
        ("Мне 32 года.", "Мне 32 года", ("age", "32")),
        ("Я работаю дизайнером.", "Я работаю дизайнером", ("job", "дизайнер")),
        ("Работаю в Яндексе.", "Работаю в Яндексе", ("employer", "Яндекс")),
        ("Я живу в Казани.", "Я живу в Казани", ("city", "Казань")),
        ("У меня есть кошка Муся.", "У меня есть кошка Муся", ("pet", "Муся")),
        ("Я обожаю плавание.", "Я обожаю плавание", ("like", "плавание")),
        ("Терпеть не могу рэп.", "Терпеть не могу рэп", ("dislike", "рэп")),
        ("Мой день рождения 5 июля.", "Мой день рождения 5 июля", ("birthday", "07-05")),
        ("My name is Marta.", "My name is Marta", ("name", "Marta")),
        ("I'm 29 years old.", "I'm 29 years old", ("age", "29")),
        ("I'm a plumber.", "I'm a plumber", ("job", "plumber")),
        ("I work at Northwind.", "I work at Northwind", ("employer", "Northwind")),
        ("I live in Bristol.", "I live in Bristol", ("city", "Bristol")),
        ("We have a dog named Rex.", "We have a dog named Rex", ("pet", "Rex")),
        ("I love board games.", "I love board games", ("like", "board games")),
        ("I can't stand techno.", "I can't stand techno", ("dislike", "techno")),
        ("My favorite food is pho.", "My favorite food is pho", ("like", "pho")),
        ("My birthday is on July 5th.", "My birthday is on July 5th", ("birthday", "07-05")),
    ],
)
def test_a_fact_with_its_property(extract: Extract, text: str, content: str, slot: tuple[str, str]) -> None:
    found = extract(text)
    fact = one(found, NodeType.FACT)
    assert (fact.content, fact.about, fact.holder) == (content, "self", "self")
    assert fact.slot is not None
    assert (fact.slot.key, fact.slot.value) == slot
    assert fact.confidence >= 0.9


def test_a_name_or_a_city_has_one_value_a_liking_many(extract: Extract) -> None:
    name, like = one(extract("My name is Marta."), NodeType.FACT).slot, one(extract("I love chess."), NodeType.FACT).slot
    assert name is not None
    assert like is not None
    assert (name.single, like.single) == (True, False)


def test_two_properties_in_one_clause_stand_on_their_own_words(extract: Extract) -> None:
    found = extract("Я работаю дизайнером в Яндексе.")
    assert slots(found) == {("job", "дизайнер"), ("employer", "Яндекс")}
    assert [c.content for c in found.candidates] == ["Я работаю дизайнером в Яндексе", "в Яндексе"]


@pytest.mark.parametrize("text", ["Я больше не работаю в Яндексе.", "I no longer work at Northwind."])
def test_a_property_that_ended_is_denied(extract: Extract, text: str) -> None:
    fact = one(extract(text), NodeType.FACT)
    assert fact.slot is not None
    assert fact.slot.key == "employer"
    assert not fact.polarity
    assert Modality.NEGATED in fact.modality


@pytest.mark.parametrize(
    "text",
    ["Если бы я жил в Риме, я бы пел.", "I'd love to live in Rome.", "Собираюсь переехать в Рим.", "I used to live in Rome."],
)
def test_what_is_not_so_now_fills_no_property(extract: Extract, text: str) -> None:
    assert slots(extract(text)) == set()


@pytest.mark.parametrize(
    ("text", "valid_from", "precision"),
    [
        ("Вчера меня уволили с работы.", "2026-05-12T00:00:00+03:00", Precision.DAY),
        ("Я переехала в Казань в прошлом году.", "2025-01-01T00:00:00+03:00", Precision.YEAR),
        ("They fired me yesterday.", "2026-05-12T00:00:00+03:00", Precision.DAY),
        ("I quit my job last week.", "2026-05-04T00:00:00+03:00", Precision.WEEK),
        ("We got married in June 2019.", "2019-06-01T00:00:00+03:00", Precision.MONTH),
    ],
)
def test_a_dated_significant_event(extract: Extract, text: str, valid_from: str, precision: Precision) -> None:
    event = one(extract(text), NodeType.EVENT)
    assert (event.valid_from, event.precision) == (valid_from, precision)
    assert event.importance > 0.8
    assert event.due is None


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("У меня завтра в 18.30 собеседование.", "2026-05-14T18:30:00+03:00"),
        ("Через две недели мы едем в Сочи.", "2026-05-27T00:00:00+03:00"),
        ("28 марта у меня защита диплома.", "2027-03-28T00:00:00+03:00"),
        ("I have an interview next Tuesday at 9am.", "2026-05-19T09:00:00+03:00"),
        ("We're getting married on June 12th!", "2026-06-12T00:00:00+03:00"),
    ],
)
def test_a_planned_event_has_a_due_date(extract: Extract, text: str, due: str) -> None:
    event = one(extract(text), NodeType.EVENT)
    assert event.due == due
    assert Modality.PLANNED in event.modality


@pytest.mark.parametrize("text", ["Сходил в магазин.", "I went to the shop."])
def test_an_everyday_event_is_not_significant(extract: Extract, text: str) -> None:
    assert one(extract(text), NodeType.EVENT).importance <= 0.8


@pytest.mark.parametrize(
    ("text", "valence"),
    [
        ("Мне очень грустно.", Valence.NEGATIVE),
        ("Я так рада!", Valence.POSITIVE),
        ("Я не рад.", Valence.NEGATIVE),
        ("Сегодня был ужасный день.", Valence.NEGATIVE),
        ("Никогда ещё не была так счастлива.", Valence.POSITIVE),
        ("I feel lonely.", Valence.NEGATIVE),
        ("I'm so excited!", Valence.POSITIVE),
        ("I'm not happy.", Valence.NEGATIVE),
        ("I'm over the moon.", Valence.POSITIVE),
        ("Today was a terrible day.", Valence.NEGATIVE),
    ],
)
def test_a_stated_feeling(extract: Extract, text: str, valence: Valence) -> None:
    note = one(extract(text), NodeType.EMOTIONAL_NOTE)
    assert note.valence is valence
    assert 0 < note.intensity <= 1


@pytest.mark.parametrize(
    "text", ["Доехали хорошо.", "She is happy.", "Если ты уйдёшь, мне будет грустно.", "Are you sad?", "Ему грустно."]
)
def test_other_peoples_or_unreal_feelings_are_no_note(extract: Extract, text: str) -> None:
    assert all(candidate.type is not NodeType.EMOTIONAL_NOTE for candidate in extract(text).candidates)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Надо решить, стоит ли переезжать.", None),
        ("Не знаю, стоит ли соглашаться на новую работу.", None),
        ("Надо до пятницы сдать отчёт.", "2026-05-15T00:00:00+03:00"),
        ("Забыла купить корм коту.", None),
        ("I still need to book the flights.", None),
        ("I don't know whether I should take the offer.", None),
        ("I have to send the report by Friday.", "2026-05-15T00:00:00+03:00"),
        ("I can't decide between two flats.", None),
    ],
)
def test_an_open_loop(extract: Extract, text: str, due: str | None) -> None:
    assert one(extract(text), NodeType.OPEN_LOOP).due == due


@pytest.mark.parametrize(
    "text", ["I have to go now.", "Надо признать, фильм хороший.", "Тебе надо отдохнуть.", "I have to wake up at 6 every day."]
)
def test_what_is_no_task_is_no_open_loop(extract: Extract, text: str) -> None:
    assert all(candidate.type is not NodeType.OPEN_LOOP for candidate in extract(text).candidates)


@pytest.mark.parametrize(
    ("text", "content", "name", "relation", "tie"),
    [
        ("Моя сестра Катя живёт в Самаре.", "Катя", "Катя", "сестра", "sister"),
        ("Коллега Марина помогла мне с проектом.", "Марина", "Марина", "коллега", "colleague"),
        ("Мама приехала ко мне.", "Мама", "мама", "мама", "mother"),
        ("Настя — моя лучшая подруга.", "Настя", "Настя", "подруга", "friend"),
        ("Посоветуй подарок для моего брата Олега.", "Олег", "Олег", "брат", "brother"),
        ("My sister Kate lives in Oslo.", "Kate", "Kate", "sister", "sister"),
        ("My colleague Oleg helped me.", "Oleg", "Oleg", "colleague", "colleague"),
        ("My best friend is Anna.", "Anna", "Anna", "friend", "friend"),
        ("Mom called me.", "Mom", "mom", "mom", "mother"),
        ("Can you recommend a book for my brother Tom?", "Tom", "Tom", "brother", "brother"),
    ],
)
def test_a_person_with_the_tie(extract: Extract, text: str, content: str, name: str, relation: str, tie: str) -> None:
    person = one(extract(text), NodeType.PERSON)
    assert person.content == content
    assert (person.attributes["name"], person.attributes["relation"], person.attributes["tie"]) == (name, relation, tie)
    assert person.about == f"person:{name}"


def test_a_short_name_is_known_by_its_full_one(extract: Extract) -> None:
    assert one(extract("Мой брат Дима приехал."), NodeType.PERSON).attributes["full_name"] == "Дмитрий"


@pytest.mark.parametrize(
    "text",
    [
        "У меня нет сестры.",
        "I have no brother.",
        "Меня зовут Олег.",
        "I'm Kate.",
        "Hey Kate!",
        "У меня кошка Муся.",
        "Кто такой Пётр Первый?",
        "I love being a mom.",
    ],
)
def test_no_person_where_none_is_spoken_of(extract: Extract, text: str) -> None:
    assert all(candidate.type is not NodeType.PERSON for candidate in extract(text).candidates)


@pytest.mark.parametrize(
    ("text", "about", "slot"),
    [
        ("Моя сестра Катя живёт в Самаре.", "person:Катя", ("city", "Самара")),
        ("My best friend Anna is a doctor.", "person:Anna", ("job", "doctor")),
    ],
)
def test_what_is_said_of_somebody_else_is_about_them(extract: Extract, text: str, about: str, slot: tuple[str, str]) -> None:
    fact = one(extract(text), NodeType.FACT)
    assert (fact.about, fact.about_name, fact.holder) == (about, about.removeprefix("person:"), "self")
    assert slots(extract(text)) == {slot}


def test_a_pronoun_means_the_last_fitting_person_even_of_the_turn_before(extract: Extract) -> None:
    here = extract("My best friend Anna is a doctor and she lives in Rome.")
    assert {c.about for c in here.candidates if c.type is NodeType.FACT} == {"person:Anna"}
    before = extract("She moved to Rome.", before=[("user", "My sister Kate called me yesterday."), ("assistant", "Oh?")])
    assert one(before, NodeType.EVENT).about == "person:Kate"


@pytest.mark.parametrize(
    ("text", "edge"),
    [
        (
            "Вчера меня уволили, потому что начальник Олег меня не любит.",
            ("caused_by", "Вчера меня уволили", "начальник Олег меня не любит", "потому что"),
        ),
        ("Мы поссорились, поэтому я не спала.", ("caused_by", "я не спала", "Мы поссорились", "поэтому")),
        ("Я рада, что сдала экзамен!", ("caused_by", "Я рада", "сдала экзамен", "что")),
        ("Из-за развода мне очень плохо.", ("caused_by", "Из-за развода мне очень плохо", "развода", "Из-за")),
        ("У меня праздник: сын поступил.", ("caused_by", "У меня праздник", "сын поступил", ":")),
        ("I quit my job because my boss kept yelling.", ("caused_by", "I quit my job", "my boss kept yelling", "because")),
        ("We moved to Denver, so I feel lonely.", ("caused_by", "I feel lonely", "We moved to Denver", "so")),
        ("I was so happy when I passed my exam.", ("caused_by", "I was so happy", "I passed my exam", "when")),
        (
            "I'm nervous about the interview on Friday.",
            ("caused_by", "I'm nervous about the interview on Friday", "the interview on Friday", "about"),
        ),
        ("Вчера сходил на рынок, потом приготовил плов.", ("followed_by", "приготовил плов", "Вчера сходил на рынок", "потом")),
        ("After we moved, I started painting.", ("followed_by", "I started painting", "we moved", "After")),
        (
            "Раньше я любил кофе, но теперь пью только чай.",
            ("contradicts", "теперь пью только чай", "Раньше я любил кофе", "теперь"),
        ),
        (
            "I used to love coffee, but now I only drink tea.",
            ("contradicts", "now I only drink tea", "I used to love coffee", "now"),
        ),
        ("Коллега Марина помогла мне.", ("associated_with", "Коллега Марина помогла мне", "Марина", "Коллега Марина")),
        ("I had lunch with my brother Tom.", ("associated_with", "I had lunch with my brother Tom", "Tom", "brother Tom")),
    ],
)
def test_a_relation_that_the_text_states(extract: Extract, text: str, edge: tuple[str, str, str, str]) -> None:
    assert edge in edges(extract(text), text)


@pytest.mark.parametrize(
    ("before", "text", "kind"),
    [
        ("Вчера я поссорилась с Олегом.", "Я опять поссорилась с Олегом.", EdgeType.REINFORCES),
        ("I argued with Tom yesterday.", "I argued with Tom again.", EdgeType.REINFORCES),
        ("Я живу в Самаре.", "На самом деле я живу в Казани.", EdgeType.CONTRADICTS),
        ("Меня зовут Алёна.", "Нет, меня зовут Алина.", EdgeType.CONTRADICTS),
        ("I really like olives.", "I don't like olives anymore.", EdgeType.CONTRADICTS),
        ("We had breakfast at the hotel.", "Then we went to the beach.", EdgeType.FOLLOWED_BY),
    ],
)
def test_a_relation_to_an_earlier_message(extract: Extract, before: str, text: str, kind: EdgeType) -> None:
    found = extract(text, before=[("user", before), ("assistant", "Ok.")])
    assert [(edge.type, edge.target) for edge in found.relations if not isinstance(edge.target, int)] == [(kind, "m0")]


def test_a_bare_feeling_points_to_the_turn_before_at_most_six_tenths_sure(extract: Extract) -> None:
    said = "Сегодня меня уволили, и начальник даже не попрощался со мной."
    (edge,) = extract("Мне очень плохо.", before=[("user", said), ("assistant", "Мне жаль.")]).relations
    assert (edge.type, edge.target) == (EdgeType.CAUSED_BY, "m0")
    assert edge.confidence <= 0.6


@pytest.mark.parametrize(
    ("question", "answer", "slot"),
    [
        ("А в каком городе ты живёшь?", "В Туле", ("city", "Тула")),
        ("Как тебя зовут?", "Марина", ("name", "Марина")),
        ("Nice! Where do you live?", "In Oslo.", ("city", "Oslo")),
        ("How old are you?", "27", ("age", "27")),
    ],
)
def test_a_short_answer_fills_what_was_asked(extract: Extract, question: str, answer: str, slot: tuple[str, str]) -> None:
    assert slots(extract(answer, before=[("assistant", question)])) == {slot}


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Запомни: у меня аллергия на орехи.", "у меня аллергия на орехи"),
        ("Не забудь, что я вегетарианка!", "я вегетарианка"),
        ("Remember that I'm allergic to peanuts.", "I'm allergic to peanuts"),
        ("Please remember: the code of my gate is 4471.", "the code of my gate is 4471"),
    ],
)
def test_what_is_to_be_remembered_is_pinned(extract: Extract, text: str, content: str) -> None:
    pinned = [candidate for candidate in extract(text).candidates if candidate.pinned]
    assert [candidate.content for candidate in pinned] == [content]


@pytest.mark.parametrize("text", ["I remember that day.", "Ты помнишь, что я говорил?", "Do you remember that I live here?"])
def test_memories_are_not_orders_to_remember(extract: Extract, text: str) -> None:
    assert not any(candidate.pinned for candidate in extract(text).candidates)


@pytest.mark.parametrize(
    "text",
    [
        "Привет! Как дела?",
        "Спасибо большое!",
        "Посоветуй хорошую книгу.",
        "перечисли мне главных героев",
        "Какая столица у Кении?",
        "Ты меня не понял.",
        "Hi! How are you?",
        "Thanks! That's great.",
        "Can you recommend a good book?",
        "I was wondering if you could help me with a text.",
        "Tell me about France.",
        "You are wrong.",
        "How old is the Sun?",
    ],
)
def test_requests_questions_and_small_talk_make_no_node(extract: Extract, text: str) -> None:
    assert extract(text).candidates == ()


@pytest.mark.parametrize(
    "text", ["У меня болит голова.", "Мне поставили диагноз.", "I have a migraine.", "I'm allergic to shellfish."]
)
def test_a_health_remark_stays_own_words_under_no_label(extract: Extract, text: str) -> None:
    for candidate in extract(text).candidates:
        assert candidate.topic is Topic.OTHER
        assert candidate.slot is None
        assert candidate.content in text


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Вчера меня уволили с работы.", Topic.WORK),
        ("Мы купили билеты на самолёт.", Topic.TRAVEL),
        ("I adopted a kitten.", Topic.PETS),
        ("I'm saving money for a loan.", Topic.MONEY),
    ],
)
def test_the_topic_comes_from_the_words(extract: Extract, text: str, topic: Topic) -> None:
    assert extract(text).candidates[0].topic is topic


def test_doubt_hearsay_and_conditions_lower_the_confidence(extract: Extract) -> None:
    sure = extract("I lost my keys.").candidates[0].confidence
    for text in ("Maybe I lost my keys.", "If I lost my keys, I'd cry.", "I dreamed that I lost my keys."):
        assert extract(text).candidates[0].confidence < sure


def test_hearsay_is_held_by_who_said_it(extract: Extract) -> None:
    found = extract("Олег сказал, что увольняется.")
    assert found.candidates[0].holder == "person:Олег"
    assert Modality.REPORTED in found.candidates[0].modality


def test_a_partners_words_are_about_the_partner(extract: Extract) -> None:
    found = extract("I moved to Oslo with my mom. I'm so tired.", role="other", speaker="Melanie")
    about = {candidate.type: candidate.about for candidate in found.candidates}
    assert about[NodeType.EVENT] == about[NodeType.EMOTIONAL_NOTE] == "person:Melanie"
    assert about[NodeType.PERSON] == "person:mom (Melanie)"
    assert {candidate.holder for candidate in found.candidates} == {"person:Melanie"}


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_people_are_evidence(extract: Extract, role: str) -> None:
    assert extract("I live in Oslo and my sister Kate is a nurse.", role=role).candidates == ()


def test_the_same_unit_gives_the_same_extraction(extract: Extract) -> None:
    text = "Вчера меня уволили, потому что начальник Олег меня не любит. I feel awful and I need to find a job by Friday."
    assert extract(text) == extract(text)
