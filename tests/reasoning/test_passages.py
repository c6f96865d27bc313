"""Quotations, fiction, games, dreams and jokes label the clauses that stand in them, and nothing else."""

from __future__ import annotations

import pytest

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.candidates import Modality, NodeType
from memory_lib.reasoning.clauses.clauses import clauses_of
from memory_lib.reasoning.clauses.passages import game_of
from memory_lib.reasoning.trees.sentence_tree import SentenceTree
from tests.reasoning.conftest import Extract


@pytest.mark.parametrize(
    ("text", "stem", "modality"),
    [
        ('The ferryman shouted, "I lost both my oars and I am bleeding!"', "oars", Modality.QUOTED),
        ("Тётя пишет: «Я продала гараж, живу теперь у моря».", "гараж", Modality.QUOTED),
        ("I dreamt I ran a hotel. I hid the guests in the cellar.", "cellar", Modality.FICTIONAL),
        ("Снилось, что я дирижёр. Я потерял палочку.", "палочку", Modality.FICTIONAL),
        ("In my screenplay I'm a safecracker with one lung.", "safecracker", Modality.FICTIONAL),
        ("В нашей пьесе я вдовец и торгую рыбой.", "вдовец", Modality.FICTIONAL),
        ("Let's play: you are a judge and I am a poacher.", "poacher", Modality.FICTIONAL),
        ("Давай поиграем, ты капитан, а я беглый каторжник.", "каторжник", Modality.FICTIONAL),
        ("I'm marrying my bicycle on Friday. Just kidding!", "bicycle", Modality.JOKING),
        ("Бросаю всё и уезжаю пасти яков. Шутка.", "яков", Modality.JOKING),
        ("Yeah right, I own a castle.", "castle", Modality.JOKING),
        ("Ага, конечно, я балерина.", "балерина", Modality.JOKING),
    ],
)
def test_what_stands_in_such_a_passage_is_labelled(extract: Extract, text: str, stem: str, modality: Modality) -> None:
    told = [c for c in extract(text).candidates if stem in c.content and c.type is not NodeType.PERSON]
    assert all(modality in candidate.modality for candidate in told)


@pytest.mark.parametrize(
    "text",
    [
        'I work at "Larkspur".',
        "Я работаю в «Ромашке».",
        "I'm not joking, I moved to Leeds.",
        "Я не шучу, переехал в Псков.",
        "I write novels for a living.",
        "Я пишу романы.",
        "I burned the rice, lol.",
    ],
)
def test_a_name_a_denial_of_joking_or_a_laugh_labels_nothing(parser: BilingualParser, text: str) -> None:
    unreal = {Modality.QUOTED, Modality.FICTIONAL, Modality.JOKING}
    assert not any(clause.has(modality) for clause in clauses_of(parser.parse(text)) for modality in unreal)


@pytest.mark.parametrize(
    ("game", "later", "over"),
    [
        ("Let's role-play: you are a queen and I am a baker.", "I have nine sons.", "Stop the game, I have two sons."),
        ("Давай сыграем: ты царь, а я пекарь.", "У меня девять сыновей.", "Стоп игра, у меня два сына."),
    ],
)
def test_a_game_goes_on_over_messages_until_it_is_stopped(extract: Extract, game: str, later: str, over: str) -> None:
    playing = extract(later, before=[("user", game)])
    assert all(Modality.FICTIONAL in candidate.modality for candidate in playing.candidates if candidate.type is NodeType.FACT)
    ended = extract(over, before=[("user", game)])
    assert any(c.type is NodeType.FACT and Modality.FICTIONAL not in c.modality for c in ended.candidates)


@pytest.mark.parametrize("text", ["I play the oboe.", "Играю на гобое.", "We watched the game yesterday."])
def test_playing_something_is_no_game_of_make_believe(parser: BilingualParser, text: str) -> None:
    game = game_of([SentenceTree(sentence) for sentence in parser.parse(text).sentences])
    assert game.begins is None


@pytest.mark.parametrize(
    "text", ['She told me: "I am expecting twins and I hate it."', "Она сказала: «Я жду близнецов и злюсь»."]
)
def test_what_another_says_of_themselves_is_not_about_the_speaker(extract: Extract, text: str) -> None:
    inside = [c for c in extract(text).candidates if Modality.QUOTED in c.modality]
    assert inside
    assert all(candidate.about != "self" or "told" in candidate.content for candidate in inside)
