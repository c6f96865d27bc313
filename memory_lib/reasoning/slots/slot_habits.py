"""What one does as a rule, or no longer does, read off a clause."""

# ruff: noqa: C901, PLR0911 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memory_lib.domain.candidates import Slot
from memory_lib.domain.clause import Clause, Mark, Tense, Who
from memory_lib.domain.syntax import Token
from memory_lib.reasoning.slots.slot_values import slot
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.habit_words import DOINGS, GERUNDS, MEASURES, MOMENTARY, STOPPING, WHEN

_FREQUENT = re.compile(
    r"\b(?:every|each|usually|always|often|daily|twice|once a|times a|most days|regularly|кажд\w+|обычно|всегда|часто|постоянно|"
    r"регулярно|раза? в (?:день|неделю|месяц|год)|по (?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|утрам|"
    r"вечерам|ночам|выходным)|перед сном|до завтрака|в день|в неделю)\b"
)
_AT_THE_MOMENT = re.compile(
    r"\b(?:сейчас|пока|сижу|лежу|right now|at the moment|today|tonight|сегодня|воскресенье|уже \w+ (?:минут|час))\b"
)
_EXCEPT = re.compile(r"\b(?:no one|nobody|никто|hardly|rarely|seldom|редко|почти не|almost never)\b")


def is_stopped(clause: Clause, tree: SentenceTree) -> bool:
    """As in "I've stopped smoking", "бросила курить": the habit is over."""
    return tree[clause.head].lemma in STOPPING and _stopped_verb(clause, tree) is not None


def _stopped_verb(clause: Clause, tree: SentenceTree) -> int | None:
    for child in tree.children(clause.head, "xcomp", "ccomp", "advmod", "csubj", "advcl", "obj", "obl"):
        token = tree[child]
        infinitive = token.features.get("VerbForm") in {"Inf", "Ger", "Part"} or token.text.lower().endswith("ing")
        named = token.lemma in DOINGS or token.text.lower() in GERUNDS
        if named and token.pos in {"VERB", "NOUN"} and infinitive and child > clause.head:
            return child
    after = clause.head + 1  # "quit drinking beer": the parser takes the gerund for part of the noun
    if after < len(tree.tokens) and tree[after].lemma in DOINGS and tree[after].text.lower().endswith("ing"):
        return after
    return None


def habit_slots(clause: Clause, tree: SentenceTree, folded: str) -> Iterator[Slot]:
    """What the speaker does as a rule, or no longer does: "пить кофе", "drive work"."""
    if clause.subject.who not in {Who.SELF, Who.GROUP}:
        return
    head, token = clause.head, tree[clause.head]
    if token.lemma in STOPPING and not clause.negated and clause.tense in {Tense.PAST, Tense.PRESENT}:
        stopped = _stopped_verb(clause, tree)
        if stopped is not None:
            doing = _doing(tree, stopped, clause)
            yield slot("habit", doing or GERUNDS.get(tree[stopped].text.lower(), tree[stopped].lemma))
        return
    if token.lemma not in DOINGS or clause.tense is not Tense.PRESENT or clause.perfect or token.pos != "VERB":
        return
    if token.text.lower() == "есть":
        return  # "у меня есть", and not the infinitive of eating
    if token.features.get("Aspect") == "Prog" or _EXCEPT.search(folded):
        return  # "I'm drinking coffee"
    often = _FREQUENT.search(folded) is not None
    if not often and not clause.negated and _AT_THE_MOMENT.search(folded):
        return
    if clause.language == "ru" and token.lemma in MOMENTARY and not (often or clause.negated) and clause.subject.token is None:
        return
    if (
        clause.negated
        and clause.mark(Mark.NO_LONGER) is None
        and (often or any(tree[i].text.lower().rstrip("s") in WHEN for i in clause.own))
    ):
        return  # "I don't eat fish on Mondays": only then
    doing = _doing(tree, head, clause)
    if doing is not None:
        yield slot("habit", doing)


def _doing(tree: SentenceTree, verb: int, clause: Clause) -> str | None:
    """The verb's lemma with that of its object, else of its place; None where the object is only pointed at."""
    token = tree[verb]
    token = replace(token, lemma=GERUNDS.get(token.text.lower(), token.lemma))
    own = set(clause.own)
    if relation(token) == "compound" and token.head > verb and tree[token.head].pos == "NOUN":
        return f"{token.lemma} {_plain(tree[token.head])}"
    for child in tree.children(verb, "obj", "iobj", "xcomp", "obl", "nsubj"):
        below = tree[child]
        if relation(below) == "nsubj" and (child == clause.subject.token or below.pos != "NOUN"):
            continue  # Russian objects look like subjects to the parser
        if child not in own or child < verb or tree.case(child) or below.lemma in WHEN or relation(below) == "xcomp":
            continue
        if below.relation == "obl:tmod" or (relation(below) == "obl" and below.features.get("Case") != "Ins"):
            continue
        if below.pos in {"PRON", "DET"}:
            return None
        if below.lemma in MEASURES:
            inner = next((c for c in tree.children(child, "nmod") if tree[c].lemma not in WHEN), None)
            return None if inner is None else f"{token.lemma} {tree[inner].lemma}"
        if below.pos in {"NOUN", "PROPN", "ADJ"}:
            return f"{token.lemma} {_plain(below)}"
    for child in sorted(tree.children(verb, "obl", "nmod", "xcomp", "advmod")):
        below = tree[child]
        case = tree.case(child)
        infinitive = child > 0 and tree[child - 1].text.lower() == "to" and below.text.lower() == "work"
        placed = case in {"to", "in", "at", "on", "around", "through", "в", "во", "на", "по", "из", "along"}
        if child not in own or below.lemma in WHEN or not (infinitive or placed):
            continue
        if below.pos in {"NOUN", "PROPN"} or infinitive:
            return f"{token.lemma} {_plain(below)}"
    return token.lemma if token.lemma not in {"use", "play", "watch", "пользоваться", "смотреть", "ходить", "study"} else None


def _plain(token: Token) -> str:
    """An adjective used as a noun keeps its own form ("сладкое")."""
    return token.text.lower() if token.pos == "ADJ" or token.lemma.endswith(("ий", "ый", "ой")) else token.lemma
