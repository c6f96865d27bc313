"""People named by what they are to the speaker: "my sister Kate", "сестру зовут Катя"."""

# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Iterator

from memory_lib.reasoning.people.person_mention import PersonMention
from memory_lib.reasoning.people.written_names import (
    CAPITALISED,
    OWN,
    full_names_of,
    gender_of,
    is_name,
    is_small_after_relation,
    is_small_predicate,
    nominative,
    qualifier_of,
    whole_name,
)
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.kinship_words import BARE_KIN, FEMALE_WORDS, MALE_WORDS, RELATIONS

_OTHERS_OWN = frozenset({"your", "his", "her", "their", "твой", "ваш", "его", "ее", "её", "их"})


def people_by_relation(tree: SentenceTree, number: int, people: set[int]) -> Iterator[PersonMention]:
    """People of one sentence. ``number``: its place in the parse; ``people``: tokens that the recogniser takes for people."""
    for index, token in enumerate(tree.tokens):
        lemma, last = _compound(tree, index)
        known = RELATIONS.get(lemma) or (RELATIONS.get(token.text.lower()) if lemma == token.lemma else None)
        if known is None or token.pos not in {"NOUN", "PROPN", "ADJ"}:
            continue
        if token.pos == "ADJ" and not tree.children(index, "det"):
            continue
        if token.features.get("Number") == "Plur" and known[0] != "parents":
            continue
        owners = {tree[child].lemma for child in tree.children(index, "det", "nmod", "amod")}
        owner_words = {tree[child].text.lower() for child in tree.children(index, "det", "nmod")}
        own = bool((owners | owner_words) & OWN) or _has_me(tree, index)
        foreign = bool((owners | owner_words) & _OTHERS_OWN)
        name_tokens = _name_of(tree, index, people, last=last)
        named_by = named_by_verb(tree, index) if not name_tokens else []
        bare = lemma in BARE_KIN or token.text.lower() in BARE_KIN
        article = any(tree[child].text.lower() in {"a", "an", "the", "any", "every"} for child in tree.children(index, "det"))
        if bare and not own and not name_tokens and (article or tree.children(index, "cop")):
            continue
        if foreign or not (own or name_tokens or (bare and not _possessed(tree, index)) or named_by):
            continue
        if known[0] in {"child", "doctor", "teacher", "client", "therapist", "coach"} and not (own or name_tokens):
            continue
        if _negated_existence(tree, index):
            continue
        tokens = sorted({index, *name_tokens})
        start, end = tree[tokens[0]].start, tree[tokens[-1]].end
        if name_tokens and tokens[-1] - tokens[0] > len(tokens) + 1:  # the name stands apart: it carries the mention
            start, end = tree[name_tokens[0]].start, tree[name_tokens[-1]].end
        said = [tree[i] for i in (name_tokens or named_by)]
        name = " ".join(nominative(word) for word in said)
        gender = known[1]
        word = lemma if lemma in RELATIONS else token.text.lower()
        if word in FEMALE_WORDS:
            gender = "f"
        elif word in MALE_WORDS:
            gender = "m"
        elif gender == "n" and said:
            gender = gender_of(said[0])
        yield PersonMention(
            start, end, name, known[0], word, gender, number, index, tuple(sorted({*tokens, *named_by})),
            full_name=full_names_of(name, gender), qualifier=qualifier_of(tree, index) or qualifier_of(tree, name_tokens[0] if name_tokens else index),
        )  # fmt: skip


def _has_me(tree: SentenceTree, index: int) -> bool:
    """As in "у меня есть сестра", "I have a sister"."""
    head = tree[index].head
    if head < 0:
        return any(
            tree.case(child) == "у" and tree[child].lemma in {"я", "мы"} for child in tree.children(index, "obl", "nmod")
        )
    if relation(tree[index]) == "nsubj" and any(
        tree.case(child) == "у" and tree[child].lemma in {"я", "мы"} for child in tree.children(head, "obl", "nmod")
    ):
        return True
    return (
        relation(tree[index]) == "obj"
        and tree[head].lemma in {"have", "got"}
        and any(tree[child].lemma in {"i", "we"} for child in tree.children(head, "nsubj"))
    )


def _possessed(tree: SentenceTree, index: int) -> bool:
    """As in "мама Олега", "Kate's mom": somebody else's."""
    return any(
        (relation(tree[child]) == "nmod" and tree[child].pos in {"NOUN", "PROPN"} and tree[child].features.get("Case") in {"Gen", None}
        and not CAPITALISED.match(tree[child].text))
        or (tree[child].relation == "nmod:poss" and tree[child].pos in {"NOUN", "PROPN"})
        for child in tree.children(index)
    )  # fmt: skip


