"""Other people with whom a clause opens (pure): "half my class", "my eldest", "Ron next door", "у нас почти все", "младшему пять".

Read off the order of the words, since parsers lose such subjects: the first person in them ("my", "у нас") only tells whose
people they are. Where the first person stands anywhere else, as in "someone stole my bike", nothing is said here.
"""

# ruff: noqa: E501 - word lists and patterns read best on long lines
# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases
from __future__ import annotations

from memory_lib.domain.clause import Clause, PredicateKind
from memory_lib.reasoning.people.human_nouns import is_human
from memory_lib.reasoning.trees.sentence_tree import FIRST_PERSON, SentenceTree, is_mark
from memory_lib.reasoning.words.name_forms import is_given_name
from memory_lib.reasoning.words.opening_words import (
    ANYBODY,
    COLLECTIVES,
    INDIVIDUALS,
    LEFT_OUT,
    QUANTITIES,
    SMALL,
    STAND_FOR_KIN,
    WHEREABOUTS,
)

_INCLUDING = frozenset({"us", "we", "нас", "мы", "нам", "нами"})
_MINE = frozenset({"my", "our", "мой", "наш", "свой"})
_THIRD = frozenset({"он", "она", "они"})
_BEFORE_PEOPLE = frozenset({"of", "my", "our", "the", "these", "those", "из", "среди"}) | _MINE
_FAR = 7


def opening_person(tree: SentenceTree, clause: Clause) -> int | None:
    """The token that stands for the people whom the clause opens on; None where it opens on nobody, or on the speaker too."""
    words = [k for k in clause.own if not is_mark(tree[k])]
    if not words:
        return None
    found, last = _russian(tree, clause, words) if clause.language == "ru" else _english(tree, words)
    if found is None or _speaks_of_me(tree, words, clause, last):
        return None
    return found


def only_tells_whose(tree: SentenceTree, clause: Clause) -> bool:
    """Whether all of the first person in a clause about others tells whose people they are: "My oldest is …", "У меня жена …"."""
    if opening_person(tree, clause) is not None:
        return True
    subject = clause.subject.token
    if subject is None or clause.subject.inherited or not is_human(tree, subject):
        return False
    words = [k for k in clause.own if not is_mark(tree[k])]
    phrase = [k for k in tree.subtree(subject) if k < clause.head or k == subject]
    ahead = [k for k in words if k < phrase[0] and (tree[k].lemma in FIRST_PERSON or tree.lowered(k) in FIRST_PERSON)]
    if any(k == 0 or tree.lowered(k - 1) != "у" for k in ahead):
        return False  # "Меня бесит начальник"
    return not _speaks_of_me(tree, words, clause, phrase[-1])


def _speaks_of_me(tree: SentenceTree, words: list[int], clause: Clause, last: int) -> bool:
    """Whether the first person is more than the owner of those people, or the place where they live."""
    for place, k in enumerate(words):
        if k <= last and tree.lowered(k) not in _INCLUDING | {"i", "я"}:
            continue
        token = tree[k]
        if token.lemma not in FIRST_PERSON and tree.lowered(k) not in FIRST_PERSON:
            if clause.language == "ru" and token.pos == "VERB" and token.features.get("Person") == "1":
                return True
            continue
        before = tree.lowered(words[place - 1]) if place else ""
        if before in {"not", "не"} and place + 1 >= len(words):
            continue  # "…, not me"
        if clause.language == "ru" and (
            before in {"у", "с", "со", "при"} or (token.lemma in _MINE and token.features.get("Case") == "Loc")
        ):
            continue
        verbless = clause.kind is PredicateKind.FRAGMENT or k < clause.head
        if clause.language == "en" and token.lemma in _MINE and verbless and before in WHEREABOUTS:
            continue
        return True
    return False


