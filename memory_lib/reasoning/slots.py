"""Named properties read off a clause's tree: name, age, job, employer, city, family, pets, tastes, language, birthday."""

# ruff: noqa: C901, PLR0911, PLR0912, PLR0915 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from memory_lib.domain.candidates import Modality, Slot
from memory_lib.domain.clause import Clause, Mark, PredicateKind, Tense, Who
from memory_lib.domain.syntax import Token
from memory_lib.reasoning.folding import fold
from memory_lib.reasoning.habit_words import DOINGS, GERUNDS, MEASURES, MOMENTARY, STOPPING, WHEN
from memory_lib.reasoning.kinship_words import RELATIONS
from memory_lib.reasoning.modality import FORMERLY
from memory_lib.reasoning.person_mentions import names_pet
from memory_lib.reasoning.pet_words import PETS
from memory_lib.reasoning.role_words import INSTITUTIONS, OCCUPATIONS
from memory_lib.reasoning.sentence_tree import SentenceTree, relation

SINGLE = frozenset({"name", "age", "job", "employer", "city", "birthday"})

_JOB_SUFFIX_EN = re.compile(r"(?:ologist|ographer|smith|therapist|technician)$")
_JOB_SUFFIX_RU = re.compile(r"(?:олог|ограф|тельница|щица|щик|чик)$")
_LIKE = frozenset(
    """
    like love enjoy adore любить обожать нравиться
    """.split()
)
_DISLIKE = frozenset(
    """
    hate dislike detest loathe ненавидеть
    """.split()
)
_LONGEST_TASTE = 4
_LIVE = frozenset(
    """
    live reside жить проживать
    """.split()
)
_MOVE = frozenset(
    """
    move relocate переехать перебраться переезжать
    """.split()
)
_WORK = frozenset(
    """
    work работать трудиться подрабатывать
    """.split()
)
_JOB_NOUNS = frozenset({"job", "profession", "профессия", "работа"})
_HIRED = frozenset(
    """
    устроиться join
    """.split()
)
_BECOME = frozenset(
    """
    become стать
    """.split()
)
_LANGUAGE_RU = re.compile(r"по-(\w+ски)|на (\w+(?:ском))")
_LANGUAGES_EN = frozenset(
    """
    english german french spanish russian chinese japanese italian korean portuguese arabic hindi turkish polish dutch
    swedish mandarin
    """.split()
)
_AGE = re.compile(
    r"\b(?:i'm|i am|turned|turning|i turn) (?P<en>\d{1,3})(?:$| years? old| and\b|,|\.| today| yesterday| now| last| in\b| this)|"
    r"\b(?:(?P<who>мне|ему|ей)(?: уже| скоро| сейчас| всего| недавно| вчера| сегодня)* (?:исполнилось |исполнится |стукнуло )?|исполнилось |исполняется )(?P<ru>\d{1,3})(?: (?:лет|год(?:а)?)\b)?(?=$|[,.!]| и\b)|"
    r"\b(?P<en3>\d{1,3})[- ]years?[- ]old\b"
)
_NAME = re.compile(
    r"(?:\bменя зовут|\bзовут меня|\bназывают меня|\bмо[её] имя(?: -| —)?|\bзовите меня|\bзови меня|\bmy name is|\bmy name's|\bcall me|\bi go by|\bi'm called)(?: просто| just)? "
    r"(?P<name>[A-ZА-ЯЁ][\w'-]+(?: [A-ZА-ЯЁ][\w'-]+)?)", re.IGNORECASE
)  # fmt: skip
_BIRTHDAY = re.compile(
    r"\b(?:мой день рождения|день рождения у меня|у меня день рождения|my birthday(?: is| 's|'s)?|i was born on|я родил(?:ся|ась))\b"
)
_ALLERGY = re.compile(r"\b(?:allergic to|allergy to|аллергия на)\b")
_NO_TASTE = frozenset(
    """
    it that this them you him her то это он она они ты что everything всё все hear see way idea
    """.split()
)


