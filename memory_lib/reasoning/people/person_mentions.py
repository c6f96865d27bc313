"""People named in a message: relation words, names, and the two together ("my sister Kate", "коллега Марина")."""

# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_lib.domain.syntax import EntityKind, Parse, Token
from memory_lib.reasoning.people.human_nouns import is_human
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.brand_words import CAR_BRANDS, PHONE_BRANDS
from memory_lib.reasoning.words.kinship_words import BARE_KIN, FEMALE_WORDS, MALE_WORDS, RELATIONS
from memory_lib.reasoning.words.name_forms import full_names, is_given_name
from memory_lib.reasoning.words.person_words import NO_TRADE
from memory_lib.reasoning.words.pet_words import PETS
from memory_lib.reasoning.words.role_words import COMPANY_ENDINGS, HUMAN_NOUNS, INSTITUTIONS, LOCATING, PLACES, ROLES

_OWN = frozenset({"my", "our", "мой", "наш", "свой"})
_OTHERS_OWN = frozenset({"your", "his", "her", "their", "твой", "ваш", "его", "ее", "её", "их"})
_NOT_NAMES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december christmas easter halloween thanksgiving english german french spanish russian chinese
    japanese american british italian god lord mom mum dad i ok okay haha lol wow hey hi hello thanks congrats yeah yes
    no omg yay btw covid netflix youtube google instagram facebook twitter amazon reddit whatsapp define map windows
    python java aww ugh hmm catch definitely absolutely totally glad sounds gonna doc бог господи интернет привет
    спасибо москва россия
    """.split()
)
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
_CAPITALISED = re.compile(r"[A-ZА-ЯЁ][a-zа-яё'’-]+$")
_LONGEST_ROLE = 5
_AGENT = re.compile(r"(?:ist|er|or|ant|man|woman|mate|smith|ee)$")
_NAMED = frozenset({"named", "called", "зовут", "звали", "name", "имя", "имени"})


@dataclass(frozen=True, slots=True)
class PersonMention:
    """``name``: as a nominative, "" where only a relation word was said; ``tie``: the canonical relation ("sister"), "" if none;
    ``words``: the relation word as said (lemma); ``sentence``/``token``: where the head word stands; ``tokens``: all its words.
    """

    start: int
    end: int
    name: str
    tie: str
    words: str
    gender: str
    sentence: int
    token: int
    tokens: tuple[int, ...]
    full_name: str = ""
    qualifier: str = ""

    @property
    def key(self) -> str:
        """What the person is called in ``about``: the name, else the relation word."""
        return self.name or self.words

    @property
    def apart(self) -> str:
        """What keeps this one apart from a namesake, in words; "" if nothing does."""
        return self.words if self.tie else self.qualifier


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
        things = {index for index, token in enumerate(sentence.tokens) if _is_no_name(token)}
        people -= things
        other |= things
        used: set[int] = set()
        for mention in (*_by_relation(tree, number, people), *_by_role(tree, number, people | other)):
            if used.isdisjoint(mention.tokens):
                found.append(mention)
                used.update(mention.tokens)
        names = known | {mention.name for mention in found if mention.name}
        found.extend(_by_name(tree, number, people, other, used, names))
    return tuple(sorted(found, key=lambda mention: mention.start))


def _is_no_name(token: Token) -> bool:
    """As in "Нокиа", "Левша": a make, or what a person can be, written with a capital."""
    words = {token.lemma.lower(), token.text.lower()}
    if not token.text.isascii() and not words.isdisjoint(_NOBODY):
        return True
    return not words.isdisjoint(PHONE_BRANDS) or not words.isdisjoint(CAR_BRANDS)


_NOBODY = frozenset(word for word in NO_TRADE - frozenset(RELATIONS) if not word.isascii()) - frozenset(
    "лев роза вера дева".split()
)


def _by_relation(tree: SentenceTree, number: int, people: set[int]) -> Iterator[PersonMention]:
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
        own = bool((owners | owner_words) & _OWN) or _has_me(tree, index)
        foreign = bool((owners | owner_words) & _OTHERS_OWN)
        name_tokens = _name_of(tree, index, people, last=last)
        named_by = _named_by_verb(tree, index) if not name_tokens else []
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
        name = " ".join(_nominative(word) for word in said)
        gender = known[1]
        word = lemma if lemma in RELATIONS else token.text.lower()
        if word in FEMALE_WORDS:
            gender = "f"
        elif word in MALE_WORDS:
            gender = "m"
        elif gender == "n" and said:
            gender = _gender(said[0])
        yield PersonMention(
            start, end, name, known[0], word, gender, number, index, tuple(sorted({*tokens, *named_by})),
            full_name=_full(name, gender), qualifier=_qualifier(tree, index) or _qualifier(tree, name_tokens[0] if name_tokens else index),
        )  # fmt: skip


def _by_role(tree: SentenceTree, number: int, people: set[int]) -> Iterator[PersonMention]:
    """As in "Marcus, our sous-chef", "арт-директор Соня", "our landlord Stan": the role is the relation, the name stays clean."""
    for index, token in enumerate(tree.tokens):
        if not _is_role(tree, index, people) or token.features.get("Number") == "Plur" or is_pet(tree, index):
            continue
        owned = any(
            tree[child].lemma in _OWN or tree[child].text.lower() in {"my", "our"}
            for child in tree.children(index, "det", "nmod")
        )
        owned = owned or _owned_after(tree, index)
        definite = owned or any(tree[child].text.lower() == "the" for child in tree.children(index, "det"))
        name = _named_role(tree, index, people, owned=owned, definite=definite)
        if not name and owned:
            name = _own_named(tree, index, people)
        if not name or _introduces_self(tree, name):
            continue
        first = index
        while (
            first > 0
            and tree[first - 1].text.lower() not in {"the", "my", "our"}
            and (
                tree[first - 1].head in range(first - 1, index + 1)
                and relation(tree[first - 1]) in {"amod", "compound", "punct", "advmod"}
                and tree[first - 1].text != ","
            )
        ):
            first -= 1
        words = _words_of(tree, first, index)
        if not words:
            continue
        said = [tree[i] for i in name]
        called = " ".join(_nominative(word) for word in said)
        start, end = said[0].start, said[-1].end
        yield PersonMention(
            start, end, called, _tie_of(token), words, _gender(said[0]), number, name[0], tuple(sorted({index, *name})),
            full_name=_full(called, _gender(said[0])), qualifier=_qualifier(tree, name[0]),
        )  # fmt: skip


def _owned_after(tree: SentenceTree, index: int) -> bool:
    """As in "врач мой", "тренер наш": Russian puts it after the noun too, where the parser hangs it anywhere."""
    return tree.sentence.language == "ru" and index + 1 < len(tree.tokens) and tree[index + 1].lemma in {"мой", "наш"}


def _words_of(tree: SentenceTree, first: int, last: int) -> str:
    """The role in its own words; where it stands in another case than the nominative, by its lemma alone."""
    head = tree[last]
    if tree.sentence.language == "ru" and head.features.get("Case") not in {"Nom", None}:
        return head.lemma
    if tree.sentence.language == "ru" and first < last and tree[first].features.get("Case") not in {"Nom", None}:
        return head.text.lower()
    said = tree[first].text
    for place in range(first + 1, last + 1):
        said += (" " if tree[place].start > tree[place - 1].end else "") + tree[place].text
    return said.lower()


def _tie_of(token: Token) -> str:
    known = RELATIONS.get(token.lemma)
    return known[0] if known is not None else "role"


def _is_role(tree: SentenceTree, index: int, people: set[int]) -> bool:
    token = tree[index]
    last = token.lemma.rsplit("-", 1)[-1]
    said = token.text.lower().rsplit("-", 1)[-1]
    if last in ROLES or said in ROLES:
        return token.pos in {"NOUN", "PROPN", "ADJ"}
    if token.pos != "NOUN" or index in people or token.lemma in INSTITUTIONS | PLACES:
        return False
    if tree.sentence.language == "ru":
        return token.features.get("Animacy") == "Anim" and token.features.get("NameType") is None
    mine = any(tree[child].lemma in _OWN or tree[child].text.lower() in _OWN for child in tree.children(index, "det", "nmod"))
    return (mine or relation(token) == "appos") and _AGENT.search(token.lemma) is not None


def is_pet(tree: SentenceTree, index: int) -> bool:
    """Whether that noun names an animal one keeps."""
    return tree[index].lemma in PETS or tree[index].text.lower() in PETS


def _own_named(tree: SentenceTree, index: int, people: set[int]) -> list[int]:
    """As in "My catcher's name is Bas", "сиделку мою зовут Нюра": the name said of the role."""
    above = tree[index].head
    if tree.sentence.language == "en" and above >= 0 and tree[above].lemma == "name" and tree[index].relation == "nmod:poss":
        for place in (tree[above].head, *tree.children(above, "attr", "appos", "nsubj")):
            if place >= 0 and place != index and _is_name(tree, place, people):
                return _whole_name(tree, place, people)
        later = [i for i in range(above + 1, min(len(tree.tokens), above + 4)) if _is_name(tree, i, people)]
        return _whole_name(tree, later[0], people) if later else []
    return _named_by_verb(tree, index)


def _named_role(tree: SentenceTree, index: int, people: set[int], *, owned: bool, definite: bool) -> list[int]:
    """The name bound to that role: "Marcus, our sous-chef", "our landlord Stan", "завуч Тамара"."""
    token = tree[index]
    listed = bool({token.lemma.rsplit("-", 1)[-1], token.text.lower().rsplit("-", 1)[-1]} & ROLES)
    comma = index
    while comma > 0 and tree[comma].text != "," and index - comma < _LONGEST_ROLE:
        comma -= 1
    before = comma - 1
    capital = owned and before == 0 and tree[0].pos == "NOUN" and _CAPITALISED.match(tree[0].text) is not None
    if capital and tree.sentence.language == "ru":
        capital = False
    if comma > 0 and tree[comma].text == "," and definite and (_is_name(tree, before, people) or capital):
        after = tree[index + 1].text if index + 1 < len(tree.tokens) else "."
        apposed = relation(token) == "appos" or token.head == before or (before in people and tree[before].head == token.head)
        if after in {",", ".", "!", "?", "…", ")"} and (apposed or (listed and owned)):
            return [before] if capital else _whole_name(tree, before, people)
    place = index + 1
    if _owned_after(tree, index):
        place += 1
        if place + 1 < len(tree.tokens) and tree[place].text == ",":
            whole = _whole_name(tree, place + 1, people) if _is_name(tree, place + 1, people) else []
            last = whole[-1] + 1 if whole and whole[0] == place + 1 else len(tree.tokens)
            return whole if last < len(tree.tokens) and tree[last].text in {",", "."} else []  # "Врач мой, Зоя Фёдоровна, …"
    if place < len(tree.tokens) and tree[place].text == "," and owned:
        place += 1
    if place >= len(tree.tokens) or not _is_name(tree, place, people) or _someone_elses(tree, index, place):
        return []
    bound = tree[place].head == index or token.head == place or tree[place].head == token.head
    if not bound or tree[place].relation == "nmod:poss":
        return []
    if place > index + 1:
        closed = place + 1 < len(tree.tokens) and tree[place + 1].text in {",", "."}
        return _whole_name(tree, place, people) if closed and listed else []
    if tree.sentence.language == "ru":
        agrees = tree[place].features.get("Case") == token.features.get("Case") or relation(tree[place]) in {"appos", "flat"}
        return _whole_name(tree, place, people) if agrees and (listed or owned) else []
    return _whole_name(tree, place, people) if owned and listed else []


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
        and not _CAPITALISED.match(tree[child].text))
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
        if child > index and _is_name(tree, child, people) and not tree.case(child) and tree[child].relation != "nmod:poss":
            if child - index > 2 and not all(tree[k].text == "," or _is_name(tree, k, people) for k in range(index + 1, child)):
                continue
            if relation(tree[child]) == "nmod" and _someone_elses(tree, index, child):
                continue
            return _whole_name(tree, child, people)
    place = last + 1
    if place < len(tree.tokens) and tree[place].lemma in {"мой", "наш"}:
        place = last = last + 1
        place += 1
    if [token.text.lower() for token in tree.tokens[place : place + 2]] in (["у", "меня"], ["у", "нас"]):
        place, last = place + 2, last + 2  # "начальник у меня Виктор Сергеич"
    comma = place < len(tree.tokens) and tree[place].text == ","
    if comma:
        place += 1
    if place < len(tree.tokens) and _is_name(tree, place, people) and not _someone_elses(tree, index, place):
        bound = tree[place].head in {index, last, tree[index].head} or tree[index].head == place
        if comma and (tree[place].head == index or tree[place - 2].lemma in {"мой", "наш"}):
            whole = _whole_name(tree, place, people)
            if whole[0] == place and whole[-1] + 1 < len(tree.tokens) and tree[whole[-1] + 1].text == ",":
                return whole  # "Деверь мой, Рустам, …"
        if place == last + 1 and (
            bound or tree.sentence.language == "ru" or relation(tree[place]) in {"appos", "nsubj", "obj", "obl"}
        ):
            return _whole_name(tree, place, people)
    if place == last + 1 and _is_small_after_relation(tree, place):
        return [place]
    # "Kate is my sister", "my best friend is Kate".
    for child in tree.children(index, "nsubj"):
        if _is_name(tree, child, people):
            return _whole_name(tree, child, people)
    above = tree[index].head
    if relation(tree[index]) == "nsubj" and above >= 0 and tree[above].pos == "PROPN" and _is_name(tree, above, people):
        return _whole_name(tree, above, people)
    if relation(tree[index]) == "nsubj" and above > index and _is_small_predicate(tree, above):
        return [above]
    # "Kate, my sister": the noun is the apposition.
    if relation(tree[index]) == "appos":
        head = tree[index].head
        if _is_name(tree, head, people):
            return _whole_name(tree, head, people)
    # "My sister's name is Kate".
    if tree[index].head >= 0 and tree[tree[index].head].lemma in {"name", "имя"}:
        name = tree[index].head
        above = tree[name].head
        for candidate in [above] if above >= 0 else []:
            if _is_name(tree, candidate, people):
                return _whole_name(tree, candidate, people)
    return []


def _someone_elses(tree: SentenceTree, index: int, name: int) -> bool:
    """As in "сестра Олега": a genitive that does not agree with the noun's case is the owner, not the name."""
    if tree.sentence.language != "ru":
        return False
    mine, other = tree[index].features.get("Case"), tree[name].features.get("Case")
    if mine is None or other is None or mine == other:
        return False
    nominative = tree[name].text.lower() == tree[name].lemma
    return other == "Gen" and mine != "Gen" and not nominative


