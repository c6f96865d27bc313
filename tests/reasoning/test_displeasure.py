"""Cues of displeasure with the assistant, correction and asking again, in both languages; what they must not take for one."""

from __future__ import annotations

import numpy as np
import pytest

from memory_lib.reasoning.judging.displeasure import displeasure_cue
from memory_lib.reasoning.judging.heads import LinearHead
from memory_lib.reasoning.words.displeasure_cues import CUES, CueKind
from memory_lib.settings import Settings

PARAMS = Settings().detectors.displeasure


def kind(text: str, language: str, reply: str = "") -> str | None:
    found = displeasure_cue(text, language=language, reply=reply, params=PARAMS)
    return None if found is None else found.kind.value


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Ты совсем меня не слушаешь", "ru", "displeasure"),
        ("Опять ерунда какая-то", "ru", "displeasure"),
        ("Хватит мне давать советы", "ru", "displeasure"),
        ("Сколько можно повторять одно и то же", "ru", "displeasure"),
        ("Почему ты всё время повторяешь мои слова?", "ru", "displeasure"),
        ("Ответь уже на мой вопрос", "ru", "displeasure"),
        ("Нет, я говорила про Минск", "ru", "correction"),
        ("Ты неправильно меня понял", "ru", "correction"),
        ("Я такого не говорил", "ru", "correction"),
        ("Еще раз: где ближайший почтамт?", "ru", "rephrased_repeat"),
        ("You never listen to me", "en", "displeasure"),
        ("That answer is useless", "en", "displeasure"),
        ("Stop giving me lists", "en", "displeasure"),
        ("How many times do I have to repeat it", "en", "displeasure"),
        ("That's not what I asked", "en", "displeasure"),
        ("You misunderstood me, the trip is in June", "en", "correction"),
        ("I never said that", "en", "correction"),
        ("Let me rephrase: where is the post office?", "en", "rephrased_repeat"),
    ],
)
def test_cues_are_found(text, language, expected):
    assert kind(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Мой начальник совсем меня не слушает", "ru"),
        ("Сосед опять несёт чушь", "ru"),
        ("Я забыла зонт в кафе", "ru"),
        ("Еще раз спасибо, ты выручил", "ru"),
        ("Ты знаешь, что такое рифма?", "ru"),
        ("Мне не понравился фильм", "ru"),
        ("Врач сказал, что это неправда", "ru"),
        ("My brother never listens to me", "en"),
        ("The kettle I bought is useless", "en"),
        ("I stopped giving her lists", "en"),
        ("He got it wrong again", "en"),
        ("Thanks, that helps a lot", "en"),
        ("Do you understand French?", "en"),
    ],
)
def test_other_peoples_faults_and_plain_questions_are_none(text, language):
    assert kind(text, language) is None


def test_no_after_a_question_is_an_answer():
    assert kind("Нет, не в мае, а в июне", "ru", reply="Поездка была в мае.") == "correction"
    assert kind("Нет, не в мае, а в июне", "ru", reply="Вы едете в мае?") is None
    assert kind("No, it's on Friday, not Monday", "en", reply="Your exam is on Monday.") == "correction"
    assert kind("No, it's on Friday, not Monday", "en", reply="Is your exam on Monday?") is None


def test_an_event_goes_before_asking_again_and_its_place_is_told():
    text = "Hm. You keep repeating the same. Let me rephrase: when does it open?"
    found = displeasure_cue(text, language="en", params=PARAMS)
    assert found.kind is CueKind.DISPLEASURE
    assert text[found.start : found.end].strip() == "You keep repeating the same."


def test_the_head_only_changes_the_confidence():
    head = LinearHead(("displeased", "other"), np.array([[1.0], [-1.0]], np.float32), np.zeros(2, np.float32))
    sure, unsure = np.array([3.0], np.float32), np.array([-3.0], np.float32)
    text = "You never listen to me"
    assert displeasure_cue(text, language="en", head=head, vector=sure, params=PARAMS).confidence == PARAMS.agreed
    assert displeasure_cue(text, language="en", head=head, vector=unsure, params=PARAMS).confidence == PARAMS.denied
    assert displeasure_cue(text, language="en", params=PARAMS).confidence == PARAMS.by_rule
    assert displeasure_cue("The sky is grey", language="en", head=head, vector=sure, params=PARAMS) is None


def test_every_cue_has_a_name_of_its_own_and_both_languages_have_each_kind():
    for cues in CUES.values():
        assert len({cue.name for cue in cues}) == len(cues)
        assert {cue.kind for cue in cues} == set(CueKind)


@pytest.mark.parametrize("text", ["", "нет " * 5_000, "you " * 5_000, "!" * 20_000, "\ud800"])
def test_odd_texts_are_looked_at_quickly(text):
    for language in ("ru", "en"):
        displeasure_cue(text, language=language, params=PARAMS)