def slots_of(clause: Clause, tree: SentenceTree, words: str, *, dated: str | None) -> Iterator[Slot]:
    """Slots that the clause fills for whom it is about, surest first.

    Args:
        words: the clause's text.
        dated: local date of the clause's date mention, for a birthday.
    """
    folded = fold(words)
    unreal = (Modality.CONDITIONAL, Modality.FICTIONAL, Modality.JOKING, Modality.WISHED, Modality.ASKED, Modality.QUOTED)
    if any(clause.has(modality) for modality in unreal):
        return
    if clause.has(Modality.PLANNED) and not _BIRTHDAY.search(folded):
        return  # not true yet; the plan itself is a node
    if FORMERLY.search(folded):
        return
    named = _NAME.search(words)
    if named is not None and named["name"][0].isupper():
        yield _slot("name", named["name"])
    elif clause.subject.who is Who.SELF and clause.kind is PredicateKind.NOMINAL and _is_own_name(tree, clause):
        yield _slot("name", tree[clause.head].text)
    else:
        beside = _name_beside_me(clause, tree)
        if beside is not None:
            yield _slot("name", beside)
    age = _AGE.search(folded)
    if age is not None and (
        clause.subject.who in {Who.SELF, Who.NONE, Who.THING} or _experienced_by_me(clause, tree) or age["en3"]
    ):
        value = age["en"] or age["ru"] or age["en3"]
        if value and 3 <= int(value) <= 110 and age["who"] not in {"ему", "ей"}:
            yield _slot("age", value)
    yield from _hired(clause, tree)
    yield from _work(clause, tree)
    yield from _place(clause, tree)
    if _BIRTHDAY.search(folded) and dated is not None:
        yield _slot("birthday", dated[5:10])
    yield from _belongings(clause, tree)
    yield from _tastes(clause, tree)
    yield from _tongue(clause, tree, folded)
    yield from _habit(clause, tree, folded)


def _slot(key: str, value: str) -> Slot:
    return Slot(key, value, single=key in SINGLE)


def _experienced_by_me(clause: Clause, tree: SentenceTree) -> bool:
    return clause.experiencer is not None and tree[clause.experiencer].lemma in {"я", "мы"}


def _is_own_name(tree: SentenceTree, clause: Clause) -> bool:
    """As in "I'm Kate": a name alone as the predicate; "I'm Russian" and "I'm a Kate" are not."""
    token = tree[clause.head]
    return (
        token.pos == "PROPN"
        and token.text[0].isupper()
        and not any(
            child < clause.head for child in tree.children(clause.head, "det", "case", "amod", "compound", "nmod", "nummod")
        )
        and not tree.children(clause.head, "nmod", "case")
        and not token.text.isupper()
        and token.lemma not in _LANGUAGES_EN
        and not token.lemma.endswith(("ish", "ese", "ican"))
        and (token.text.isascii() or token.features.get("NameType") == "given")
        and clause.tense is Tense.PRESENT
        and not clause.negated
    )


def _name_beside_me(clause: Clause, tree: SentenceTree) -> str | None:
    """As in "Я Аня, живу в Твери"."""
    token = clause.subject.token
    if token is None or clause.subject.inherited or tree[token].lemma != "я":
        return None
    for child in tree.children(token, "appos", "flat"):
        if child == token + 1 and tree[child].features.get("NameType") == "given" and tree[child].text[:1].isupper():
            return tree[child].text if tree[child].features.get("Case") in {"Nom", None} else _nominative(tree[child])
    return None


def phrase(tree: SentenceTree, index: int) -> str:
    """The noun with its adjectives and names, as a nominative where it is one Russian word."""
    token = tree[index]
    parts = [
        child
        for child in tree.children(index)
        if relation(tree[child]) in {"amod", "compound", "flat", "nummod"} and abs(child - index) <= 3
    ]
    for owner in tree.children(index, "nmod"):
        if tree[owner].relation == "nmod:poss" and tree[owner].pos == "PROPN":  # "St. Mary's hospital"
            parts += [part for part in tree.subtree(owner) if part < index]
    if token.pos == "PROPN":
        parts = [
            child for child in parts if relation(tree[child]) in {"compound", "flat", "amod"} and tree[child].text[:1].isupper()
        ]
    chosen = sorted({index, *parts})
    if len(chosen) == 1:
        return _nominative(token)
    pieces = [tree[chosen[0]].text]
    for before, here in pairwise(chosen):
        pieces.append((" " if tree[here].start > tree[before].end else "") + tree[here].text)
    return "".join(pieces)


