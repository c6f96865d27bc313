"""People named in a message: relation words, names, and the two together ("my sister Kate", "коллега Марина")."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Iterator

from memory_lib.domain.syntax import EntityKind, Parse
from memory_lib.reasoning.people.human_nouns import is_human
from memory_lib.reasoning.people.people_by_relation import people_by_relation
from memory_lib.reasoning.people.people_by_role import people_by_role
from memory_lib.reasoning.people.person_evidence import (
    acts_like_person,
    does_to_me,
    in_company,
    introduces_self,
    is_addressed,
    is_person_role,
    names_no_person,
    names_pet,
    stands_as_place,
)
from memory_lib.reasoning.people.person_mention import PersonMention
from memory_lib.reasoning.people.written_names import (
    full_names_of,
    gender_of,
    is_name,
    is_no_name,
    nominative,
    qualifier_of,
    whole_name,
)
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.name_forms import is_given_name
from memory_lib.reasoning.words.role_words import ROLES


def person_mentions(parse: Parse, *, known: frozenset[str] = frozenset()) -> tuple[PersonMention, ...]:
    """People of the text in order; one person may be mentioned several times.

    Args:
        known: names already known to be people's from earlier messages; a later mention needs no more evidence.
    """
    found: list[PersonMention] = []
    for number, sentence in enumerate(parse.sentences):
        if not sentence.has_tree:
            continue
        tree = SentenceTree(sentence)
        within = [entity for entity in parse.entities if sentence.start <= entity.start < sentence.end]
        people: set[int] = set()
        other: set[int] = set()
        for index, token in enumerate(sentence.tokens):
            for entity in within:
                if entity.start <= token.start and token.end <= entity.end:
                    (people if entity.kind is EntityKind.PERSON else other).add(index)
        things = {index for index, token in enumerate(sentence.tokens) if is_no_name(token)}
        people -= things
        other |= things
        used: set[int] = set()
        for mention in (*people_by_relation(tree, number, people), *people_by_role(tree, number, people | other)):
            if used.isdisjoint(mention.tokens):
                found.append(mention)
                used.update(mention.tokens)
        names = known | {mention.name for mention in found if mention.name}
        found.extend(_by_name(tree, number, people, other, used, names))
    return tuple(sorted(found, key=lambda mention: mention.start))


def _by_name(
    tree: SentenceTree, number: int, people: set[int], other: set[int], used: set[int], known: frozenset[str]
) -> Iterator[PersonMention]:
    taken = set(used)
    for index, token in enumerate(tree.tokens):
        known_noun = token.pos == "NOUN" and token.text in known
        if index in taken or not (known_noun or is_name(tree, index, people)):
            continue
        given = token.features.get("NameType") == "given" or is_given_name(token.lemma) or is_given_name(token.text)
        called = nominative(token)
        is_known = called in known
        if tree.sentence.language == "en" and any(tree.children(i, "det", "nummod") for i in whole_name(tree, index, people)):
            continue  # "the Hydra"
        told = relation(token) == "appos" and token.head >= 0 and token.pos == "PROPN" and is_human(tree, token.head)
        if index in other and not (given or is_known or told or does_to_me(tree, index) or in_company(tree, index)):
            continue
        tokens = [index] if known_noun else whole_name(tree, index, people)
        taken.update(tokens)
        if set(tokens) & used or is_addressed(tree, tokens) or introduces_self(tree, tokens) or names_pet(tree, tokens[0]):
            continue
        if names_no_person(tree, tokens):
            continue
        placed = stands_as_place(tree, tokens)
        sure = is_known or told or (given and not placed) or (index in people and is_person_role(tree, tokens) and not placed)
        if tree.sentence.language == "ru" and not given and token.features.get("NameType") != "family" and len(tokens) < 2:
            sure = sure and (is_known or relation(token) in {"nsubj", "iobj"})
        if not sure and not acts_like_person(tree, tokens):
            continue
        if tree.sentence.language == "ru" and token.lemma.rsplit("-", 1)[-1] in ROLES and len(tokens) > 1:
            tokens = tokens[1:]
        name = " ".join(nominative(tree[i]) for i in tokens)
        yield PersonMention(
            tree[tokens[0]].start, tree[tokens[-1]].end, name, "", "", gender_of(tree[tokens[0]]), number, tokens[0], tuple(tokens),
            full_name=full_names_of(name, gender_of(tree[tokens[0]])), qualifier=qualifier_of(tree, tokens[0]),
        )  # fmt: skip
