"""Clauses put right where the tree joined or tore them (pure): stray runs find their clause, verbless parts stand alone."""

# ruff: noqa: C901 - rules of language are lists of cases

from __future__ import annotations

from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation

Draft = tuple[int, list[int]]
"""A clause in the making: its head and its own words."""

_PERSONAL = frozenset({"я", "мы", "ты", "вы", "он", "она", "они"})
_BREAKS = frozenset({",", ";", "—", "–", "-", ":", "("})
_JOINING = frozenset({"а", "но", "и", "зато", "же"})


def with_strays(tree: SentenceTree, drafts: list[Draft]) -> list[Draft]:
    """Runs that another clause cuts off from their head are that clause's, where no mark stands between.

    As in "Договор я так и не подписал, хозяин крутит": the parser hung the object on the second verb.
    """
    if len(drafts) < 2:
        return drafts
    owner = {index: place for place, (_, own) in enumerate(drafts) for index in own}
    moved = _joins_copulas(tree, owner)
    for place, (head, own) in enumerate(drafts):
        for run in _runs(tree, own, owner, place):
            if head in run or any(tree[k].head == head and relation(tree[k]) == "xcomp" for k in run):
                continue  # "обещала Лере до пятницы вернуть": the infinitive stays with its verb
            host = owner.get(run[-1] + 1)
            if host is None or host == place or is_mark(tree[run[-1] + 1]):
                host = owner.get(run[0] - 1)
                if host is None or host == place or is_mark(tree[run[0] - 1]) or run[0] < head:
                    continue
            if not _is_enclosed(tree, owner, run, host) and _interrupts(owner, drafts[host][0], run[-1] + 1, host):
                continue
            for index in run:
                owner[index] = host
            moved = True
    if tree.sentence.language == "ru":
        for place, (head, own) in enumerate(drafts):
            tail = _tail_before(tree, [k for k in own if owner[k] == place], owner, head)
            for index in tail:
                owner[index] = owner[tail[-1] + 1]
            moved = moved or bool(tail)
    if not moved:
        return drafts
    return [(head, sorted(k for k, mine in owner.items() if mine == place)) for place, (head, _) in enumerate(drafts)]


def _joins_copulas(tree: SentenceTree, owner: dict[int, int]) -> bool:
    """As in "ответ должен быть до пятницы": "быть" is of the clause of "должен". True where that changed an owner."""
    moved = False
    for index, token in enumerate(tree.tokens[1:], start=1):
        due = token.text.lower() == "быть" and tree[index - 1].lemma in {"должен", "должный"}
        if due and index in owner and owner.get(index - 1) not in {None, owner[index]}:
            owner[index] = owner[index - 1]
            moved = True
    return moved


def _is_enclosed(tree: SentenceTree, owner: dict[int, int], run: list[int], host: int) -> bool:
    """As in "обещала Лере до пятницы вернуть": one clause's words stand on both sides, and no mark parts them."""
    if tree.sentence.language != "ru" or owner.get(run[0] - 1) != host or owner.get(run[-1] + 1) != host:
        return False
    return not is_mark(tree[run[0] - 1]) and not is_mark(tree[run[-1] + 1])


def _interrupts(owner: dict[int, int], head: int, start: int, host: int) -> bool:
    """As in "Двор у меня маленький, работаю я из дома": what cuts the run off is itself a stray, far from its own head."""
    if owner.get(start) != host:
        return False
    end = start
    while owner.get(end + 1) == host:
        end += 1
    return not start <= head <= end


def _tail_before(tree: SentenceTree, own: list[int], owner: dict[int, int], head: int) -> list[int]:
    """As in "Я протезист, медицинского у меня нет": what stands after a clause's mark, right before another one's words."""
    for end in own:
        after = end + 1
        if after >= len(tree.tokens) or owner.get(after) in {None, owner[end]} or is_mark(tree[end]) or is_mark(tree[after]):
            continue
        tail = [end]
        while tail[0] - 1 in own and not is_mark(tree[tail[0] - 1]):
            tail.insert(0, tail[0] - 1)
        parted = tail[0] - 1 in own and tree[tail[0] - 1].text in _BREAKS
        joins = tree[after].pos in {"CCONJ", "SCONJ"} or tree[after].lemma in {"который", "что", "чтобы", "как", "где", "когда"}
        oblique = tree[tail[0]].pos != "VERB" and not any(tree[k].pos in {"VERB", "AUX", "SCONJ"} for k in tail)
        if parted and oblique and not joins and head < tail[0] and len(tail) <= _LONGEST_TAIL:
            return tail
    return []


_LONGEST_TAIL = 3