def _english(tree: SentenceTree, words: list[int]) -> tuple[int | None, int]:
    start = 0
    while start < len(words) - 1 and tree.lowered(words[start]) in {
        "and",
        "but",
        "so",
        "almost",
        "nearly",
        "practically",
        "literally",
        "honestly",
    }:
        start += 1
    rest = words[start:]
    first = rest[0]
    said = [tree.lowered(k) for k in rest]
    if said[0] in ANYBODY or said[:2] == ["no", "one"]:
        following = said[2:4] if said[0] == "no" else said[1:3]
        return (
            (None, 0)
            if following and following[0] in {"of", "among"} and _INCLUDING & set(following)
            else (first, _phrase_end(tree, rest, 1))
        )
    cleft = _cleft(tree, rest, said)
    if cleft is not None:
        return cleft, cleft
    if said[0] in {"himself", "herself"} or said[:2] in (["him", "indoors"], ["her", "indoors"]):
        return first, first
    place = 1 if said[0] in {"my", "our", "the"} else 0
    if place and len(said) > place + 1:
        at = place
        while at < len(said) - 2 and said[at] in {"other", "better", "dear", "darling", "own", "late"}:
            at += 1
        if said[at] in STAND_FOR_KIN and (said[0] in _MINE or said[at] in {"missus", "mrs", "sprog", "sprogs", "folks"}):
            return rest[at], rest[at]
        if said[at] == "little" and said[at + 1] in {"one", "ones", "man", "lady", "guy"}:
            return rest[at + 1], rest[at + 1]
        elliptic = said[at] in LEFT_OUT or (said[at] in SMALL and said[at + 1] in {"one", "two"})
        if elliptic and (said[0] in _MINE or said[at] in {"eldest", "youngest"}):
            end = at + 1 if said[at + 1] in {"one", "two", "ones"} else at
            after = rest[end + 1] if end + 1 < len(rest) else None
            if (
                after is None
                or tree[after].pos not in {"NOUN", "PROPN"}
                or tree[after].head != tree[rest[end]].head
                or end > at
            ):
                return rest[end], rest[end]
    counted = _counted(tree, rest, said)
    if counted is not None:
        return counted, _phrase_end(tree, rest, rest.index(counted))
    named = tree[first].pos == "PROPN" and is_given_name(tree[first].text)
    if named and len(said) > 2 and said[1] in WHEREABOUTS and not tree[first].text.islower():
        return first, _phrase_end(tree, rest, 1)
    return None, 0


def _cleft(tree: SentenceTree, rest: list[int], said: list[str]) -> int | None:
    """The one pointed out by "It's my husband who snores", "The one with asthma is my son", "What my mother hates is noise"."""
    if said[0] == "it" and len(said) > 1 and said[1] in {"is", "'s", "was"}:
        pointed = next((place for place, word in enumerate(said) if word in {"who", "that", "whose"} and place > 1), None)
        if pointed is not None and (is_human(tree, rest[pointed - 1]) or tree[rest[pointed - 1]].pos == "PROPN"):
            return rest[pointed - 1]
    if said[:2] == ["the", "one"] or said[:2] == ["the", "ones"]:
        place = next((place for place, word in enumerate(said) if word in {"is", "'s", "are", "was"}), None)
        if place is not None and "i" not in said[:place]:
            return next((k for k in rest[place + 1 : place + 4] if is_human(tree, k)), None)
    if said[0] == "what" and {"is", "'s", "was"} & set(said):
        return next((k for k in rest[1:3] if is_human(tree, k)), None)
    return None


def _counted(tree: SentenceTree, rest: list[int], said: list[str]) -> int | None:
    """The noun of "a lot of people", "half my class", "most nurses", "two of the girls"."""
    at = 1 if said[0] in {"a", "the"} and len(said) > 1 else 0
    while at < len(said) - 1 and said[at] in {"good", "great", "whole", "fair", "large", "huge", "tiny", "small", "vast"}:
        at += 1
    if said[at] not in QUANTITIES and tree[rest[at]].pos != "NUM":
        return None
    for place in range(at + 1, min(len(said), at + _FAR)):
        if said[place] in _INCLUDING:
            return None
        token = tree[rest[place]]
        if is_human(tree, rest[place]) or token.lemma in ANYBODY or token.lemma in COLLECTIVES:
            return rest[place]
        if (
            said[place] not in _BEFORE_PEOPLE
            and said[place] not in QUANTITIES
            and token.pos not in {"ADJ", "NUM", "ADP", "DET", "ADV"}
        ):
            compound = place + 1 < len(said) and token.pos in {"NOUN", "PROPN"} and is_human(tree, rest[place + 1])
            if not compound:
                return None
    return None