def _named_by_verb(tree: SentenceTree, index: int) -> list[int]:
    """As in "сестру зовут Катя", "a sister named Kate"."""
    for place in range(max(0, index - 2), min(len(tree.tokens), index + 4)):
        if tree[place].text.lower() in {"зовут", "named", "called", "звали"}:
            for after in range(place + 1, min(len(tree.tokens), place + 4)):
                if _CAPITALISED.match(tree[after].text) and tree[after].pos in {"PROPN", "NOUN", "X"}:
                    return [after]
    return []


def _is_name(tree: SentenceTree, index: int, people: set[int]) -> bool:
    token = tree[index]
    if token.text.lower() in _NOT_NAMES:
        return False
    if _CAPITALISED.match(token.text) is None:
        return _is_small_name(tree, index)
    return index in people or token.pos == "PROPN" or token.features.get("NameType") in {"given", "family"}


_SMALL_WORDS = frozenset(
    """
    will bill mark jack sue pat drew art ray rob bob may rose hope faith grace joy dawn frank nick rich dick grant gene jean dot
    don bert gus ant al ed val kit pip peg bess mel ginger penny daisy lily violet iris ivy holly jade ruby pearl amber dolly
    nan gran sandy sal bel may hank jerry terry tony kay jude dale glen chuck buck bud max van dan ben sam tom harry tess ella
    poly polly roma мила вера надежда любовь слава роза майя рома марк лев гога макс света лана рая тома жора лада злата
    поля гуля стася мотя филя сава граф ди аля эля крис мари нюра сеня рус эд кир дэн влад лариска галка машка жека серый
    """.split()
)
"""Names that are words too: written small they are nobody."""