def _negated_existence(tree: SentenceTree, index: int) -> bool:
    head = tree[index].head
    family = [index] if head < 0 else [index, head]
    return (
        any(
            tree[child].text.lower() in {"no", "нет", "нету"} or (child != index and tree[child].lemma in {"нет", "нету"})
            for member in family
            for child in tree.children(member, "det", "advmod", "cop", "aux")
        )
        or (head >= 0 and tree[head].lemma in {"нет", "нету"})
        or (
            head >= 0
            and tree[head].lemma in {"have", "есть"}
            and any(tree[child].text.lower() in {"not", "n't", "не"} for child in tree.children(head, "advmod"))
        )
    )


def _compound(tree: SentenceTree, index: int) -> tuple[str, int]:
    """As in "sister-in-law", "half-brother": the whole word, and the place of its last part."""
    tokens = tree.tokens
    after = [token.text.lower() for token in tokens[index + 1 : index + 5]]
    if after == ["-", "in", "-", "law"]:
        return f"{tokens[index].lemma}-in-law", index + 4
    if (
        index >= 2
        and tokens[index - 1].text == "-"
        and tokens[index - 2].text.lower() in {"half", "step", "great", "god", "co"}
    ):
        return f"{tokens[index - 2].text.lower()}-{tokens[index].lemma}", index
    return tokens[index].lemma, index


def _name_of(tree: SentenceTree, index: int, people: set[int], *, last: int) -> list[int]:
    """Name tokens bound to the relation noun by apposition or standing right after (or, in Russian, before) it."""
    for child in tree.children(index, "appos", "flat", "nmod", "compound"):
        if child > index and is_name(tree, child, people) and not tree.case(child) and tree[child].relation != "nmod:poss":
            if child - index > 2 and not all(tree[k].text == "," or is_name(tree, k, people) for k in range(index + 1, child)):
                continue
            if relation(tree[child]) == "nmod" and someone_elses(tree, index, child):
                continue
            return whole_name(tree, child, people)
    place = last + 1
    if place < len(tree.tokens) and tree[place].lemma in {"мой", "наш"}:
        place = last = last + 1
        place += 1
    if [token.text.lower() for token in tree.tokens[place : place + 2]] in (["у", "меня"], ["у", "нас"]):
        place, last = place + 2, last + 2  # "начальник у меня Виктор Сергеич"
    comma = place < len(tree.tokens) and tree[place].text == ","
    if comma:
        place += 1
    if place < len(tree.tokens) and is_name(tree, place, people) and not someone_elses(tree, index, place):
        bound = tree[place].head in {index, last, tree[index].head} or tree[index].head == place
        if comma and (tree[place].head == index or tree[place - 2].lemma in {"мой", "наш"}):
            whole = whole_name(tree, place, people)
            if whole[0] == place and whole[-1] + 1 < len(tree.tokens) and tree[whole[-1] + 1].text == ",":
                return whole  # "Деверь мой, Рустам, …"
        if place == last + 1 and (
            bound or tree.sentence.language == "ru" or relation(tree[place]) in {"appos", "nsubj", "obj", "obl"}
        ):
            return whole_name(tree, place, people)
    if place == last + 1 and is_small_after_relation(tree, place):
        return [place]
    # "Kate is my sister", "my best friend is Kate".
    for child in tree.children(index, "nsubj"):
        if is_name(tree, child, people):
            return whole_name(tree, child, people)
    above = tree[index].head
    if relation(tree[index]) == "nsubj" and above >= 0 and tree[above].pos == "PROPN" and is_name(tree, above, people):
        return whole_name(tree, above, people)
    if relation(tree[index]) == "nsubj" and above > index and is_small_predicate(tree, above):
        return [above]
    # "Kate, my sister": the noun is the apposition.
    if relation(tree[index]) == "appos":
        head = tree[index].head
        if is_name(tree, head, people):
            return whole_name(tree, head, people)
    # "My sister's name is Kate".
    if tree[index].head >= 0 and tree[tree[index].head].lemma in {"name", "имя"}:
        name = tree[index].head
        above = tree[name].head
        for candidate in [above] if above >= 0 else []:
            if is_name(tree, candidate, people):
                return whole_name(tree, candidate, people)
    return []


def someone_elses(tree: SentenceTree, index: int, name: int) -> bool:
    """As in "сестра Олега": a genitive that does not agree with the noun's case is the owner, not the name."""
    if tree.sentence.language != "ru":
        return False
    mine, other = tree[index].features.get("Case"), tree[name].features.get("Case")
    if mine is None or other is None or mine == other:
        return False
    nominative = tree[name].text.lower() == tree[name].lemma
    return other == "Gen" and mine != "Gen" and not nominative


def named_by_verb(tree: SentenceTree, index: int) -> list[int]:
    """As in "сестру зовут Катя", "a sister named Kate"."""
    for place in range(max(0, index - 2), min(len(tree.tokens), index + 4)):
        if tree[place].text.lower() in {"зовут", "named", "called", "звали"}:
            for after in range(place + 1, min(len(tree.tokens), place + 4)):
                if CAPITALISED.match(tree[after].text) and tree[after].pos in {"PROPN", "NOUN", "X"}:
                    return [after]
    return []
