"""Whether a name is somebody: not a place, a pet, the speaker, or the one spoken to; or somebody by what they do."""

# ruff: noqa: PLR0911 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re

from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.pet_words import PETS
from memory_lib.reasoning.words.role_words import COMPANY_ENDINGS, HUMAN_NOUNS, INSTITUTIONS, LOCATING, PLACES

_GREETING = frozenset(
    """
    hey hi hello thanks thank wow congrats congratulations привет здравствуй здравствуйте спасибо ну эй дорогой дорогая
    ok okay oh bye aww yeah yes sure absolutely definitely
    """.split()
)


_SPEAKING = frozenset(
    """
    say tell call ask come go visit invite help give get buy marry move work live text write offer suggest love like
    think want leave сказать говорить позвонить приехать прийти написать подарить предложить помочь уехать переехать
    родиться
    """.split()
)


def names_no_person(tree: SentenceTree, tokens: list[int]) -> bool:
    """As in "Fernhill Bakery", "at Harrow Library", "школа «Росток»": a word of an organisation or a place is part of the name."""
    words = {tree[index].text.lower() for index in tokens} | {tree[index].lemma for index in tokens}
    last = tokens[-1]
    if last + 1 < len(tree.tokens) and tree[last].head == last + 1 and tree[last + 1].text[:1].isupper():
        words |= {tree[last + 1].lemma, tree[last + 1].text.lower()}
    if words & (INSTITUTIONS | PLACES):
        return True
    first = tokens[0]
    if len(tokens) > 1 and tree.lowered(last) in COMPANY_ENDINGS:
        return True
    if first > 0 and tree[first - 1].text in {"«", "“", '"', "``"}:
        return True  # names in quotation marks are of firms, books, ships
    governor = tree[tokens[0]].head
    return (
        governor >= 0
        and relation(tree[tokens[0]]) in {"appos", "flat", "compound"}
        and tree[governor].lemma in INSTITUTIONS | PLACES
        and tree[tokens[0]].relation != "nmod:poss"
    )


_SENDING = frozenset("text message call letter email mail note hear get news gift card word invitation present".split())


_TALKING = frozenset(
    """
    talk speak write say explain listen apologise apologize lie reply belong complain happen introduce marry engage propose
    send give show read lend tell
    """.split()
)


def stands_as_place(tree: SentenceTree, tokens: list[int]) -> bool:
    """As in "walked round Saltaire", "Went to Whitby", "a letter from Leeds", "во Владимире": counter-evidence to a person."""
    if tree.sentence.language == "ru":
        return tree.case(tokens[0]) in {"в", "во", "на"} and tree[tokens[0]].features.get("Case") == "Loc"
    first, last = tokens[0], tokens[-1]
    case = tree.case(last).split()
    before = tree[first - 1].text.lower() if first > 0 else ""
    governor = tree[last].head
    above = "" if governor < 0 else tree[governor].lemma
    farther = "" if governor < 0 or tree[governor].head < 0 else tree[tree[governor].head].lemma
    if "from" in case or before == "from":
        return not {above, farther} & _SENDING
    if "to" in case or before == "to":
        return not {above, farther} & _TALKING
    if "into" in {*case, before}:
        return above not in {"bump", "run"}
    return bool(LOCATING & {*case, before})


_TOGETHER = frozenset(
    """
    argument argue fight quarrel row talk speak chat dinner lunch breakfast coffee date walk live go meet conversation call
    flat room holiday trip drink hang dance travel sit
    """.split()
)


def in_company(tree: SentenceTree, index: int) -> bool:
    """As in "I talked to Nadia", "the argument with Nadia": one spoken to or met, whatever the recogniser took the name for."""
    token = tree[index]
    governor = token.head
    if tree.sentence.language != "en" or governor < 0 or tree.children(index, "compound", "det", "amod", "nummod"):
        return False
    if token.pos != "PROPN" or token.text.isupper():
        return False
    above = {tree[governor].lemma, "" if tree[governor].head < 0 else tree[tree[governor].head].lemma}
    case = tree.case(index)
    if case == "to":
        return tree[governor].lemma in _TALKING & {"talk", "speak", "apologise", "apologize", "lie", "explain"}
    return case == "with" and bool(above & _TOGETHER)


def does_to_me(tree: SentenceTree, index: int) -> bool:
    """As in "Marcus texted asking me", "Marcus stresses me out": who does or says something to the speaker, in one word of a name."""
    token = tree[index]
    verb = token.head
    if tree.sentence.language != "en" or token.pos != "PROPN" or relation(token) != "nsubj" or verb < 0:
        return False
    if tree[verb].pos != "VERB" or tree.children(index, "compound", "det", "amod", "nummod"):
        return False
    verbs = [verb, *tree.children(verb, "xcomp", "conj", "advcl")]
    return any(
        tree[child].lemma in {"i", "me"} or tree[child].text.lower() == "me"
        for member in verbs
        for child in tree.children(member, "obj", "iobj", "obl", "nsubj")
        if tree[child].text.lower() in {"me", "us"}
    )


def names_pet(tree: SentenceTree, index: int) -> bool:
    """As in "кошка Муся", "my dog Rex", "a cat named Luna": the name of an animal."""
    token = tree[index]
    if token.head >= 0 and relation(token) in {"appos", "flat", "nmod", "compound"} and tree[token.head].lemma in PETS:
        return True
    if any(tree[child].lemma in PETS and not tree.case(child) for child in tree.children(index, "compound", "appos", "nmod")):
        return True
    before = [tree[k] for k in range(max(0, index - 4), index)]
    if before and before[-1].lemma in PETS:
        return True
    return any(word.lemma in PETS for word in before) and any(
        word.text.lower() in {"named", "called", "зовут", "кличке", "кличка", "имени"} for word in before
    )