_DEAR = frozenset("дорогой милый любимый старый бедный маленький dear poor old little young".split())


def _is_small_name(tree: SentenceTree, index: int) -> bool:
    """As in "с лёхой мы реставрируем", "lisl is like that": by somebody who begins sentences without a capital."""
    token, first = tree[index], next((t.text[0] for t in tree.tokens if t.text[0].isalpha()), "A")
    if any(tree[child].lemma not in _OWN | _DEAR for child in tree.children(index, "amod")):
        return False  # "плюшевый мишка"
    if not first.islower() or not token.text.islower() or {token.text, token.lemma} & _SMALL_WORDS or len(token.text) < 3:
        return False
    if token.pos not in {"PROPN", "NOUN", "X", "ADJ", "VERB"} or relation(token) in {"root", "det", "aux", "case"}:
        return False
    return is_given_name(token.lemma) or is_given_name(token.text) or token.features.get("NameType") == "given"


def _is_small_after_relation(tree: SentenceTree, place: int) -> bool:
    """As in "my cousin jayden is a pilot": what the tagger takes for a name, right after whose it is."""
    if tree.sentence.language != "en" or place >= len(tree.tokens):
        return False
    token, text = tree[place], tree[place].text
    if token.pos != "PROPN" or not text.islower() or not text.isalpha() or len(text) < 3 or text in _NOT_NAMES | _SMALL_WORDS:
        return False
    after = tree[place + 1] if place + 1 < len(tree.tokens) else None
    return after is None or after.pos in {"AUX", "VERB", "PUNCT", "CCONJ", "ADV", "SCONJ"}


