"""May two mentions be one person? By names in all their forms, by what they are to the speaker, and by what sets them apart.

"Аня", "Анна" and "Анна Петровна" may be one; "Анна Петровна" and "Анна Сергеевна" may not, nor may "Maria from work" and "my
cousin Maria". Whether they *are* one is decided by who else there is (``formation.persons``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory_lib.policies.matching import plain_words

ALIASES = "aliases"
"""The attribute that holds a person's other names, separated by ``SEPARATOR``; ``full_name`` may hold several too."""
SEPARATOR = " / "
_TITLES = frozenset(
    """
    dr doctor prof professor mr mrs ms miss mx sir lady lord madam captain sergeant father sister brother reverend nurse coach
    uncle aunt auntie granny grandma grandpa доктор профессор господин госпожа капитан отец тетя дядя баба дед бабушка дедушка
    тетка брат сестра
    """.split()
)
SINGULAR_TIES = frozenset(
    """
    mother father wife husband partner fiance fiancee girlfriend boyfriend boss mother-in-law father-in-law landlord landlady
    grandmother grandfather
    """.split()
)
"""Ties of which one has one at a time: without a name they mean the one who has it."""
KIN_TIES = SINGULAR_TIES | frozenset("sister brother daughter son twin aunt uncle niece nephew grandchild".split())
_LOOSE_TIES = frozenset({"role", ""})


@dataclass(frozen=True, slots=True)
class PersonNames:
    """What a mention, or everything known of a person, says of who it is. ``names``: plain words of each name; none of them the
    relation word. ``fulls``: full names the first name may stand for. ``relation``: in its own words.
    """

    names: tuple[tuple[str, ...], ...]
    fulls: frozenset[str]
    tie: str
    relation: str
    qualifier: str
    gender: str
    stands_for: bool
    """Whether a table of names knows full names for it."""


def person_names(attributes: Mapping[str, str], content: str) -> PersonNames:
    """Reads the attributes of a person's candidate or node."""
    relation = plain_words(attributes.get("relation", ""))
    said = [attributes.get("name") or content, *attributes.get(ALIASES, "").split(SEPARATOR)]
    names = [name for name in (_tokens(one) for one in said) if name and " ".join(name) != relation]
    fulls = {plain_words(full) for full in attributes.get("full_name", "").split(SEPARATOR) if full}
    fulls |= {name[0] for name in names}
    return PersonNames(
        tuple(dict.fromkeys(names)),
        frozenset(fulls),
        attributes.get("tie", ""),
        relation,
        plain_words(attributes.get("qualifier", "")),
        attributes.get("gender", ""),
        bool(attributes.get("full_name")),
    )


def lookup_keys(attributes: Mapping[str, str], content: str) -> tuple[str, ...]:
    """Every key a person is filed under: whole names, their words, full names, the relation's words and its tie."""
    who = person_names(attributes, content)
    keys = [plain_words(attributes.get("name") or content)]
    for name in who.names:
        keys += [" ".join(name), *name]
        stem = rare_stem(name[0])
        keys += [f"stem:{stem}"] if stem else []
    keys += sorted(who.fulls)
    keys += [key for key in (who.relation, f"tie:{who.tie}" if who.tie else "") if key]
    return tuple(dict.fromkeys(key for key in keys if key))


def may_be_one(one: PersonNames, other: PersonNames) -> bool:
    """Whether nothing keeps them apart and some name of theirs, or for the nameless the tie, is shared."""
    if not _ties_agree(one, other) or not _qualifiers_agree(one.qualifier, other.qualifier):
        return False
    for marked, plain in ((one, other), (other, one)):
        if marked.qualifier and not plain.qualifier and plain.tie and not marked.tie:
            return False  # whoever says "Maria from work" means not the cousin
    if not one.names or not other.names:
        nobody_named = not one.names and not other.names
        tied = one.tie != "" and one.tie == other.tie
        return tied and (one.tie in KIN_TIES or (nobody_named and one.relation == other.relation))
    exact = set(one.names) & set(other.names)
    if exact or _rare_forms_of_one(one, other):
        return True
    ties = {one.tie, other.tie}
    if "role" in ties and ties & KIN_TIES and one.relation and other.relation:
        return False  # "врач Зоя Фёдоровна" and "внучка Зоенька": only the very same name would make them one
    genders = {one.gender, other.gender} - {"", "n"}
    return len(genders) < 2 and any(_forms_of_one(a, b, one, other) for a in one.names for b in other.names)


