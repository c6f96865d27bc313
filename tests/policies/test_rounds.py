"""The rounds arm: word index, formula, profiles, and what is handed over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory_lib.domain.ids import MessageId
from memory_lib.domain.message import Role
from memory_lib.errors import IllegalValue
from memory_lib.policies.rounds import (
    Bm25,
    Formula,
    Profile,
    ProfileParams,
    RoundEntry,
    RoundIndex,
    RoundParams,
    RoundQuery,
    SelectionParams,
    build_round_index,
    joins_previous,
    profile_of,
    round_text,
    score_rounds,
    select_rounds,
    speaker_label,
    turn_text,
    turns_considered,
)

PEOPLE = ProfileParams(
    k1=0.9,
    b=0.4,
    round_share=0.5,
    lexical_weight=0.5,
    lexical_alone=0.6,
    previous_weight=0.0,
    previous_alone=0.3,
    next_weight=0.2,
    session_weight=0.7,
    date_weight=0.6,
    speaker_weight=0.15,
    user_weight=0.0,
)
ASSISTANT = replace(
    PEOPLE,
    k1=1.2,
    b=0.75,
    round_share=0.0,
    lexical_weight=0.3,
    previous_alone=0.0,
    next_weight=0.0,
    session_weight=0.0,
    speaker_weight=0.0,
    user_weight=0.1,
)
PARAMS = RoundParams(
    profile=Profile.PEOPLE,
    formula=Formula.RECIPE,
    assistant_share=0.2,
    source_lexical_weight=0.02,
    prior_weight=0.0,
    people=PEOPLE,
    assistant=ASSISTANT,
)
PLAIN = replace(
    PEOPLE, next_weight=0.0, previous_alone=0.0, session_weight=0.0, round_share=0.0, date_weight=0.0, speaker_weight=0.0
)
SELECTION = SelectionParams(rounds=4, characters=300, considered=10, turn_characters=100, turn_overhead=5, round_overhead=10)
DAY = date(2024, 5, 1)


def people(**changed: float) -> RoundParams:
    return replace(PARAMS, people=replace(PEOPLE, **changed))


def turn(
    name: str,
    words: str,
    *,
    session: int = 0,
    position: int = 0,
    vector: Sequence[float] | None = None,
    speaker: str = "Anna",
    role: Role = Role.USER,
    day: date = DAY,
) -> RoundEntry:
    return RoundEntry(
        message=MessageId(name),
        session=session,
        position=position,
        at_us=(day.toordinal() * 1_000 + position) * 1_000_000,
        day=day,
        speaker=speaker,
        role=role,
        stems=tuple(words.split()),
        vector=None if vector is None else np.array(vector, np.float32),
    )


def ask(words: str, vector: Sequence[float] | None = None, **rest: object) -> RoundQuery:
    return RoundQuery(tuple(words.split()), None if vector is None else np.array(vector, np.float32), **rest)  # type: ignore[arg-type]


def names(index: RoundIndex, turns: Sequence[int]) -> list[str]:
    return [index.messages[each] for each in turns]


# -- words ---------------------------------------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.integers(0, 12), max_size=8), min_size=1, max_size=12), st.lists(st.integers(0, 12), max_size=5))
def test_bm25_equals_the_library(documents: list[list[int]], query: list[int]) -> None:
    if not any(documents):
        return
    terms = np.array([term for document in documents for term in document], np.int64)
    places = np.repeat(np.arange(len(documents)), [len(document) for document in documents])
    own = Bm25.build(terms, places, count=len(documents), vocabulary=13, k1=0.9, b=0.4).scores(query)
    library = bm25s.BM25(k1=0.9, b=0.4)
    library.index((documents, {str(term): term for term in range(13)}), show_progress=False)
    expected = library.get_scores(query) if query else np.zeros(len(documents))
    np.testing.assert_allclose(own, expected, atol=1e-5)


def test_an_empty_word_index_scores_nothing() -> None:
    empty = np.zeros(0, np.int64)
    assert Bm25.build(empty, empty, count=3, vocabulary=0, k1=1.0, b=0.5).scores([]).tolist() == [0.0, 0.0, 0.0]


def test_the_round_index_lends_a_turn_the_words_before_it_inside_its_session() -> None:
    index = build_round_index(
        [turn("a", "cat", position=0), turn("b", "tea", position=1), turn("c", "tea", session=1, position=0)], params=PARAMS
    )
    cat = [index.vocabulary["cat"]]
    assert (index.words.scores(cat) > 0).tolist() == [True, False, False]
    assert (index.round_words.scores(cat) > 0).tolist() == [True, True, False]


# -- the index -----------------------------------------------------------------------------------------------------------------


def test_the_order_of_entries_changes_nothing() -> None:
    entries = [turn(f"{s}{p}", f"w{s} w{p}", session=s, position=p, vector=[s, p, 1.0]) for s in range(3) for p in range(4)]
    one, other = build_round_index(entries, params=PARAMS), build_round_index(entries[::-1], params=PARAMS)
    assert one.messages == other.messages
    query = ask("w1 w2", [1.0, 0.5, 0.2])
    np.testing.assert_allclose(score_rounds(one, query, params=PARAMS).total, score_rounds(other, query, params=PARAMS).total)


def test_rounds_are_centred_on_their_own_mean() -> None:
    index = build_round_index([turn("a", "", vector=[1, 0.1]), turn("b", "", position=1, vector=[1, -0.1])], params=PARAMS)
    np.testing.assert_allclose(index.mean, [1, 0], atol=1e-6)
    np.testing.assert_allclose(index.vectors, [[0, 1], [0, -1]], atol=1e-5)
    np.testing.assert_allclose(index.centred(np.array([1, 5], np.float32)), [0, 1], atol=1e-6)


def test_a_store_of_one_round_leans_on_the_embedders_mean() -> None:
    entries = [turn("a", "", vector=[0.6, 0.8])]
    alone = build_round_index(entries, params=PARAMS)
    leaning = build_round_index(entries, params=replace(PARAMS, prior_weight=10.0), prior_mean=np.array([0.9, 0.0], np.float32))
    assert not alone.vectors.any()
    assert np.linalg.norm(leaning.vectors[0]) == pytest.approx(1.0)


def test_vectors_of_two_embedders_are_refused() -> None:
    with pytest.raises(IllegalValue, match="dimensions"):
        build_round_index([turn("a", "", vector=[1, 0]), turn("b", "", vector=[1, 0, 0])], params=PARAMS)


@pytest.mark.parametrize(
    ("roles", "profile"),
    [
        ([Role.USER, Role.OTHER], Profile.PEOPLE),
        ([Role.USER] * 4 + [Role.ASSISTANT], Profile.ASSISTANT),
        ([Role.USER] * 5 + [Role.ASSISTANT], Profile.PEOPLE),
        ([Role.USER] * 4 + [Role.ASSISTANT] + [Role.TOOL] * 9, Profile.ASSISTANT),
        ([], Profile.PEOPLE),
    ],
)
def test_the_share_of_assistant_turns_decides_the_profile(roles: list[Role], profile: Profile) -> None:
    assert profile_of(roles, params=replace(PARAMS, profile=Profile.AUTO)) is profile
    assert profile_of(roles, params=replace(PARAMS, profile=Profile.ASSISTANT)) is Profile.ASSISTANT


# -- the formula ---------------------------------------------------------------------------------------------------------------


def small() -> RoundIndex:
    """Three sessions of two turns; vectors spread over four directions around a common one."""
    spread = {"a": [0.3, 0, 0], "b": [0, 0.3, 0], "c": [-0.3, 0, 0], "d": [0, -0.3, 0], "e": [0, 0, 0.3], "f": [0, 0, -0.3]}
    entries = [
        turn(
            name,
            words,
            session=place // 2,
            position=place % 2,
            vector=[*spread[name], 1.0],
            speaker="Anna" if place % 2 else "Boris",
            day=DAY + timedelta(days=30 * (place // 2)),
        )
        for place, (name, words) in enumerate(
            {"a": "cat milk", "b": "dog bone", "c": "cat tree", "d": "tea cup", "e": "bus stop", "f": "rain"}.items()
        )
    ]
    return build_round_index(entries, params=PARAMS)


def test_parts_add_up_to_the_total() -> None:
    index = small()
    query = ask("cat dog", [0.2, 0.1, 0, 1], dates=[(DAY.toordinal(), DAY.toordinal(), 1.0)], speaker="Anna")
    scores = score_rounds(index, query, params=PARAMS)
    assert set(scores.parts) == {"dense", "lexical", "smoothing", "session", "dates", "speaker", "own"}
    np.testing.assert_allclose(sum(scores.parts.values()), scores.total, atol=1e-6)
    assert sum(scores.explained(0).values()) == pytest.approx(float(scores.total[0]), abs=1e-5)


def test_meaning_and_words_both_rank() -> None:
    index = small()
    params = replace(PARAMS, people=PLAIN)
    assert names(index, score_rounds(index, ask("", [0, 0, 1, 1]), params=params).ranked(1)) == ["e"]
    assert names(index, score_rounds(index, ask("rain"), params=params).ranked(1)) == ["f"]
    assert names(index, score_rounds(index, ask("cat", [1, 0, 0, 1]), params=params).ranked(1)) == ["a"]
    assert names(index, score_rounds(index, ask("cat", [-1, 0, 0, 1]), params=params).ranked(1)) == ["c"]


def test_the_lexical_weight_is_a_setting_that_decides() -> None:
    index = small()
    query = ask("rain", [0, 0, 1, 1])
    for weight, winner in ((0.0, "e"), (5.0, "f")):
        params = replace(PARAMS, people=replace(PLAIN, lexical_weight=weight))
        assert names(index, score_rounds(index, query, params=params).ranked(1)) == [winner]


def test_a_session_lifts_all_its_turns_by_its_best() -> None:
    index = small()
    parts = score_rounds(index, ask("rain"), params=people(next_weight=0.0, previous_alone=0.0)).parts
    np.testing.assert_allclose(parts["session"], 0.7 * np.array([0, 0, 0, 0, 0.6, 0.6]), atol=1e-6)


def test_neighbours_share_their_score_inside_a_session_only() -> None:
    index = small()
    parts = score_rounds(index, ask("cup"), params=people(round_share=0.0)).parts
    np.testing.assert_allclose(parts["smoothing"], [0, 0, 0.2 * 0.6, 0, 0, 0], atol=1e-6)
    parts = score_rounds(index, ask("tree"), params=people(round_share=0.0)).parts
    np.testing.assert_allclose(parts["smoothing"], [0, 0, 0, 0.3 * 0.6, 0, 0], atol=1e-6)


def test_dates_boost_and_never_filter() -> None:
    index = small()
    second = (DAY + timedelta(days=30)).toordinal()
    scores = score_rounds(index, ask("", [1, 0, 0, 1], dates=[(second, second, 0.5), (second, second + 1, 1.0)]), params=PARAMS)
    np.testing.assert_allclose(scores.parts["dates"], [0, 0, 0.6, 0.6, 0, 0], atol=1e-6)
    assert len(scores.ranked(6)) == 6


@pytest.mark.parametrize(("speaker", "boosted"), [("Anna", [1, 3, 5]), (None, []), ("Nobody", [])])
def test_the_named_speakers_turns_are_boosted(speaker: str | None, boosted: list[int]) -> None:
    parts = score_rounds(small(), ask("cat", speaker=speaker), params=PARAMS).parts
    assert np.flatnonzero(parts["speaker"]).tolist() == boosted


def test_the_assistant_profile_knows_no_session_speaker_or_neighbour() -> None:
    entries = [
        turn("q", "cat", position=0, speaker="", role=Role.USER),
        turn("r", "cat", position=1, speaker="", role=Role.ASSISTANT),
    ]
    index = build_round_index(entries, params=replace(PARAMS, profile=Profile.AUTO))
    assert index.profile is Profile.ASSISTANT
    scores = score_rounds(index, ask("cat"), params=PARAMS)
    assert names(index, scores.ranked(2)) == ["q", "r"]
    assert not scores.parts["session"].any()
    assert not scores.parts["smoothing"].any()
    np.testing.assert_allclose(scores.parts["own"], [0.1, 0], atol=1e-6)


def test_the_sources_formula_is_similarity_and_two_hundredths_of_words() -> None:
    index = small()
    scores = score_rounds(index, ask("cat", [1, 0, 0, 1]), params=replace(PARAMS, formula=Formula.SOURCE))
    words = index.words.scores([index.vocabulary["cat"]])
    dense = index.vectors @ index.centred(np.array([1, 0, 0, 1], np.float32))
    np.testing.assert_allclose(scores.total, dense + 0.02 * words / words.max(), atol=1e-6)


def test_without_a_vector_words_decide_and_without_words_meaning_does() -> None:
    index = small()
    assert not score_rounds(index, ask("cat"), params=PARAMS).parts["dense"].any()
    assert not score_rounds(index, ask("unheard", [1, 0, 0, 1]), params=PARAMS).parts["lexical"].any()
    assert not score_rounds(index, ask("unheard"), params=PARAMS).total.any()
    assert not score_rounds(index, ask("cat", [1.0, 0.0]), params=PARAMS).parts["dense"].any()


def test_a_question_of_nothing_scores_nothing_on_either_profile() -> None:
    entries = [turn("q", "cat"), turn("r", "cat", position=1, role=Role.ASSISTANT)]
    for profile in (Profile.PEOPLE, Profile.ASSISTANT):
        params = replace(PARAMS, profile=profile)
        assert not score_rounds(build_round_index(entries, params=params), ask(""), params=params).total.any()


def test_a_round_not_yet_embedded_is_lent_the_similarity_of_its_rank_among_word_matches() -> None:
    vectors = {"a": [0.3, 0, 1], "b": [0, 0.3, 1], "c": [-0.3, 0, 1], "d": [0, -0.3, 1]}
    entries = [turn(name, "tea", session=place, vector=vector) for place, (name, vector) in enumerate(vectors.items())]
    entries += [turn("new", "cat cat", session=9), turn("other", "rain", session=10)]
    entries[2] = replace(entries[2], stems=("cat", "tea", "tree"))
    index = build_round_index(entries, params=PARAMS)
    query = ask("cat", [0.5, 0.2, 1])
    dense = score_rounds(index, query, params=replace(PARAMS, people=PLAIN)).parts["dense"]
    best = np.sort(dense[:4])[::-1]
    assert dense[4] == best[0]  # first among the matches of "cat"
    assert dense[5] == 0.0  # shares no word
    later = ask("tree cat", [0.5, 0.2, 1])
    lent = score_rounds(index, later, params=replace(PARAMS, people=PLAIN)).parts["dense"][4]
    assert lent == best[1]  # second, after the turn that holds both words


def test_an_empty_store_answers_with_nothing() -> None:
    index = build_round_index([], params=PARAMS)
    scores = score_rounds(index, ask("cat", [1.0, 0.0]), params=PARAMS)
    assert scores.ranked(10) == []
    assert turns_considered(index, scores, params=SELECTION) == ()
    assert select_rounds(index, scores, {}, params=SELECTION) == ()


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=30), st.integers(0, 40))
def test_ranking_is_the_head_of_a_stable_sort(values: list[float], limit: int) -> None:
    index = build_round_index([turn(f"{place:02}", "", session=place) for place in range(len(values))], params=PARAMS)
    scores = replace(score_rounds(index, ask(""), params=PARAMS), total=np.array(values, np.float32))
    assert scores.ranked(limit) == sorted(range(len(values)), key=lambda place: (-values[place], place))[:limit]


# -- text ----------------------------------------------------------------------------------------------------------------------


def test_what_a_turn_and_a_round_are_in_words() -> None:
    assert turn_text("Hi", speaker="Anna", caption="a cat") == "Anna: Hi [photo: a cat]"
    assert turn_text("Привет", speaker=None, caption=None) == "Привет"
    assert round_text("Boris: Who?", "Anna: Me") == "Boris: Who?\nAnna: Me"
    assert round_text(None, "Anna: Me") == "Anna: Me"
    assert (speaker_label("Анна", Role.USER), speaker_label(None, Role.ASSISTANT)) == ("Анна", "assistant")


@pytest.mark.parametrize(
    ("role", "previous", "joined"),
    [
        (Role.USER, Role.OTHER, True),
        (Role.OTHER, Role.USER, True),
        (Role.USER, Role.USER, True),
        (Role.USER, Role.ASSISTANT, False),
        (Role.ASSISTANT, Role.USER, False),
        (Role.USER, None, False),
    ],
)
def test_a_vector_joins_the_turn_before_only_among_people(role: Role, previous: Role | None, joined: bool) -> None:
    assert joins_previous(role, previous) is joined


# -- what is handed over -------------------------------------------------------------------------------------------------------


def chat(sessions: int, turns: int) -> RoundIndex:
    entries = [turn(f"{s}.{p}", f"s{s} p{p}", session=s, position=p) for s in range(sessions) for p in range(turns)]
    return build_round_index(entries, params=replace(PARAMS, people=PLAIN))


def given_scores(index: RoundIndex, wanted: Sequence[str]) -> NDArray[np.float32]:
    total = np.zeros(len(index), np.float32)
    for rank, name in enumerate(wanted):
        total[index.position[MessageId(name)]] = 1.0 - rank / 100
    return total


def handed(
    index: RoundIndex, wanted: Sequence[str], *, length: int = 20, params: SelectionParams = SELECTION
) -> list[tuple[str, ...]]:
    scores = replace(score_rounds(index, ask(""), params=PARAMS), total=given_scores(index, wanted))
    texts = dict.fromkeys(index.messages, "x" * length)
    chosen = select_rounds(index, scores, texts, params=params)
    spent = sum(sum(len(shown) + params.turn_overhead for shown in each.shown) + params.round_overhead for each in chosen)
    assert spent <= params.characters
    assert len(chosen) <= params.rounds
    return [tuple(each.messages) for each in chosen]


def test_a_turn_comes_with_the_turn_before_it() -> None:
    assert handed(chat(2, 4), ["1.2"]) == [("1.1", "1.2")]


def test_the_first_turn_of_a_session_comes_alone() -> None:
    assert handed(chat(2, 4), ["1.0"]) == [("1.0",)]


def test_rounds_that_overlap_or_touch_are_joined_best_first() -> None:
    assert handed(chat(2, 6), ["1.5", "0.2", "0.4"]) == [("1.4", "1.5"), ("0.1", "0.2", "0.3", "0.4")]


def test_sessions_are_never_joined() -> None:
    assert handed(chat(2, 2), ["0.1", "1.0"]) == [("0.0", "0.1"), ("1.0",)]


def test_a_fifth_round_is_passed_over_but_a_turn_that_joins_is_not() -> None:
    wide = replace(SELECTION, characters=3_000)
    found = handed(chat(6, 4), ["0.1", "1.1", "2.1", "3.1", "4.1", "0.2"], params=wide)
    assert found == [("0.0", "0.1", "0.2"), ("1.0", "1.1"), ("2.0", "2.1"), ("3.0", "3.1")]


def test_where_the_turn_before_does_not_fit_the_turn_comes_alone() -> None:
    assert handed(chat(2, 4), ["0.1", "1.1"], length=80) == [("0.0", "0.1"), ("1.1",)]


def test_a_long_turn_is_cut_and_says_so_and_takes_what_is_left() -> None:
    index = chat(1, 1)
    scores = replace(score_rounds(index, ask(""), params=PARAMS), total=given_scores(index, ["0.0"]))
    text = "слово " * 200
    (found,) = select_rounds(index, scores, {MessageId("0.0"): text}, params=SELECTION)
    assert found.cut
    assert found.shown[0].endswith("…")
    assert 200 < len(found.shown[0]) <= SELECTION.characters
    (kept,) = select_rounds(index, scores, {MessageId("0.0"): "short"}, params=SELECTION)
    assert (kept.shown, kept.cut) == (("short",), False)


def test_a_window_chooses_what_remains() -> None:
    index = chat(1, 1)
    scores = replace(score_rounds(index, ask(""), params=PARAMS), total=given_scores(index, ["0.0"]))
    text = "a" * 500 + "NEEDLE" + "b" * 500
    (found,) = select_rounds(
        index, scores, {MessageId("0.0"): text}, params=SELECTION, window=lambda _, width: (500, 500 + width)
    )
    assert found.shown[0].startswith("…NEEDLE")
    assert found.shown[0].endswith("…")


def test_a_message_without_words_is_passed_over() -> None:
    index = chat(1, 3)
    scores = replace(score_rounds(index, ask(""), params=PARAMS), total=given_scores(index, ["0.1", "0.2"]))
    texts = {MessageId("0.0"): "one", MessageId("0.2"): "three"}
    assert [each.messages for each in select_rounds(index, scores, texts, params=SELECTION)] == [("0.2",)]


def test_only_the_texts_named_beforehand_are_needed() -> None:
    index = chat(3, 4)
    scores = replace(score_rounds(index, ask(""), params=PARAMS), total=given_scores(index, ["0.2", "2.0"]))
    assert set(turns_considered(index, scores, params=SELECTION)) == {"0.1", "0.2", "2.0"}


def test_what_scores_nothing_is_never_handed_over() -> None:
    assert handed(chat(2, 3), []) == []


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), unique=True, max_size=12),
    st.integers(1, 400),
    st.integers(1, 600),
)
def test_the_limits_hold_for_any_ranking(wanted: list[tuple[int, int]], length: int, characters: int) -> None:
    params = replace(SELECTION, characters=characters)
    handed(chat(4, 6), [f"{session}.{position}" for session, position in wanted], length=length, params=params)