def _is_small_predicate(tree: SentenceTree, index: int) -> bool:
    """As in "my best mate is rebecca": a name of the tables, small, with nothing that makes it a noun."""
    text = tree[index].text
    named = text.islower() and len(text) > 2 and is_given_name(text) and not {text, tree[index].lemma} & _SMALL_WORDS
    bare = bool(tree.children(index, "cop")) and not tree.children(index, "det", "amod")
    return tree.sentence.language == "en" and named and bare


def _is_common(tree: SentenceTree, index: int) -> bool:
    """A noun of the dictionary that names no person, written large only because the sentence begins with it."""
    token = tree[index]
    return index == 0 and token.features.get("Animacy") is not None and token.features.get("NameType") is None


def _whole_name(tree: SentenceTree, index: int, people: set[int]) -> list[int]:
    tokens = [index]
    place = index + 1
    while (
        place < len(tree.tokens)
        and _is_name(tree, place, people)
        and (place in people or relation(tree[place]) in {"flat", "compound"})
    ):
        tokens.append(place)
        place += 1
    place = index - 1
    while (
        place >= 0
        and _is_name(tree, place, people)
        and relation(tree[place]) in {"compound", "flat"}
        and tree[place].head in tokens
        and not _is_common(tree, place)
    ):
        tokens.insert(0, place)
        place -= 1
    return tokens