def is_person_role(tree: SentenceTree, tokens: list[int]) -> bool:
    """Whether the name stands where a person can stand."""
    head = tokens[-1]
    return relation(tree[head]) in {
        "nsubj",
        "obj",
        "iobj",
        "obl",
        "nmod",
        "appos",
        "conj",
        "root",
        "flat",
        "compound",
        "dep",
        "parataxis",
        "xcomp",
    }


_MEETING = frozenset("meet marry phone ring text invite hug kiss thank forgive date ask tell".split())


def acts_like_person(tree: SentenceTree, tokens: list[int]) -> bool:
    """A capitalised English name that the recogniser missed: subject of a human act, or company ("with Kate")."""
    if tree.sentence.language != "en":
        return False
    head = tokens[-1]
    token = tree[head]
    if token.pos != "PROPN" or tree.children(head, "det", "amod", "nummod") or len(token.text) < 3 or token.text.isupper():
        return False
    above = token.head
    if stands_as_place(tree, tokens):
        return False
    if does_to_me(tree, head):
        return True
    if relation(token) == "nsubj" and above >= 0:
        return (tree[above].lemma in _SPEAKING and tree[above].pos == "VERB") or any(
            tree[child].lemma == "i" for child in tree.children(head, "conj")
        )
    if token.relation == "nmod:poss":
        return above >= 0 and tree[above].lemma in HUMAN_NOUNS
    case = tree.case(head)
    if in_company(tree, head) or (case == "into" and above >= 0 and tree[above].lemma in {"bump", "run"}):
        return True
    if relation(token) == "obj" and above >= 0:
        return tree[above].lemma in _MEETING and any(tree[c].lemma in {"i", "we"} for c in tree.children(above, "nsubj"))
    if case == "to" and above >= 0:
        return tree[above].lemma in _TALKING
    return relation(token) in {"obl", "nmod"} and case == "with"


def is_addressed(tree: SentenceTree, tokens: list[int]) -> bool:
    """As in "Hey Kate!", "Thanks, Kate", "..., Kate!": the one spoken to."""
    first, last = tokens[0], tokens[-1]
    if relation(tree[last]) == "vocative" or relation(tree[first]) == "vocative":
        return True
    before = [tree[k].text.lower() for k in range(max(0, first - 3), first)]
    after = tree[last + 1].text if last + 1 < len(tree.tokens) else ""
    closed = after in {"", ",", "!", ".", "?", "…", "..."} or not any(letter.isalnum() for letter in after)
    if (
        closed
        and before
        and (
            before[-1] in _GREETING
            or (before[-1] in {",", "!"} and (after != "," or (len(before) > 1 and before[-2] in _GREETING)))
        )
    ):
        return relation(tree[last]) != "appos" or before[-1] in _GREETING or after in {"!", "?", "", "."}
    if relation(tree[first]) == "nsubj" and any(relation(tree[child]) == "appos" for child in tree.children(first)):
        return False  # "Кирилл, наш выпускающий, …"
    return bool(first == 0 and after in {",", "!"} and last + 1 < len(tree.tokens))


def introduces_self(tree: SentenceTree, tokens: list[int]) -> bool:
    """As in "I'm Kate", "меня зовут Катя", "my name is Kate"."""
    words = [tree[k].text.lower() for k in range(max(0, tokens[0] - 4), tokens[0])]
    text = " ".join(words)
    return bool(
        re.search(
            r"(?:\bi ?'?m|\bi am|my name is|my name 's|this is|calls? me|\bi go by|\bi answer to|\bi prefer|\bi'm called|\bi am called|call me|(?:known|christened|baptised|registered|born) (?:\w+ )?as|меня зовут|зовут меня|меня (?:все )?(?:зовут|кличут|называют)|кличут меня|называют меня|мое имя|моё имя|зовите меня|зови меня|это я)(?: просто)?$",
            text,
        )
        or (
            len(words) >= 1
            and words[-1] == "я"
            and tree[tokens[0]].pos == "PROPN"
            and relation(tree[tokens[0]]) in {"root", "appos"}
        )
        or re.search(r"^я(?: -| —| –|,)?$", text)
        or _is_own_other_name(tree, tokens[0], words)
        or _is_what_i_am_called(tree, tokens, words)
    )


_THIRD = frozenset({"он", "она", "они", "его", "её", "ее", "их", "he", "she", "they", "her", "him", "them"})


def _is_what_i_am_called(tree: SentenceTree, tokens: list[int], words: list[str]) -> bool:
    """As in "меня кстати Антон зовут": the name stands before the verb."""
    after = tree.lowered(tokens[-1] + 1) if tokens[-1] + 1 < len(tree.tokens) else ""
    return after in {"зовут", "звать", "кличут", "величают"} and "меня" in words and not _THIRD & set(words)


def _is_own_other_name(tree: SentenceTree, index: int, words: list[str]) -> bool:
    """As in "По паспорту я Наталья, но все зовут Тата", "it says Margaret on my passport"."""
    after = [tree[k].text.lower() for k in range(index + 1, min(len(tree.tokens), index + 4))]
    if after == ["on", "my", "passport"] or after[:2] == ["on", "my"] or words[-3:] == ["on", "my", "passport"]:
        return after[2:3] in (["passport"], ["licence"], ["license"], ["id"], ["papers"], ["certificate"], ["badge"])
    if not words or words[-1] not in {"зовут", "называют", "кличут", "величают"}:
        return False
    before = tree.tokens[:index]
    if any(token.text.lower() in _THIRD or (token.pos == "NOUN" and token.features.get("Case") == "Acc") for token in before):
        return False
    return any(token.text.lower() in {"я", "меня"} for token in before)