def _runs(tree: SentenceTree, own: list[int], owner: dict[int, int], place: int) -> list[list[int]]:
    """Its words in runs that no other clause's words interrupt, without marks at their ends."""
    runs: list[list[int]] = [[]]
    for index in range(own[0], own[-1] + 1):
        if owner.get(index) == place:
            runs[-1].append(index)
        elif owner.get(index) is not None and runs[-1]:
            runs.append([])
    found: list[list[int]] = []
    for run in runs:
        kept = list(run)
        while kept and is_mark(tree[kept[-1]]):
            kept.pop()
        while kept and is_mark(tree[kept[0]]):
            kept.pop(0)
        if kept:
            found.append(kept)
    return found


def with_ages(tree: SentenceTree, drafts: list[Draft]) -> list[Draft]:
    """As in "Маме шестьдесят два": whose number it is stands beside it, though the tree made two clauses of them."""
    found: list[Draft] = []
    for head, own in drafts:
        words = [k for k in own if not is_mark(tree[k])]
        if (
            found
            and words
            and found[-1][1][-1] + 1 == own[0]
            and _is_at_me(tree, found[-1][1])
            and tree[words[0]].pos in {"ADJ", "NOUN"}
        ):
            found[-1] = (head, [*found[-1][1], *own])  # "У меня первая отрицательная"
            continue
        if found and words and tree[words[0]].pos == "NUM" and found[-1][1][-1] + 1 == own[0]:
            before = [k for k in found[-1][1] if not is_mark(tree[k])]
            if 0 < len(before) <= 2 and tree[before[-1]].features.get("Case") in {"Dat", "Loc"}:
                found[-1] = (head, [*found[-1][1], *own])
                continue
        found.append((head, own))
    return found


def _is_at_me(tree: SentenceTree, own: list[int]) -> bool:
    words = [k for k in own if not is_mark(tree[k])]
    return len(words) == len(own) == 2 and tree[words[1]].pos == "PRON" and tree.case(words[1]) == "у"


def with_verbless_parts(tree: SentenceTree, drafts: list[Draft]) -> list[Draft]:
    """As in "Сам я городской, оленя видел", "…, а я только русский": a pronoun with no verb beside it tells by itself."""
    if tree.sentence.language != "ru":
        return drafts
    found: list[Draft] = []
    for head, own in drafts:
        part = _verbless_part(tree, head, own)
        if part is None:
            found.append((head, own))
            continue
        nominal = next(
            (
                k
                for k in part
                if tree[k].pos in {"NOUN", "ADJ", "PROPN"}
                and tree[k].features.get("Case") in {"Nom", None}
                and not _describes_noun(tree, k, part)
            ),
            next((k for k in part if _is_personal(tree, k) or tree[k].pos == "NUM"), part[-1]),
        )
        rest = [k for k in own if k not in set(part)]
        found.extend([(nominal, part), (head, rest)] if part[0] < rest[0] else [(head, rest), (nominal, part)])
    return found


def _describes_noun(tree: SentenceTree, index: int, part: list[int]) -> bool:
    """As in "Я младший аналитик", "С 1 сентября я …": an adjective of a noun there, or a number, is not what one is."""
    above = tree[index].head
    described = relation(tree[index]) == "amod" and above in part and tree[above].pos == "NOUN"
    return described or tree[index].text[:1].isdigit()


def _verbless_part(tree: SentenceTree, head: int, own: list[int]) -> list[int] | None:
    segments = _segments(tree, own)
    if len(segments) < 2:
        return None
    at = next((place for place, segment in enumerate(segments) if head in segment), None)
    if at is None:
        return None
    for place, segment in enumerate(segments):
        words = [k for k in segment if not is_mark(tree[k])]
        if place == at or len(words) < 2 or any(tree[k].pos in {"VERB", "AUX"} for k in words):
            continue
        if place > at and _has_own_number(tree, words):
            return segment
        if tree[head].pos != "VERB" or not any(_is_personal(tree, k) for k in words):
            continue
        nominal = any(tree[k].pos in {"NOUN", "ADJ", "PROPN"} and tree[k].features.get("Case") == "Nom" for k in words)
        if place < at and nominal:
            return segment
        joined = tree.lowered(words[0]) in _JOINING or _is_personal(tree, words[0])
        if place > at and joined and (nominal or len(words) > 2):
            return segment
    return None


def _is_personal(tree: SentenceTree, index: int) -> bool:
    token = tree[index]
    return token.pos == "PRON" and token.lemma in _PERSONAL and token.features.get("Case") in {"Nom", None}


def _has_own_number(tree: SentenceTree, words: list[int]) -> bool:
    """As in "…, а мне тридцать": somebody's number beside another's."""
    dative = any(tree[k].pos in {"PRON", "NOUN", "PROPN"} and tree[k].features.get("Case") == "Dat" for k in words[:2])
    return dative and any(tree[k].pos == "NUM" for k in words)


def _segments(tree: SentenceTree, own: list[int]) -> list[list[int]]:
    segments: list[list[int]] = [[]]
    for index in own:
        if tree[index].text in _BREAKS and segments[-1]:
            segments.append([])
        segments[-1].append(index)
    return [segment for segment in segments if any(not is_mark(tree[k]) for k in segment)]