def _by_name(
    tree: SentenceTree, number: int, people: set[int], other: set[int], used: set[int], known: frozenset[str]
) -> Iterator[PersonMention]:
    taken = set(used)
    for index, token in enumerate(tree.tokens):
        known_noun = token.pos == "NOUN" and token.text in known
        if index in taken or not (known_noun or _is_name(tree, index, people)):
            continue
        given = token.features.get("NameType") == "given" or is_given_name(token.lemma) or is_given_name(token.text)
        called = _nominative(token)
        is_known = called in known
        if tree.sentence.language == "en" and any(tree.children(i, "det", "nummod") for i in _whole_name(tree, index, people)):
            continue  # "the Hydra"
        told = relation(token) == "appos" and token.head >= 0 and token.pos == "PROPN" and is_human(tree, token.head)
        if index in other and not (given or is_known or told or _does_to_me(tree, index) or _in_company(tree, index)):
            continue
        tokens = [index] if known_noun else _whole_name(tree, index, people)
        taken.update(tokens)
        if set(tokens) & used or _is_addressed(tree, tokens) or _introduces_self(tree, tokens) or names_pet(tree, tokens[0]):
            continue
        if _names_no_person(tree, tokens):
            continue
        placed = _stands_as_place(tree, tokens)
        sure = is_known or told or (given and not placed) or (index in people and _is_person_role(tree, tokens) and not placed)
        if tree.sentence.language == "ru" and not given and token.features.get("NameType") != "family" and len(tokens) < 2:
            sure = sure and (is_known or relation(token) in {"nsubj", "iobj"})
        if not sure and not _acts_like_person(tree, tokens):
            continue
        if tree.sentence.language == "ru" and token.lemma.rsplit("-", 1)[-1] in ROLES and len(tokens) > 1:
            tokens = tokens[1:]
        name = " ".join(_nominative(tree[i]) for i in tokens)
        yield PersonMention(
            tree[tokens[0]].start, tree[tokens[-1]].end, name, "", "", _gender(tree[tokens[0]]), number, tokens[0], tuple(tokens),
            full_name=_full(name, _gender(tree[tokens[0]])), qualifier=_qualifier(tree, tokens[0]),
        )  # fmt: skip


