"""What a topic names, which words are covered for it, and what its rule keeps out; both languages."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from memory_lib.domain.candidates import NodeType, Span
from memory_lib.domain.ids import IdKey, MessageId
from memory_lib.domain.node import Node
from memory_lib.policies.covering import COVER, covered, uncovered
from memory_lib.policies.forgetting import (
    AskedTopic,
    Passage,
    Talk,
    asked_topic,
    choose,
    keyed_stems,
    matching_places,
    passages,
    rule_statements,
    sentences,
    spans_to_cover,
)
from memory_lib.policies.stems import Stemmer
from memory_lib.settings import Settings
from tests.policies.formed import formed, said, unit

PARAMS = Settings().forgetting
STEMMER = Stemmer(PARAMS.stems)
KEYED = keyed_stems(IdKey(b"k" * 32))
MESSAGE = MessageId("m" * 32)


def read(text: str) -> list[Passage]:
    return passages(MESSAGE, text, stemmer=STEMMER)


def asked(topic: str, text: str) -> AskedTopic:
    return asked_topic(topic, read(text), stemmer=STEMMER, params=PARAMS)


def test_sentences_keep_their_places_and_what_is_covered_is_none() -> None:
    text = "We split up.  The kids stay!\nOk\n███. Да? «Нет».  "
    assert [text[start:end] for start, end in sentences(text)] == ["We split up.", "The kids stay!", "Ok", "Да?", "«Нет»."]


@pytest.mark.parametrize(
    ("topic", "says", "does_not"),
    [
        ("my divorce", "We got divorced.", "The children live with me."),
        ("мой развод", "Мы развелись.", "Дети живут со мной."),
        ("the debt to my uncle", "I owe him money.", "My uncle keeps bees."),
        ("долг дяде", "Я занял у него денег.", "Мой дядя держит пчёл."),
        ("my dog Rex", "Rex barks.", "I have a cat."),
        ("работа в Люмене", "Я ушла из Люмена.", "Я работаю дома."),
        ("мой отец", "Отцом назвали улицу, в газете пишут об отце.", "Мой брат играет на тромбоне."),
        ("молитвы", "Вчера соседка молилась вслух.", "Он, мол, устал."),
        ("танцы", "Она хорошая танцовщица и танцевала всю ночь.", "Она водила танк."),
        ("бессонница", "Полночи ворочался, уснуть вышло к утру.", "Я варю кофе."),
        ("insomnia", "I slept badly.", "I slipped on the ice."),
        ("the prayers and the diet", "She prayed at night.", "She reads at night."),
        ("поездка в Тверь", "Мы гуляли по Твери.", "Мы планируем поездку на дачу."),
        ("my job at Lumen Labs", "Lumen Labs closed.", "The labs at school were fun."),
    ],
)
def test_words_families_and_names_say_it_kinds_alone_do_not(topic: str, says: str, does_not: str) -> None:
    found = asked(topic, f"{says} {does_not}")
    one, other = read(f"{says} {does_not}")
    assert found.share(one.stems) >= PARAMS.word_share > found.share(other.stems)


def test_a_topic_without_a_word_names_nothing() -> None:
    assert asked("и это", "Мы развелись.").share({"развел"}) == 0.0


def graph(*texts: str) -> dict[str, Node]:
    state, _ = formed(*(unit(number, said(text)) for number, text in enumerate(texts, 1)))
    return {node: state.base(node) for node in state.node_ids}


def chosen_of(topic: str, *texts: str) -> set[str]:
    nodes = graph(*texts)
    told = [p for text in texts for p in read(text)]
    found = choose(
        asked_topic(topic, told, stemmer=STEMMER, params=PARAMS),
        nodes=nodes,  # type: ignore[arg-type]
        edges=(),
        said=told,
        meaning=lambda _: 0.0,
        stemmer=STEMMER,
        params=PARAMS,
    )
    return {nodes[ident].content for ident in found.nodes}


def picked_of(topic: str, *turns: tuple[str, str]) -> set[str]:
    """The sentences that go, of turns (role, text) in one conversation."""
    texts = {MessageId(f"{place:032x}"): text for place, (_, text) in enumerate(turns)}
    told = [p for message, text in texts.items() for p in passages(message, text, stemmer=STEMMER)]
    own = [message for message, (role, _) in zip(texts, turns, strict=True) if role == "user"]
    replies = {
        one: other
        for (one, (role, _)), (other, (after, _)) in pairwise(zip(texts, turns, strict=True))
        if (role, after) == ("user", "assistant")
    }
    found = choose(
        asked_topic(topic, told, stemmer=STEMMER, params=PARAMS),
        nodes={},
        edges=(),
        said=told,
        meaning=lambda _: 0.0,
        stemmer=STEMMER,
        params=PARAMS,
        talk=Talk(texts, replies, [own]),
    )
    return {texts[p.message][p.start : p.end] for p in found.passages}


def test_a_sentence_that_means_the_one_before_goes_along_and_its_neighbour_stays() -> None:
    for topic, named, meant, other in (
        ("divorce", "We got divorced.", "It was humiliating.", "The flat is bright."),
        ("развод", "Мы развелись.", "Это было унизительно.", "Квартира светлая."),
    ):
        assert picked_of(topic, ("user", f"{named} {meant} {other}")) == {named, meant}


def test_who_is_spoken_of_without_a_name_in_the_next_turn_is_still_who_was_named() -> None:
    turns = [
        ("user", "Отца избрали старостой."),
        ("user", "Все ходят к нему за советом."),
        ("user", "Ей нравится чай."),
    ]
    assert picked_of("мой отец", *turns) == {turns[0][1], turns[1][1]}
    turns = [("user", "I miss my father."), ("user", "He taught me chess."), ("user", "She likes tea.")]
    assert picked_of("my father", *turns) == {turns[0][1], turns[1][1]}
    assert picked_of("my father's surgery", ("user", "My father had surgery."), turns[1]) == {"My father had surgery."}


def test_the_answer_to_a_question_about_the_topic_goes_whole_and_other_answers_do_not() -> None:
    answer = "A divorce takes months. Ask a lawyer."
    assert picked_of("divorce", ("user", "How long is a divorce?"), ("assistant", answer)) == {
        "How long is a divorce?",
        "A divorce takes months.",
        "Ask a lawyer.",
    }
    said = picked_of("divorce", ("user", "I got divorced. How do I bake bread?"), ("assistant", answer))
    assert said == {"I got divorced.", "A divorce takes months."}


def test_only_what_is_named_is_chosen() -> None:
    texts = ("I got divorced in March", "I live in Leeds", "Я живу в Туле", "Развод был в марте")
    assert chosen_of("divorce", *texts) == {texts[0], texts[3]}
    assert chosen_of("развод", *texts) == {texts[0], texts[3]}


def test_without_words_meaning_decides_for_what_says_enough() -> None:
    nodes = graph("My marriage ended badly last spring", "Sad")
    found = choose(
        asked("divorce", "x"),
        nodes=nodes,  # type: ignore[arg-type]
        edges=(),
        said=(),
        meaning=lambda _: PARAMS.meaning,
        stemmer=STEMMER,
        params=PARAMS,
    )
    assert [nodes[ident].content for ident in found.nodes] == ["My marriage ended badly last spring"]


def test_words_of_a_remaining_node_are_left_standing_and_so_is_the_end_of_the_sentence() -> None:
    text = "Oleg and I got divorced, but the children live with me."
    (kept,) = graph("x").values()
    proof = replace(kept.proofs[0], span=Span(MESSAGE, text.index("the children"), len(text) - 1))
    nodes = {kept.id: replace(kept, type=NodeType.FACT, proofs=(proof,))}
    (span,) = spans_to_cover(read(text), nodes, frozenset(), {MESSAGE: text})
    assert (
        covered(text, [(span.start, span.end)]) == "█" * (len("Oleg and I got divorced, but")) + " the children live with me."
    )


def test_a_rule_keeps_the_same_sentence_out_in_any_company_and_nothing_else() -> None:
    text = "Мы с Олегом развелись в марте. Дети живут со мной."
    told = read(text)
    topic = asked("развод", text)
    spans = [Span(MESSAGE, told[0].start, told[0].end - 1)]
    statements = rule_statements(topic, told[:1], spans, {MESSAGE: text}, keyed=KEYED, stemmer=STEMMER)
    assert "олег" not in repr(statements)
    again = "Привет! мы развелись с олегом, в марте, и я переехала. Дети живут со мной, Олег далеко."
    (place,) = matching_places(again, statements, keyed=KEYED, stemmer=STEMMER)
    assert again[slice(*place)] == "мы развелись с олегом, в марте"
    assert matching_places("Дети живут со мной. Олег приехал в марте.", statements, keyed=KEYED, stemmer=STEMMER) == []


def test_a_single_word_is_a_rule_only_where_the_topic_names_it() -> None:
    for text, count in (("Divorced.", 1), ("Tired.", 0)):
        told = read(text)
        spans = [Span(MESSAGE, 0, len(text) - 1)]
        found = rule_statements(asked("divorce", "Divorced."), told, spans, {MESSAGE: text}, keyed=KEYED, stemmer=STEMMER)
        assert len(found) == count


def test_covers_keep_every_other_place_and_are_read_as_nothing() -> None:
    text = "Рекс боится салютов.\nА Муся нет."
    hidden = covered(text, [(0, 19), (500, 600)])
    assert len(hidden) == len(text)
    assert hidden[19:] == text[19:]
    assert hidden[:19] == COVER * 19
    assert uncovered(hidden) == "….\nА Муся нет."
    assert uncovered(covered(text, [(0, len(text))])) == ""
    assert uncovered("plain text…") == "plain text…"