_CASE_ENDINGS = "аяеёиоуюыйь"
_SHORTEST_STEM = 3


def rare_stem(name: str) -> str:
    """A Russian first name without the ending of its case, for names whose nominative no table tells; "" for others."""
    stem = name.rstrip(_CASE_ENDINGS)
    return stem if len(stem) >= _SHORTEST_STEM and "а" <= name[-1] <= "я" and len(name) - len(stem) < _SHORTEST_STEM else ""


def _rare_forms_of_one(one: PersonNames, other: PersonNames) -> bool:
    """As in "Нурия" and "Нурии", where both are single words that stand for no other full name."""
    if one.stands_for or other.stands_for:
        return False
    stems = [{rare_stem(name[0]) for name in who.names if len(name) == 1} - {""} for who in (one, other)]
    return bool(stems[0] & stems[1])


def _ties_agree(one: PersonNames, other: PersonNames) -> bool:
    if one.tie in _LOOSE_TIES or other.tie in _LOOSE_TIES:
        words_only = one.tie == other.tie  # both a role by its words, or of a tie that no list names
        return not (words_only and one.relation and other.relation and one.relation != other.relation)
    return one.tie == other.tie


def _qualifiers_agree(one: str, other: str) -> bool:
    """As in "from work" and "from work who sings": the one may say more than the other."""
    first, second = set(one.split()), set(other.split())
    return not first or not second or first <= second or second <= first


def _forms_of_one(a: tuple[str, ...], b: tuple[str, ...], one: PersonNames, other: PersonNames) -> bool:
    same_given = a[0] == b[0] or bool(one.fulls & other.fulls)
    if len(a) == 1 or len(b) == 1:
        short, long = (a, b) if len(a) <= len(b) else (b, a)
        return same_given or (len(long) > 1 and short[0] == long[-1])
    if len(a) == len(b):
        return same_given and a[1:] == b[1:]
    shorter, longer = (a[1:], b[1:]) if len(a) < len(b) else (b[1:], a[1:])
    return same_given and set(shorter) <= set(longer)


def _tokens(name: str) -> tuple[str, ...]:
    words = plain_words(name).split()
    bare = [word for word in words if word not in _TITLES]
    return tuple(bare or words)


def merged(known: Mapping[str, str], said: Mapping[str, str], *, content: str) -> dict[str, str]:
    """A person's attributes with what another mention of them adds: a name for the nameless, a fuller one, one more alias."""
    attributes = dict(known)
    for key, value in said.items():
        if value and not attributes.get(key):
            attributes[key] = value
    old, new = known.get("name", ""), said.get("name") or content
    nameless = not old or plain_words(old) == plain_words(known.get("relation", "") or "?")
    names_somebody = plain_words(new) != plain_words(said.get("relation", "") or "?")
    attributes["name"] = new if names_somebody and nameless else old or new
    others = [alias for alias in (*known.get(ALIASES, "").split(SEPARATOR), *said.get(ALIASES, "").split(SEPARATOR)) if alias]
    if names_somebody and not nameless and plain_words(new) != plain_words(old):
        others.append(new)
    distinct = {
        plain_words(alias): alias for alias in reversed(others) if plain_words(alias) != plain_words(attributes["name"])
    }
    if distinct:
        attributes[ALIASES] = SEPARATOR.join(reversed(distinct.values()))
    fulls = [set(one.get("full_name", "").split(SEPARATOR)) - {""} for one in (known, said)]
    both = fulls[0] & fulls[1] if all(fulls) else fulls[0] | fulls[1]
    if both:
        attributes["full_name"] = SEPARATOR.join(sorted(both))
    return attributes