def _names_no_person(tree: SentenceTree, tokens: list[int]) -> bool:
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


def _stands_as_place(tree: SentenceTree, tokens: list[int]) -> bool:
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


def _in_company(tree: SentenceTree, index: int) -> bool:
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


def _does_to_me(tree: SentenceTree, index: int) -> bool:
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


def _is_person_role(tree: SentenceTree, tokens: list[int]) -> bool:
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


def _acts_like_person(tree: SentenceTree, tokens: list[int]) -> bool:
    """A capitalised English name that the recogniser missed: subject of a human act, or company ("with Kate")."""
    if tree.sentence.language != "en":
        return False
    head = tokens[-1]
    token = tree[head]
    if token.pos != "PROPN" or tree.children(head, "det", "amod", "nummod") or len(token.text) < 3 or token.text.isupper():
        return False
    above = token.head
    if _stands_as_place(tree, tokens):
        return False
    if _does_to_me(tree, head):
        return True
    if relation(token) == "nsubj" and above >= 0:
        return (tree[above].lemma in _SPEAKING and tree[above].pos == "VERB") or any(
            tree[child].lemma == "i" for child in tree.children(head, "conj")
        )
    if token.relation == "nmod:poss":
        return above >= 0 and tree[above].lemma in HUMAN_NOUNS
    case = tree.case(head)
    if _in_company(tree, head) or (case == "into" and above >= 0 and tree[above].lemma in {"bump", "run"}):
        return True
    if relation(token) == "obj" and above >= 0:
        return tree[above].lemma in _MEETING and any(tree[c].lemma in {"i", "we"} for c in tree.children(above, "nsubj"))
    if case == "to" and above >= 0:
        return tree[above].lemma in _TALKING
    return relation(token) in {"obl", "nmod"} and case == "with"