def _phrase_end(tree: SentenceTree, rest: list[int], start: int) -> int:
    """The last token before the predicate: what stands there only tells which people are meant."""
    for place in range(start, len(rest)):
        if tree[rest[place]].pos in {"VERB", "AUX"}:
            return rest[place] - 1
    return rest[min(len(rest) - 1, start)]


def _russian(tree: SentenceTree, clause: Clause, words: list[int]) -> tuple[int | None, int]:
    subject = clause.subject.token
    said = [tree.lowered(k) for k in words]
    including = any(
        word in _INCLUDING and place and said[place - 1] in {"из", "все", "каждый", "кто-то"} for place, word in enumerate(said)
    ) or any(said[place] == "мы" for place in range(len(said)))
    if including:
        return None, 0
    plural = tree[clause.head].features.get("Number") == "Plur"
    holding = said[:2] in (["у", "меня"], ["у", "нас"]) and not any(tree[k].pos == "VERB" for k in words)
    if len(words) > 2 and said[0] == "это" and tree[words[1]].lemma in _MINE and is_human(tree, words[2]):
        return words[2], words[2]  # "это мой напарник, он храпит"
    if _is_told_of_name(tree, words, said):
        return words[0], words[0]
    special = _ordered(tree, words, said)
    if special is not None:
        return special, special
    for place, k in enumerate(words):
        token, word = tree[k], said[place]
        if place >= _FAR:
            break
        if k != subject and place and token.pos == "VERB":
            break
        before = said[place - 1] if place else ""
        if before == "у" and word in {"всех", "многих", "некоторых", "каждого", "кого-то", "других", "остальных"}:
            if place + 1 < len(words) and not is_human(tree, words[place + 1]) and word == "каждого":
                return None, 0
            return k, k
        if word == "все" and plural and clause.head != k and clause.kind is PredicateKind.VERB:
            return k, k
        if word in ANYBODY and token.features.get("Case") in {"Nom", None}:
            return k, _last_of(tree, words, place)
        if token.lemma in {"каждый", "большинство", "половина", "треть", "часть", "никто", "двое", "трое"} or word.startswith(
            "пол-"
        ):
            if holding:
                break  # "У меня двое детей"
            after = words[place + 1] if place + 1 < len(words) else None
            if after is None:
                continue
            ordinal = token.lemma == "каждый" and tree.lowered(after) in {"второй", "третий", "пятый", "первый", "вторая"}
            if ordinal:
                beyond = words[place + 2] if place + 2 < len(words) else None
                if beyond is None or tree[beyond].pos != "NOUN" or is_human(tree, beyond):
                    return after, after
            for other in words[place + 1 : place + 4]:
                if is_human(tree, other) or tree[other].lemma in COLLECTIVES:
                    return other, other
                if tree[other].pos not in {"ADP", "DET", "ADJ", "PRON"}:
                    break
        if token.lemma in INDIVIDUALS and k == subject:
            return k, k
        if token.lemma in STAND_FOR_KIN and before in {"моя", "своя", "моей", "мою"}:
            noun = words[place + 1] if place + 1 < len(words) else None
            if noun is None or tree[noun].features.get("Case") != "Gen":
                return k, k
        if token.lemma in LEFT_OUT and token.pos in {"ADJ", "NOUN", "PROPN", "DET"} and _no_noun(tree, words, place):
            sole = place == 0 or (place == 1 and (before == "у" or tree[words[0]].lemma in _MINE | {"а", "и", "но"}))
            if sole or (place == 2 and said[0] == "у" and tree[words[1]].lemma in _MINE):
                return k, k
        if place == 0 and token.lemma in _MINE and k == subject and tree[clause.head].pos == "VERB":
            return k, k  # "Мой ненавидит летать"
    first = words[0]
    if (
        len(words) > 1
        and is_human(tree, first)
        and tree[words[1]].pos == "NUM"
        and tree[first].features.get("Case") in {"Gen", "Dat", "Loc"}
    ):
        return first, first  # "Дочери восемь"
    return None, 0


