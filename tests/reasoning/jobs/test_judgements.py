"""Offline rules and checks of the jobs that judge, in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory_lib.domain.candidates import Modality, NodeType, Valence
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.jobs import (
    anything_to_think,
    detect_displeasure,
    find_evidence,
    judge_pair,
    judge_worth,
    place_candidate,
    read_valence,
)
from tests.reasoning.jobs.asked import SETTINGS, mention, statement

PARAMS = SETTINGS.jobs


def answered(job, **fields):
    return job.Answer.model_validate(fields, strict=False)


# -- place -------------------------------------------------------------------------------


def placing(text, *known, language, cosine=None, **of):
    near = tuple(place_candidate.Neighbour(each if not isinstance(each, str) else statement(each), cosine) for each in known)
    return place_candidate.Inputs(candidate=statement(text, **of), neighbours=near, language=language, params=PARAMS.place)


@pytest.mark.parametrize(
    ("text", "known", "language", "cosine", "action"),
    [
        ("Пеку хлеб по субботам", "пеку хлеб по субботам!", "ru", None, "attach"),
        ("I bake bread on Saturdays", "i bake bread on saturdays!", "en", None, "attach"),
        ("Пеку хлеб каждую субботу", "Пеку хлеб по субботам", "ru", 0.95, "attach"),
        ("I bake bread every Saturday", "I bake bread on Saturdays", "en", 0.95, "attach"),
        ("Пеку ржаной хлеб по субботам", "Пеку хлеб", "ru", 0.7, "refine"),
        ("I bake rye bread on Saturdays", "I bake bread", "en", 0.7, "refine"),
        ("Жду троих гостей, 7 мая", "Жду троих гостей, 9 мая", "ru", 0.97, "create"),
        ("Guests come on 7 May", "Guests come on 9 May", "en", 0.97, "create"),
        ("Завела кота", "Пеку хлеб", "ru", 0.2, "create"),
        ("I got a cat", "I bake bread", "en", 0.2, "create"),
        ("Спасибо, понятно!", "Пеку хлеб", "ru", 0.1, "reject"),
        ("Thanks, got it!", "I bake bread", "en", 0.1, "reject"),
        ("…", "I bake bread", "en", 0.1, "reject"),
    ],
)
def test_a_candidate_is_placed(text, known, language, cosine, action):
    placed = place_candidate.offline(placing(text, known, language=language, cosine=cosine))
    assert placed.action == action
    assert (placed.neighbour == 0) is (action in {"attach", "refine"})


@pytest.mark.parametrize("other", [{"polarity": False}, {"about": "person:Nora"}, {"type": NodeType.EVENT}])
def test_what_differs_in_kind_person_or_denial_is_never_attached_to(other):
    inputs = placing("I bake bread", statement("I bake bread", **other), language="en", cosine=1.0)
    assert place_candidate.offline(inputs).action == "create"
    attach = answered(place_candidate, action="attach", neighbour=1)
    assert place_candidate.check(attach, inputs).value is None


@pytest.mark.parametrize("neighbour", [0, 2, 8])
def test_a_neighbour_that_is_not_there_is_a_problem(neighbour):
    inputs = placing("I bake bread", "I bake buns", language="en", cosine=0.8)
    found = place_candidate.check(answered(place_candidate, action="refine", neighbour=neighbour), inputs)
    assert (found.value, found.problems[0].code) == (None, "neighbour_out_of_range")


# -- pair --------------------------------------------------------------------------------


def pairing(older, newer, *, cosine=None, **other):
    sides = [each if not isinstance(each, str) else statement(each) for each in (older, newer)]
    return judge_pair.Inputs(older=sides[0], newer=sides[1], cosine=cosine, params=PARAMS.pair, **other)


def living(city, **other):
    return statement(f"Живу: {city}", slot_key="city", slot_value=city, slot_single=True, **other)


@pytest.mark.parametrize(
    ("inputs", "verdict", "decided"),
    [
        (pairing(living("Казань"), living("Тула")), "updates", True),
        (pairing(living("Leeds"), living("Bath")), "updates", True),
        (pairing(living("Казани"), living("Казань")), "same", True),
        (pairing(living("Казань"), living("Казань", polarity=False)), "updates", True),
        (pairing(living("Казань"), living("Тула", about="person:Кира")), "unrelated", True),
        (pairing("Пью кофе", statement("Не пью кофе", polarity=False), cosine=0.8), "contradicts", True),
        (pairing("I drink coffee", statement("I don't drink coffee", polarity=False), cosine=0.8), "contradicts", True),
        (pairing("Пью кофе", statement("Больше не пью кофе", polarity=False), cosine=0.8, announced=True), "updates", True),
        (pairing("I drink coffee", statement("no more coffee", polarity=False), cosine=0.55, change=0.9), "updates", False),
        (pairing("Я пробегаю 5 км утром", "Теперь я пробегаю 8 км утром", cosine=0.7, announced=True), "updates", True),
        (pairing("I run 5 km daily", "I run 8 km daily", cosine=0.7), "updates", True),
        (pairing("I run 5 km", "I run 8 km", cosine=0.2, announced=True), "unrelated", True),
        (pairing("Люблю хлеб", "люблю хлеб!"), "same", True),
        (pairing("Петя ударил Машу", "Маша ударила Петю", cosine=0.97), "unrelated", False),
    ],
)
def test_a_pair_is_judged(inputs, verdict, decided):
    found = judge_pair.offline(inputs)
    assert found.verdict == verdict
    assert (found.confidence > PARAMS.pair.confidence_proposed) is decided


def test_several_values_of_one_property_stand_side_by_side():
    liked = [statement(f"I like {what}", slot_key="like", slot_value=what) for what in ("bread", "bees")]
    assert judge_pair.offline(pairing(*liked, cosine=0.9)).verdict == "unrelated"


def test_a_models_verdict_over_two_people_or_two_numbers_does_not_stand():
    same = answered(judge_pair, verdict="same", confidence=90)
    assert judge_pair.check(same, pairing("I run 5 km", "I run 8 km")).value is None
    assert judge_pair.check(same, pairing("I run", statement("I run", about="person:Tom"))).value is None
    assert judge_pair.check(same, pairing("I run", "I am running")).value.confidence == 0.9


# -- valence -----------------------------------------------------------------------------


def test_without_a_parse_and_without_a_head_nothing_is_felt():
    assert read_valence.offline(read_valence.Inputs(text="Ура!", params=PARAMS.valence)) == read_valence.CALM


@pytest.mark.parametrize(
    ("scores", "valence"),
    [
        ({Valence.POSITIVE: 0.8, Valence.NEGATIVE: 0.1, Valence.NEUTRAL: 0.1}, Valence.POSITIVE),
        ({Valence.POSITIVE: 0.1, Valence.NEGATIVE: 0.7, Valence.NEUTRAL: 0.2}, Valence.NEGATIVE),
        ({Valence.POSITIVE: 0.4, Valence.NEGATIVE: 0.3, Valence.NEUTRAL: 0.3}, Valence.NEUTRAL),
        ({Valence.NEUTRAL: 0.9}, Valence.NEUTRAL),
    ],
)
def test_a_head_is_heard_where_it_is_sure_and_implies(scores, valence):
    felt = read_valence.offline(read_valence.Inputs(text="x", parse=Parse("en", ()), scores=scores, params=PARAMS.valence))
    assert felt.valence is valence
    assert not felt.stated


@pytest.mark.parametrize(
    ("text", "valence", "stated"),
    [
        ("Я очень рада, что ты приехал.", "positive", True),
        ("Мне грустно и одиноко.", "negative", True),
        ("I am so happy today.", "positive", True),
        ("I'm sad about the move.", "negative", True),
        ("Если бы я был счастлив!", "neutral", False),
        ("Поезд уходит в девять.", "neutral", False),
        ("The train leaves at nine.", "neutral", False),
    ],
)
def test_a_stated_feeling_is_read_from_the_tree(parser, text, valence, stated):
    felt = read_valence.offline(read_valence.Inputs(text=text, parse=parser.parse(text), params=PARAMS.valence))
    assert (felt.valence, felt.stated) == (valence, stated)
    assert (felt.intensity > 0) is (valence != "neutral")


def test_a_models_neutral_has_no_strength():
    inputs = read_valence.Inputs(text="x", params=PARAMS.valence)
    felt = read_valence.check(answered(read_valence, valence="neutral", intensity=80, stated=True), inputs).value
    assert (felt.intensity, felt.stated) == (0.0, False)


# -- worth -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "previous", "language", "score", "keep"),
    [
        ("Спасибо, понятно!", "", "ru", None, False),
        ("Thanks, got it!", "", "en", None, False),
        ("Да", "У тебя есть дети?", "ru", None, True),
        ("yes", "Do you have children?", "en", None, True),
        ("Подскажи, как почистить плитку", "", "ru", None, False),
        ("Can you tell a joke", "", "en", None, False),
        ("Подскажи, что подарить моей сестре", "", "ru", None, True),
        ("Can you find a gift for my sister", "", "en", None, True),
        ("Вчера сдала на права", "", "ru", None, True),
        ("I passed my driving test", "", "en", None, True),
        ("I passed my driving test", "", "en", 0.2, False),
        ("Вчера сдала на права", "", "ru", 0.8, True),
        ("…", "", "ru", 0.9, False),
    ],
)
def test_worth_is_kept_in_doubt(text, previous, language, score, keep):
    inputs = judge_worth.Inputs(text=text, previous=previous, language=language, score=score, params=PARAMS.worth)
    assert judge_worth.offline(inputs).keep is keep
    assert judge_worth.check(answered(judge_worth, worth=True, kind="fact"), inputs).value.keep


# -- displeasure -------------------------------------------------------------------------


def turn(last, *earlier, language, cosines=None, reply="…"):
    return detect_displeasure.Inputs(
        last=last, earlier=earlier, cosines=cosines, reply=reply, language=language, params=PARAMS.displeasure
    )


@pytest.mark.parametrize(
    ("inputs", "kind"),
    [
        (turn("Нет, я говорила про Самару", language="ru"), "correction"),
        (turn("No, I said Porto", language="en"), "correction"),
        (turn("Ты меня не слушаешь.", language="ru"), "displeasure"),
        (turn("You are not listening to me.", language="en"), "displeasure"),
        (turn("Ты опять всё забыл, это бесполезно", language="ru"), "displeasure"),
        (turn("Your answers are useless.", language="en"), "displeasure"),
        (turn("Начальник меня бесит", language="ru"), "none"),
        (turn("My boss makes me furious", language="en"), "none"),
        (turn("Что такое рифма?", language="ru"), "none"),
        (turn("Как отмыть плитку?", "Чем чистят кафель на кухне?", language="ru", cosines=(0.7,)), "rephrased_repeat"),
        (
            turn("How do I clean tiles?", "What gets a kitchen floor spotless?", language="en", cosines=(0.7,)),
            "rephrased_repeat",
        ),
        (turn("Как заварить чай утром?", "Как заварить чай вечером?", language="ru", cosines=(0.79,)), "none"),
        (
            turn("How do I brew tea in the morning?", "How do I brew tea in the evening?", language="en", cosines=(0.79,)),
            "none",
        ),
        (turn("Как отмыть плитку?", "Что посадить в мае?", language="ru", cosines=(0.3,)), "none"),
        (turn("This is useless", language="en", reply=""), "none"),
    ],
)
def test_displeasure_correction_and_repeats(inputs, kind):
    found = detect_displeasure.offline(inputs)
    assert found.kind == kind
    assert (found.repeats == 0) is (kind == "rephrased_repeat")
    assert 0 < found.confidence <= 1


def test_a_repeat_of_a_turn_that_is_not_there_is_a_problem():
    inputs = turn("How?", "What?", language="en")
    repeat = answered(detect_displeasure, kind="rephrased_repeat", turn=1)
    assert detect_displeasure.check(repeat, inputs).value.repeats == 0
    for number in (0, 2, 3):
        found = detect_displeasure.check(repeat.model_copy(update={"turn": number}), inputs)
        assert (found.value, found.problems[0].code) == (None, "turn_out_of_range")


# -- look --------------------------------------------------------------------------------

QUIET = anything_to_think.Inputs(
    messages=2, intensities=(), significant_events=0, open_loops=0, contradictions=0, params=PARAMS.look
)


@pytest.mark.parametrize(
    ("other", "think"),
    [
        ({}, False),
        ({"messages": 0, "open_loops": 3}, False),
        ({"messages": 5}, True),
        ({"intensities": (0.3,)}, False),
        ({"intensities": (0.3, 0.8)}, True),
        ({"significant_events": 1}, True),
        ({"open_loops": 1}, True),
        ({"contradictions": 1}, True),
    ],
)
def test_there_is_something_to_think_about_or_not(other, think):
    look = anything_to_think.offline(replace(QUIET, **other))
    assert look.think is think
    assert all(replace(QUIET, **other).counts[reason] > 0 for reason in look.reasons)


def test_a_model_names_only_reasons_that_are_there():
    look = anything_to_think.check(answered(anything_to_think, think=True, reasons=["contradiction", "new_messages"]), QUIET)
    assert [reason.value for reason in look.value.reasons] == ["new_messages"]
    assert look.problems[0].code == "reason_without_count"
    bare = anything_to_think.check(answered(anything_to_think, think=True, reasons=[]), QUIET)
    assert [reason.value for reason in bare.value.reasons] == ["new_messages"]
    nothing = answered(anything_to_think, think=True, reasons=["new_messages"])
    assert anything_to_think.check(nothing, replace(QUIET, messages=0)).value is None


# -- evidence ----------------------------------------------------------------------------


def weighing(text, *mentions, subjects, valence=None):
    claim = find_evidence.Claim(text="…", subjects=subjects, valence=valence)
    return find_evidence.Inputs(claim=claim, text=text, mentions=mentions, params=PARAMS.evidence)


RUN_RU, RUN_EN = "Утренние пробежки меня радуют", "Morning runs make me happy"


@pytest.mark.parametrize(
    ("inputs", "verdict"),
    [
        (
            weighing(RUN_RU, mention(RUN_RU, valence=Valence.POSITIVE), subjects=("пробежка",), valence=Valence.POSITIVE),
            "supports",
        ),
        (
            weighing(RUN_EN, mention(RUN_EN, valence=Valence.POSITIVE), subjects=("morning",), valence=Valence.NEGATIVE),
            "refutes",
        ),
        (weighing(RUN_EN, mention(RUN_EN), subjects=("morning",), valence=Valence.NEGATIVE), "neither"),
        (weighing(RUN_EN, mention(RUN_EN), subjects=("bees",)), "neither"),
        (weighing(RUN_RU, mention(RUN_RU), subjects=("пробежки",)), "supports"),
        (weighing(RUN_RU, mention(RUN_RU, polarity=False), subjects=("пробежки",)), "refutes"),
        (weighing(RUN_EN, mention(RUN_EN, about="person:Tom"), subjects=("morning",)), "neither"),
        (weighing(RUN_EN, mention(RUN_EN, modality=(Modality.CONDITIONAL,)), subjects=("morning",)), "neither"),
        (weighing(RUN_EN, subjects=("morning",)), "neither"),
    ],
)
def test_evidence_is_matched_by_structure(inputs, verdict):
    found = find_evidence.offline(inputs)
    assert found.verdict == verdict
    assert (found.end > found.start) is (verdict != "neither")


def test_a_models_evidence_rests_on_words_of_the_message():
    inputs = weighing(RUN_EN, subjects=("morning",))
    found = find_evidence.check(answered(find_evidence, verdict="supports", quote="make me happy"), inputs).value
    assert RUN_EN[found.start : found.end] == "make me happy"
    assert find_evidence.check(answered(find_evidence, verdict="refutes", quote="make me sad"), inputs).value is None
    assert find_evidence.check(answered(find_evidence, verdict="neither", quote="whatever"), inputs).value.verdict == "neither"