def _nominative(token: Token) -> str:
    if re.match(r"[А-ЯЁа-яё-]+$", token.text) is None:
        return token.text
    if token.features.get("Case") in {"Nom", None} or token.features.get("Number") == "Plur":
        return token.text
    lemma = token.lemma or token.text
    return "-".join(part.capitalize() for part in lemma.split("-")) if token.text[0].isupper() else lemma


def _is_occupation(token: Token) -> bool:
    lemma = token.lemma
    if lemma in OCCUPATIONS or token.text.lower() in OCCUPATIONS:
        return True
    return (_JOB_SUFFIX_RU if "а" <= lemma[:1] <= "я" else _JOB_SUFFIX_EN).search(lemma) is not None and token.pos == "NOUN"


def _work(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    head, token = clause.head, tree[clause.head]
    is_job = clause.kind is PredicateKind.NOMINAL and _is_occupation(token) and clause.tense is not Tense.PAST
    somebodys = clause.subject.who in {Who.SELF, Who.PERSON} and relation(token) != "nsubj"
    named_job = clause.subject.token is not None and tree[clause.subject.token].lemma in _JOB_NOUNS
    if is_job and (somebodys or named_job):
        yield _slot("job", phrase(tree, head))
    if token.pos not in {"VERB", "AUX"}:
        return
    working = token.lemma in _WORK and clause.tense is not Tense.PAST
    hired = token.lemma in _HIRED or (
        token.lemma in {"hire", "employ"} and any(relation(tree[c]) == "aux" for c in tree.children(head))
    )
    became = token.lemma in _BECOME
    started = token.lemma in {"start", "get"} and any(tree[c].lemma in {"job", "position"} for c in tree.children(head, "obj"))
    for child in _complements(tree, head):
        below = tree[child]
        case = tree.case(child)
        if (
            (working or hired or became)
            and _is_occupation(below)
            and (
                case == "as"
                or (below.features.get("Case") == "Ins" and not case)
                or (became and relation(below) in {"xcomp", "obj"})
            )
        ):
            yield _slot("job", phrase(tree, child))
            continue
        placed = case in {"at", "for", "in", "в", "на", "by", "with"} and _is_employer(below, case)
        joined = token.lemma == "join" and relation(below) == "obj" and below.pos == "PROPN"
        if (working or hired or started) and (placed or joined):
            yield _slot("employer", _house(tree, child))
        if started and relation(below) == "obj":
            for inner in tree.children(child, "nmod"):
                if tree.case(inner) in {"at", "with"} and tree[inner].pos in {"PROPN", "NOUN"}:
                    yield _slot("employer", _house(tree, inner))
                elif tree.case(inner) == "as" and _is_occupation(tree[inner]):
                    yield _slot("job", phrase(tree, inner))


def _complements(tree: SentenceTree, head: int) -> list[int]:
    """Dependants of the verb, and of those the nouns below them ("as a nurse at a hospital" hangs either way)."""
    direct = tree.children(head, "obl", "nmod", "xcomp", "obj", "advmod")
    return [*direct, *(below for child in direct for below in tree.children(child, "nmod"))]


def _is_employer(token: Token, case: str) -> bool:
    if token.lemma in INSTITUTIONS:
        return True
    if token.pos != "PROPN" and not token.text[:1].isupper():
        return False
    if token.features.get("NameType") in {"given", "place"} or token.lemma in {"monday", "friday", "home"}:
        return False
    return case in {"at", "for", "by", "with"} or (
        case in {"в", "на"} and (token.features.get("NameType") is None or not token.text.isascii())
    )


def _place(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    head, token = clause.head, tree[clause.head]
    living = token.lemma in _LIVE and clause.tense is not Tense.PAST
    moving = token.lemma in _MOVE
    if moving and clause.negated:
        return
    based = token.lemma == "base" and clause.language == "en"
    if not (living or moving or based):
        return
    for child in tree.children(head, "obl", "nmod", "advmod"):
        case = tree.case(child)
        below = tree[child]
        if below.pos not in {"PROPN", "NOUN", "X"} or not (
            below.text[:1].isupper() or below.features.get("NameType") == "place"
        ):
            continue
        if ((living or based) and case in {"in", "в", "во", "на", "near", "at"}) or (
            moving and case in {"to", "в", "во", "на"}
        ):
            yield _slot("city", _title(phrase(tree, child)))
            return


def _title(words: str) -> str:
    return words if words[:1].isupper() else words[:1].upper() + words[1:]


def _belongings(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """Pets and family one has, or speaks of as one's own."""
    head, token = clause.head, tree[clause.head]
    if token.lemma in {"die", "умереть", "lose", "потерять", "погибнуть"} or (
        (
            clause.tense is Tense.PAST
            and token.lemma not in {"adopt", "get", "rescue", "завести", "взять", "купить", "родиться"}
            and token.lemma in {"have", "own", "быть"}
        )
        or (clause.tense is Tense.PAST and tree.children(head, "cop"))
    ):
        return  # no longer so
    has = token.lemma in {"have", "adopt", "get", "own", "rescue", "завести", "взять", "купить"} and clause.subject.who in {
        Who.SELF,
        Who.GROUP,
    }
    at_me = _experienced_by_me(clause, tree) and clause.language == "ru"
    nouns: list[int] = []
    if has:
        nouns = list(tree.children(head, "obj"))
    if at_me:
        nouns += [*tree.children(head, "nsubj"), head]
    for noun in nouns:
        for item in (noun, *tree.children(noun, "conj")):
            below = tree[item]
            if below.lemma in PETS and token.lemma != "see":
                yield _slot("pet", _pet_name(tree, item) or below.lemma)
            elif below.lemma in RELATIONS and RELATIONS[below.lemma][0] in {
                "mother", "father", "sister", "brother", "daughter", "son", "child", "wife", "husband", "partner", "girlfriend", "boyfriend",
                "grandmother", "grandfather", "twin", "fiance", "fiancee", "grandchild", "niece", "nephew",
            } and (token.lemma in {"have", "есть", "быть", "родиться", "нет"} or item == head or token.pos == "PRON"):  # fmt: skip
                yield _slot("family", below.lemma if clause.language == "ru" else below.text.lower())
    subject = clause.subject.token
    if subject is not None and not clause.subject.inherited and tree[subject].lemma not in PETS and names_pet(tree, subject):
        yield _slot("pet", _nominative(tree[subject]))
    if (
        subject is not None
        and not clause.subject.inherited
        and tree[subject].lemma in PETS
        and any(
            tree[c].lemma in {"my", "our", "мой", "наш"} or tree[c].text.lower() in {"my", "our"}
            for c in tree.children(subject, "det", "nmod", "amod")
        )
    ):
        yield _slot("pet", _pet_name(tree, subject) or tree[subject].lemma)


def _pet_name(tree: SentenceTree, index: int) -> str | None:
    following = range(index + 1, min(index + 5, len(tree.tokens)))
    for place in following:
        word = tree[place]
        if word.text.lower() in {"named", "called", "зовут", "по", "кличке", "имени", ","}:
            continue
        if word.text[:1].isupper() and word.pos in {"PROPN", "NOUN", "X"}:
            return word.text if word.features.get("Case") == "Nom" or word.text.isascii() else _nominative(word)
        return None
    return None


def _tastes(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    head, token = clause.head, tree[clause.head]
    lemma = token.lemma
    folded_words = " ".join(tree[i].text.lower() for i in clause.own)
    if clause.subject.who is Who.ADDRESSEE:
        return
    key: str | None = None
    targets: list[int] = []
    if clause.language == "ru" and lemma in {"нравиться", "понравиться"}:
        somebody = clause.experiencer is not None and tree[clause.experiencer].pos in {"NOUN", "PROPN"}
        if not (_experienced_by_me(clause, tree) or somebody) or lemma == "понравиться":
            return
        key = "like"
        targets = [*tree.children(head, "nsubj", "csubj", "xcomp")]
    elif lemma in _LIKE and clause.subject.who in {Who.SELF, Who.GROUP, Who.PERSON} and clause.tense is Tense.PRESENT:
        key = "like"
        targets = [*tree.children(head, "obj", "xcomp", "ccomp")]
    elif lemma in _DISLIKE and clause.tense is Tense.PRESENT and clause.subject.who in {Who.SELF, Who.GROUP, Who.PERSON}:
        key, targets = "dislike", [*tree.children(head, "obj", "xcomp")]
    elif re.search(r"\b(?:can't stand|cannot stand|ca n't stand|терпеть не могу|не могу терпеть|не переношу)\b", folded_words):
        for verb in (head, *tree.children(head, "xcomp")):
            yield from (
                _slot("dislike", phrase(tree, t))
                for t in tree.children(verb, "obj", "xcomp")
                if tree[t].lemma not in _NO_TASTE and tree[t].pos != "VERB"
            )
        return
    elif (lemma == "prefer" and clause.subject.who is Who.SELF and clause.tense is Tense.PRESENT) or (
        lemma == "предпочитать" and clause.tense is Tense.PRESENT
    ):
        key, targets = "like", [*tree.children(head, "obj", "xcomp")]
    elif lemma in {"crazy", "fan", "fond", "фанат", "фанатка", "поклонник"} and clause.subject.who is Who.SELF:
        key = "like"
        targets = [c for c in tree.children(head, "obl", "nmod") if tree.case(c) in {"about", "of", ""}]
    elif clause.subject.token is not None and not clause.subject.inherited and clause.kind is PredicateKind.NOMINAL:
        favourite = any(
            tree[c].lemma in {"favorite", "favourite", "любимый"} for c in tree.children(clause.subject.token, "amod")
        ) and any(
            tree[c].lemma in {"my", "мой"} or tree[c].text.lower() == "my"
            for c in tree.children(clause.subject.token, "det", "nmod")
        )
        if favourite and clause.tense is Tense.PRESENT:
            yield _slot("like", phrase(tree, head))
        return
    elif clause.language == "ru" and any(tree[c].lemma == "любимый" for c in tree.children(head, "amod")):
        # "Моё любимое блюдо — плов": the dash stands for the copula and the parser makes it an aside.
        mine = any(tree[c].lemma == "мой" for c in tree.children(head, "det"))
        asides = [
            c for c in tree.children(head, "parataxis", "appos", "nsubj") if c > head and tree[c].pos in {"NOUN", "PROPN"}
        ]
        if mine and asides:
            yield _slot("like", phrase(tree, asides[0]))
        return
    if key is None:
        return
    if clause.negated:
        key = "dislike" if key == "like" and clause.mark(Mark.NO_LONGER) is None else key
    for target in targets:
        below = tree[target]
        if below.lemma in _NO_TASTE or below.pos in {"PRON", "DET"} or (below.pos == "VERB" and tree.children(target, "nsubj")):
            continue
        if any(
            tree[c].lemma in {"how", "that", "when", "как", "что", "когда"} for c in tree.children(target, "mark", "advmod")
        ):
            continue
        if relation(below) in {"obj", "nsubj"} and any(
            tree[c].text.lower() in {"your", "that", "this", "эта", "этот", "это", "твой", "твоя"}
            for c in tree.children(target, "det", "nmod")
        ):
            continue
        if below.pos == "VERB":
            below_it = set(tree.subtree(target))
            words = [target]
            while words[-1] + 1 in below_it and tree[words[-1] + 1].pos != "PUNCT" and len(words) < _LONGEST_TASTE:
                words.append(words[-1] + 1)
            while len(words) > 1 and tree[words[-1]].pos in {"CCONJ", "ADP", "DET", "SCONJ"}:
                words.pop()
            yield _slot(key, " ".join(tree[i].text for i in words))
        else:
            yield _slot(key, phrase(tree, target))
            for also in tree.children(target, "conj"):
                yield _slot(key, phrase(tree, also))


def _tongue(clause: Clause, tree: SentenceTree, folded: str) -> Iterator[Slot]:
    lemma = tree[clause.head].lemma
    if clause.subject.who not in {Who.SELF, Who.PERSON, Who.GROUP}:
        return
    if clause.language == "en" and lemma in {"speak", "learn", "study"} and clause.tense is Tense.PRESENT:
        for child in tree.children(clause.head, "obj"):
            if tree[child].lemma in _LANGUAGES_EN:
                yield _slot("language", tree[child].text)
    elif clause.language == "ru" and lemma in {"говорить", "учить", "изучать", "знать"} and clause.tense is Tense.PRESENT:
        match = _LANGUAGE_RU.search(folded) if lemma == "говорить" else None
        if match is not None:
            stem = match[1] or match[2]
            yield _slot("language", re.sub(r"(?:ски|ском)$", "ский", stem))
        elif lemma != "говорить":
            for child in tree.children(clause.head, "obj"):
                if tree[child].lemma.endswith("ский") or (tree[child].lemma == "язык" and tree.children(child, "amod")):
                    yield _slot(
                        "language",
                        tree[child].lemma if tree[child].lemma != "язык" else tree[tree.children(child, "amod")[0]].lemma,
                    )


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


def _habit(clause: Clause, tree: SentenceTree, folded: str) -> Iterator[Slot]:
    """What the speaker does as a rule, or no longer does: "пить кофе", "drive work"."""
    if clause.subject.who not in {Who.SELF, Who.GROUP}:
        return
    head, token = clause.head, tree[clause.head]
    if token.lemma in STOPPING and not clause.negated and clause.tense in {Tense.PAST, Tense.PRESENT}:
        stopped = _stopped_verb(clause, tree)
        if stopped is not None:
            doing = _doing(tree, stopped, clause)
            yield _slot("habit", doing or GERUNDS.get(tree[stopped].text.lower(), tree[stopped].lemma))
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
    doing = _doing(tree, head, clause)
    if doing is not None:
        yield _slot("habit", doing)


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


_TAKING_ON = frozenset("брать взять принять принимать нанять нанимать позвать hire employ recruit".split())


def _hired(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """As in "Меня берут в «Полином»", "They hired me at Corvex": who takes the speaker on becomes the employer."""
    head, token = clause.head, tree[clause.head]
    if token.lemma not in _TAKING_ON or clause.negated:
        return
    if not any(
        tree[c].lemma in {"я", "i"} or tree[c].text.lower() == "me" for c in tree.children(head, "obj", "nsubj", "iobj")
    ):
        return
    for child in _complements(tree, head):
        below = tree[child]
        case = tree.case(child)
        if case in {"в", "на", "at", "by", "to"} and (_is_employer(below, case) or _is_quoted(tree, child)):
            yield _slot("employer", _house(tree, child))
            return
    for child in tree.children(head, "obl", "xcomp"):
        if _is_occupation(tree[child]) and (tree.case(child) == "as" or tree[child].features.get("Case") == "Ins"):
            yield _slot("job", phrase(tree, child))
            return


def _house(tree: SentenceTree, index: int) -> str:
    """The organisation's own name where one stands beside its noun ("издательство «Сова»"), else the phrase."""
    last = index
    if _is_quoted(tree, index):
        return _quoted(tree, index)
    for child in tree.children(index, "appos", "flat", "nmod", "compound"):
        if child > last and tree[child - 1].text in {"«", '"', "“"}:
            return _quoted(tree, child)
    return phrase(tree, index)


def _is_quoted(tree: SentenceTree, index: int) -> bool:
    for place in range(index - 1, max(-1, index - 1 - _LONGEST_TASTE), -1):
        if tree[place].text in {"«", '"', "“"}:
            return True
        if tree[place].text in {"»", "”", ","}:
            return False
    return False


def _quoted(tree: SentenceTree, index: int) -> str:
    first = index
    while first > 0 and tree[first - 1].text not in {"«", '"', "“"} and index - first < _LONGEST_TASTE:
        first -= 1
    last = first
    while last + 1 < len(tree.tokens) and tree[last + 1].text not in {"»", '"', "”"} and last - first < _LONGEST_TASTE:
        last += 1
    if first == last:
        return _nominative(tree[first])
    text = tree[first].text
    for place in range(first + 1, last + 1):
        text += (" " if tree[place].start > tree[place - 1].end else "") + tree[place].text
    return text


def mentions_allergy(words: str) -> bool:
    """Said outright; kept in the person's own words, without a slot or a topic of its own."""
    return _ALLERGY.search(fold(words)) is not None