_GROWING = frozenset("исполниться исполняться стукнуть минуть".split())
_SET_APART = frozenset("сам сама родом из тоже раньше теперь вообще".split())


def _is_told_of_name(tree: SentenceTree, words: list[int], said: list[str]) -> bool:
    """As in "Тёме вчера два годика исполнилось", "Гребенюк сам из Шахт"."""
    case = tree[words[0]].features.get("Case")
    if tree[words[0]].pos == "PROPN" and len(said) > 2 and said[1] in {"сам", "сама"}:
        return True  # a surname that no dictionary knows
    if not is_human(tree, words[0]):
        return False
    if case in {"Dat", "Loc"}:
        return any(tree[k].lemma in _GROWING for k in words)
    named = tree[words[0]].features.get("NameType") in {"given", "family"} and tree[words[0]].pos == "PROPN"
    return named and case == "Nom" and len(said) > 2 and said[1] in _SET_APART


_NEEDFUL = frozenset(
    """
    надо нужно нельзя можно пора необходимо следует предстоит пришлось приходится придется придётся нужен нужна нужны положено
    положен лучше хуже плохо больно страшно трудно тяжело сложно легко скучно обидно хочется удалось разрешили запретили
    """.split()
)


def _ordered(tree: SentenceTree, words: list[int], said: list[str]) -> int | None:
    """People whom the order of words tells: "Маме надо лечить зубы", "Студенты мои списывают", "Водит у нас жена"."""
    first = words[0]
    start = 1 if len(words) > 1 and tree[first].lemma in _MINE else 0
    human = words[start]
    if start and said[1] == "все" and tree[first].features.get("Number") == "Plur" and len(words) > 2:
        return first if not any(tree[k].pos == "NOUN" and tree[k].features.get("Case") == "Nom" for k in words[2:3]) else None
    if (
        is_human(tree, human)
        and tree[human].features.get("Case") in {"Dat", "Gen", "Loc"}
        and _NEEDFUL & set(said[start + 1 : start + 3])
    ):
        return human
    if len(words) > 2 and is_human(tree, first) and said[1] in {"мой", "моя", "мои", "наш", "наша", "наши"}:
        return first
    if len(words) > 2 and said[-3:-1] in (["у", "нас"], ["у", "меня"]) and len(words) > 3:
        before, last = tree[words[-4]], words[-1]
        told = before.pos in {"VERB", "NOUN", "ADJ"} and before.lemma not in _EXISTING
        begun = is_human(tree, first) and tree[first].features.get("Case") == "Nom"  # "Тётка по матери у меня оленевод"
        if (
            told
            and not begun
            and is_human(tree, last)
            and tree[last].features.get("Case") == "Nom"
            and before.features.get("Person") != "1"
        ):
            return last
    return None


_EXISTING = frozenset({"быть", "есть", "родиться", "появиться", "умереть", "заболеть", "остаться", "жить", "один"})


def _no_noun(tree: SentenceTree, words: list[int], place: int) -> bool:
    """Whether no noun follows that the adjective would agree with."""
    own = tree[words[place]].features
    for other in words[place + 1 : place + 3]:
        token = tree[other]
        if tree[words[place]].lemma in {"бывший", "бывшая"} and token.pos in {"NOUN", "ADJ", "PROPN"}:
            return False  # "Бывший военный"
        if token.pos in {"ADJ", "DET"}:
            continue
        if token.pos not in {"NOUN", "PROPN", "ADJ"}:
            return True
        return token.features.get("Case") != own.get("Case") or (
            token.features.get("Number") == "Sing" and token.features.get("Gender") != own.get("Gender")
        )
    return True