def _is_addressed(tree: SentenceTree, tokens: list[int]) -> bool:
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


def _introduces_self(tree: SentenceTree, tokens: list[int]) -> bool:
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


def _nominative(token: Token) -> str:
    """The name as one is called: Russian lemmas are nominative; a rare name whose lemma looks wrong stays as said."""
    if not ("а" <= token.text[-1].lower() <= "я" or token.text[-1].lower() == "ё"):
        return token.text
    lemma = token.lemma
    said = token.text
    patronymic = re.fullmatch(r"([А-ЯЁ]\w+(?:ов|ев|ёв|ич|ин))н(?:а|ы|е|у|ой|ою)", said)
    if patronymic is not None:  # dictionaries give the father's masculine
        return patronymic[1] + "на"
    if not lemma or lemma[:2] != token.text.lower()[:2]:
        return token.text
    if not is_given_name(lemma) and token.features.get("NameType") in {None, "place"}:
        if is_given_name(said):
            return said
        listed = _listed_nominative(said)
        if listed:
            return listed
        if token.features.get("Animacy") == "Inan" and said[-1] in "ая":
            return said  # "Мака", of which the dictionary only knows poppies
    if token.features.get("Case") == "Nom" and token.features.get("NameType") != "given":
        return token.text
    if token.features.get("Gender") == "Fem" and token.features.get("NameType") == "patronymic":
        return token.text
    return "-".join(part.capitalize() for part in lemma.split("-"))


def _listed_nominative(said: str) -> str:
    """The one name of the tables whose oblique form that is ("Ваде" → "Вадя"); "" where there is none, or several."""
    stem = re.fullmatch(r"(\w{2,}?)(?:ою|ею|ой|ей|ом|ем|е|у|ю|ы|и|а|я)", said)
    if stem is None:
        return ""
    found = {stem[1] + ending for ending in ("", "а", "я", "й", "ь") if is_given_name(stem[1] + ending)}
    return found.pop() if len(found) == 1 else ""


def _gender(token: Token) -> str:
    return {"Masc": "m", "Fem": "f"}.get(token.features.get("Gender", ""), "n")


def _full(name: str, gender: str) -> str:
    """The full names that the first word may stand for; a full name stands for itself."""
    return " / ".join(full_names(name.split(maxsplit=1)[0], gender=gender)) if name else ""


_SETS_APART = frozenset({"from", "at", "next", "с", "из", "со", "по"})


def _qualifier(tree: SentenceTree, index: int) -> str:
    """As in "from work", "с шиномонтажа", "next door": keeps namesakes apart."""
    for child in tree.children(index, "nmod"):
        if tree.case(child) in _SETS_APART and tree[child].pos == "NOUN" and child > index and child - index <= _LONGEST_ROLE:
            words = tree.subtree(child)
            return " ".join(tree[k].text for k in words if tree[k].text not in {",", "."})[:40]
    following = tree.tokens[index + 1 : index + 1 + _LONGEST_ROLE]
    if following and following[0].text.lower() in {"from", "at", "с", "из", "со"} and following[0].pos == "ADP":
        kept: list[str] = []
        for token in following:
            if is_mark(token) or token.pos in {"VERB", "AUX", "PRON", "SCONJ"} or token.text.lower() in {"который", "которая"}:
                break
            kept.append(token.text)
        if len(kept) > 1 and not any(word[:1].isdigit() for word in kept):
            return " ".join(kept)[:40]
    if index + 2 < len(tree.tokens) and tree[index + 1].text.lower() == "next" and tree[index + 2].text.lower() == "door":
        return "next door"
    return ""