def _last_of(tree: SentenceTree, words: list[int], place: int) -> int:
    """The end of "никто из моих коллег"."""
    last = words[place]
    for other in words[place + 1 : place + 5]:
        if tree[other].pos not in {"ADP", "DET", "ADJ", "NOUN", "PRON"} or tree[other].features.get("Case") not in {
            "Gen",
            "Loc",
            None,
        }:
            break
        last = other
    return last


def at_somebody(tree: SentenceTree, clause: Clause) -> int | None:
    """The human being of "Аллергия у сестры", "Диабет у тестя, не у меня": who has it; None where the speaker has it too."""
    if clause.language != "ru":
        return None
    words = [k for k in clause.own if not is_mark(tree[k])]
    for place, k in enumerate(words):
        if (
            tree.lowered(k) in {"меня", "нас"}
            and place > 1
            and [tree.lowered(w) for w in words[place - 2 : place]] == ["не", "у"]
        ):
            continue
        if tree[k].lemma in {"я", "мы", "мой", "наш"} and not (
            tree[k].lemma in _MINE and place and tree.lowered(words[place - 1]) == "у"
        ):
            return None
    held = None
    for place, k in enumerate(words[:-1]):
        if tree.lowered(k) != "у":
            continue
        other = next((w for w in words[place + 1 : place + 4] if tree[w].pos in {"NOUN", "PROPN", "PRON"}), None)
        if other is None or tree[other].lemma in {"я", "мы"}:
            continue
        if is_human(tree, other) or tree[other].lemma in _THIRD:
            held = other
            break
    if held is None or any(tree[w].pos == "VERB" and tree[w].lemma not in _IN_BRACKETS for w in words):
        return None
    return held


_IN_BRACKETS = frozenset("оказываться оказаться казаться говорить мочь думать подумать знать видеть представлять".split())
"""Verbs of "оказывается", "кто бы мог подумать": said of what is told, no happening."""


def owner_told(tree: SentenceTree, clause: Clause) -> int | None:
    """The human being of "The allergy is my sister's": whose the thing is."""
    if clause.language != "en":
        return None
    words = [k for k in clause.own if not is_mark(tree[k])]
    ends = {k for k in words if tree.lowered(k) in {"'s", "'"} and tree[k].pos in {"PART", "ADP"}}
    if not ends or not tree.children(clause.head, "cop", "aux"):
        return None
    for k in ends:
        owner = k - 1
        after = next((w for w in words if w > k), None)
        alone = after is None or tree[after].pos in {"CCONJ", "PART", "ADV", "SCONJ"} or tree.lowered(after) == "not"
        if owner in words and alone and (is_human(tree, owner) or tree[owner].pos == "PROPN") and owner >= clause.head - 1:
            return owner
    return None


def named_by_others(tree: SentenceTree, clause: Clause) -> int | None:
    """The one who is called by a name in "we call her Daisy", "мою мать все зовут Мака"; None where it is the speaker."""
    calling = next(
        (
            k
            for k in clause.own
            if tree[k].lemma
            in {"call", "nickname", "звать", "называть", "назвать", "прозвать", "кликать", "окрестить", "величать"}
        ),
        None,
    )
    if calling is None or any(
        tree.lowered(k) in {"me", "us", "myself", "меня", "нас"} and (k == 0 or tree.lowered(k - 1) != "у") for k in clause.own
    ):
        return None
    if not any(k > calling and tree[k].text[:1].isupper() for k in clause.own):
        return None
    for k in clause.own:
        word, token = tree.lowered(k), tree[k]
        if word in {"her", "him", "them", "её", "ее", "его", "их"} and not (
            word == "их" and token.pos == "DET" and k < calling
        ):
            return k
        if (
            k != calling
            and is_human(tree, k)
            and (
                token.features.get("Case") == "Acc"
                or (clause.language == "en" and k > calling and not token.text[:1].isupper())
            )
        ):
            return k
    return None
