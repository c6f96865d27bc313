"""Of whom a clause is said (pure): its subject, its experiencer, or whoever the verb and the clause before tell."""

# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases
from __future__ import annotations

import re
from collections.abc import Sequence

from memory_lib.domain.clause import Clause, Subject, Who
from memory_lib.domain.syntax import ROOT
from memory_lib.reasoning.people.person_evidence import names_pet
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.joining_words import opener_of
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.role_words import INSTITUTIONS, ROLES

_CAPITAL = re.compile(r"[A-ZА-ЯЁ][a-zа-яё'’-]+$")


_DONE_TOGETHER = frozenset(
    """
    ездить ехать поехать съездить ходить сходить пойти вернуться гулять погулять приехать переехать слетать полететь купаться
    отдыхать отдохнуть кататься встретиться поссориться помириться расстаться пожениться познакомиться переезжать сидеть
    посидеть праздновать отпраздновать перебраться осесть обосноваться поселиться эмигрировать развестись разойтись
    разбежаться съехаться
    обвенчаться расписаться
    """.split()
)


def subject_of(tree: SentenceTree, predicate: int, own: Sequence[int], previous: Clause | None) -> tuple[Subject, int | None]:
    """Its subject, and the token of "мне", "у меня" if there is one. ``previous``: the clause before, in its sentence."""
    experiencer = _experiencer(tree, predicate, own)
    subjects = tree.children(predicate, "nsubj", "csubj")
    subjects = [subject for subject in subjects if not _belongs_elsewhere(tree, predicate, subject)]
    here = [subject for subject in subjects if subject in own]  # not what was split off
    if tree.sentence.language == "ru" and not here:
        standing = _nominative_beside(tree, predicate, own)
        if standing is not None:
            return Subject(who_of(tree, standing), standing), experiencer
    subjects = here or subjects
    if (
        tree.sentence.language == "ru"
        and tree[predicate].features.get("Person") == "1"
        and not any(tree[s].pos == "PRON" for s in subjects)
    ):
        who = Who.GROUP if tree[predicate].features.get("Number") == "Plur" else Who.SELF
        return Subject(who), experiencer  # "пойду одна"
    if tree.sentence.language == "en" and _has_done(tree, predicate, subjects):
        return Subject(Who.SELF), experiencer
    if tree.sentence.language == "ru" and tree[predicate].features.get("Person") == "3":
        subjects = [index for index in subjects if tree.lowered(index) not in {"я", "мы"}]  # "ведёт Анна, мы её Аней зовём"
    spoken = [index for index in subjects if tree.lowered(index) in {"я", "мы", "i", "we"}]
    for subject in spoken or subjects:  # "Ура, я так рад": an outcry is no subject
        if relation(tree[subject]) == "csubj":
            if tree.sentence.language == "ru":
                continue  # "надо решить": the infinitive is no one of whom it is said
            return Subject(Who.THING, subject), experiencer
        if is_depictive(tree, predicate, subject) or _disagrees(tree, predicate, subject) or is_oblique(tree, subject):
            continue
        return Subject(who_of(tree, subject), subject), experiencer
    token = tree[predicate]
    features = token.features
    copulas = tree.children(predicate, "cop", "aux")
    person = features.get("Person") or next(
        (tree[c].features["Person"] for c in copulas if tree[c].features.get("Person")), None
    )
    plural = features.get("Number") == "Plur"
    if tree.sentence.language == "ru":
        if person == "1":
            return Subject(Who.GROUP if plural else Who.SELF), experiencer
        if (
            token.pos == "VERB"
            and features.get("Tense") != "Past"
            and token.text.lower().endswith(("ю", "у", "юсь", "усь"))
            and person != "3"
        ):
            return Subject(Who.SELF), experiencer  # "Пою", "Держу": tagged as another verb's form now and then
        if person == "2":
            return Subject(Who.ADDRESSEE), experiencer
        if experiencer is not None and (
            features.get("Gender") in {None, "Neut"} or token.pos == "ADV" or features.get("VerbForm") == "Inf"
        ):
            return Subject(who_of(tree, experiencer), experiencer), experiencer
        beside = _pronoun_beside(tree, predicate, own)
        if beside is not None:
            return Subject(who_of(tree, beside), beside), experiencer
        at_me = next((k for k in own if tree[k].lemma in {"я", "мы"} and tree[k].pos == "PRON" and tree.case(k) == "у"), None)
        if at_me is not None and experiencer is None:
            return Subject(Who.NONE), at_me  # "…, у меня-то до 2031 года действует"
        inherited = _inherited(tree, predicate, previous)
        own_duty = token.lemma in {"должен", "должный"} and inherited is not None and inherited.who is Who.PERSON
        if inherited is not None and not (own_duty and opener_of(tree, own) is not None):
            return inherited, experiencer
        if token.pos in {"VERB", "AUX"} and features.get("Tense") == "Past":
            if features.get("Gender") in {"Masc", "Fem"}:
                return Subject(Who.SELF), experiencer
            if plural:
                together = any(
                    tree.case(child) in {"с", "со"}
                    and tree[child].features.get("Case") == "Ins"
                    and (tree[child].pos != "NOUN" or tree[child].features.get("Animacy") != "Inan")
                    for child in tree.children(predicate, "obl", "nmod")
                )
                ours = together or (token.lemma in _DONE_TOGETHER and not tree.children(predicate, "obj"))
                return Subject(Who.GROUP if ours else Who.OTHERS), experiencer
        if token.pos == "ADJ" and features.get("Variant") == "Short" and features.get("Gender") in {"Masc", "Fem"}:
            return Subject(Who.SELF), experiencer
        return Subject(Who.NONE), experiencer
    inherited = _inherited(tree, predicate, previous)
    if inherited is not None:
        return inherited, experiencer
    bare = features.get("VerbForm") == "Part" and features.get("Tense") == "Past" and not tree.children(predicate, "aux")
    finite = (features.get("VerbForm") == "Fin" or bare) and (features.get("Tense") == "Past" or features.get("Person") != "3")
    if token.pos == "VERB" and finite and token.head == ROOT and features.get("Tense") == "Past":
        return Subject(Who.SELF), experiencer
    first = next(
        (index for index in own if not is_mark(tree[index]) and tree[index].pos not in {"INTJ", "ADV", "CCONJ"}), predicate
    )
    if (
        token.pos == "VERB"
        and features.get("VerbForm") == "Part"
        and token.head == ROOT
        and features.get("Aspect") == "Prog"
        and first == predicate
    ):
        return Subject(Who.SELF), experiencer
    return Subject(Who.NONE), experiencer


def _pronoun_beside(tree: SentenceTree, predicate: int, own: Sequence[int]) -> int | None:
    """A nominative pronoun among the clause's words that the tree hung elsewhere: "я городской"."""
    if tree[predicate].pos not in {"NOUN", "ADJ", "PROPN", "NUM"}:
        return None
    return next(
        (
            k
            for k in own
            if tree[k].pos == "PRON" and tree[k].lemma in {"я", "мы", "он", "она"} and tree[k].features.get("Case") == "Nom"
        ),
        None,
    )


def _agrees(tree: SentenceTree, verb: int, index: int) -> bool:
    """Whether a Russian noun could be that verb's subject by number, and by gender in the past."""
    noun, over = tree[index].features, tree[verb].features
    if noun.get("Number") != over.get("Number"):
        return False
    gendered = (over.get("Tense") == "Past" or over.get("Case") == "Nom") and over.get("Number") == "Sing"
    return not gendered or over.get("Gender") in {None, noun.get("Gender")}


def _belongs_elsewhere(tree: SentenceTree, verb: int, index: int) -> bool:
    """As in "у брата украли самокат, мама звонит": the parser gave the first verb a subject that it cannot have."""
    over, one = tree[verb], tree[index]
    several = over.pos == "VERB" and over.features.get("Tense") == "Past" and over.features.get("Number") == "Plur"
    alone = one.features.get("Number") == "Sing" and not tree.children(index, "conj", "nummod")
    human = one.pos in {"NOUN", "PROPN"} and one.features.get("Animacy") == "Anim"
    return tree.sentence.language == "ru" and several and alone and human and index > verb


def _nominative_beside(tree: SentenceTree, predicate: int, own: Sequence[int]) -> int | None:
    """Who stands before a third-person or past verb in the nominative and agrees with it, wherever the tree hung them."""
    over = tree[predicate]
    third = over.features.get("Person") == "3" or over.features.get("Tense") == "Past"
    described = over.pos == "ADJ" and over.features.get("Case") == "Nom"
    if not (described or (over.pos == "VERB" and third)):
        return None
    for k in own:
        token = tree[k]
        if k >= predicate:
            return None
        if token.pos == "PRON" and token.lemma in {"я", "мы", "ты", "вы"} and token.features.get("Case") == "Nom":
            return None
        likened = k > 0 and tree.lowered(k - 1) in {"как", "будто", "словно", "чем"}
        animate = token.pos in {"NOUN", "PROPN"} and token.features.get("Animacy") == "Anim"
        if animate and token.features.get("Case") == "Nom" and not likened and _agrees(tree, predicate, k):
            return k
    return None


def is_depictive(tree: SentenceTree, verb: int, index: int) -> bool:
    """As in "сидела злая", "пришёл уставший": an adjective after the verb is the speaker's state, not its subject."""
    token = tree[index]
    return (
        tree.sentence.language == "ru"
        and index > verb
        and tree[verb].pos == "VERB"
        and token.lemma.endswith(("ый", "ий", "ой"))
        and token.text.lower().endswith(("ая", "яя", "ый", "ий", "ой", "ые", "ие"))
        and not tree.children(index)
    )


def _has_done(tree: SentenceTree, predicate: int, subjects: Sequence[int]) -> bool:
    """As in "had one hip done in 2019": what stands after "had" was done to the speaker, who is left out."""
    had = [k for k in tree.children(predicate, "aux") if tree[k].text.lower() in {"had", "got"}]
    return bool(had and subjects) and had[0] < subjects[0] < predicate and tree.tokens[-1].text != "?"


_TIMES = frozenset("утро день вечер ночь неделя месяц год час минута сутки выходной суббота воскресенье".split())
"""Before a verb that they do not agree with, these tell how long: "весь вечер просидела"."""


def is_oblique(tree: SentenceTree, index: int) -> bool:
    """A Russian "subject" in another case is an object: "Аварийку не вызывал"."""
    token = tree[index]
    case = token.features.get("Case")
    return tree.sentence.language == "ru" and token.pos in {"NOUN", "PROPN"} and case in {"Acc", "Dat", "Ins", "Loc"}


def _disagrees(tree: SentenceTree, verb: int, index: int) -> bool:
    """As in "написала два письма": a thing that does not agree with its past verb is the object."""
    token, over = tree[index], tree[verb]
    if tree.sentence.language != "ru" or over.features.get("Tense") != "Past" or over.features.get("Number") != "Sing":
        return False
    if token.pos != "NOUN" or token.features.get("Animacy") != "Inan" or (index < verb and token.lemma not in _TIMES):
        return False
    gender = over.features.get("Gender")
    return gender in {"Masc", "Fem"} and (
        token.features.get("Number") == "Plur" or token.features.get("Gender") not in {gender, None}
    )


def _inherited(tree: SentenceTree, predicate: int, previous: Clause | None) -> Subject | None:
    """Through a joined clause; not for neuter or impersonal predicates."""
    token = tree[predicate]
    if previous is None or (
        relation(token) not in {"conj", "parataxis", "ccomp", "advcl"}
        and tree[token.head if token.head != ROOT else predicate].head == ROOT
    ):
        return None
    if token.features.get("Gender") == "Neut" or token.pos == "ADV":
        return None
    if tree.sentence.language == "ru" and token.features.get("Tense") == "Past":
        other = tree[previous.head].features if previous.head < len(tree.tokens) else {}
        if other.get("Number") and token.features.get("Number") and other.get("Number") != token.features.get("Number"):
            return None
    if previous.subject.who is Who.NONE:
        return None
    return Subject(previous.subject.who, previous.subject.token, inherited=True)


def _experiencer(tree: SentenceTree, predicate: int, own: Sequence[int]) -> int | None:
    """As in "мне", "у меня" under a Russian predicate."""
    if tree.sentence.language != "ru":
        return None
    if tree[predicate].pos == "PRON" and tree.case(predicate) == "у":
        return predicate  # "у меня праздник"
    for child in tree.children(predicate, "iobj", "obl", "nmod"):
        token = tree[child]
        if token.pos not in {"PRON", "NOUN", "PROPN"}:
            continue
        # a locative without its preposition is a dative: "Маме надо"
        named = token.features.get("Case") == "Loc" and token.pos != "PRON" and token.features.get("Animacy") == "Anim"
        dative = (token.features.get("Case") == "Dat" or named) and not tree.children(child, "case")
        if dative or (tree.case(child) == "у" and token.pos in {"PRON", "PROPN", "NOUN"}):
            return child
    if tree[predicate].pos == "NUM":  # "Маме шестьдесят два"
        whose = next((k for k in own if not is_mark(tree[k]) and tree[k].pos != "CCONJ"), predicate)
        if tree[whose].pos in {"NOUN", "PROPN", "PRON"} and tree[whose].features.get("Case") in {"Dat", "Loc"}:
            return whose
    return None


def who_of(tree: SentenceTree, index: int) -> Who:
    """Whom that noun phrase means."""
    token = tree[index]
    lemma = token.lemma
    if lemma in {"i", "я"}:
        return Who.GROUP if any(tree[c].pos in {"PROPN", "PRON", "NOUN"} for c in tree.children(index, "conj")) else Who.SELF
    if lemma == "me":
        return Who.SELF
    if lemma in {"we", "мы", "us"}:
        return Who.GROUP
    if lemma in {"you", "ты", "вы"}:
        return Who.ADDRESSEE
    if lemma in {"he", "she", "он", "она", "him", "her"}:
        return Who.PERSON
    if lemma in {"they", "они", "everyone", "people", "кто", "somebody", "someone", "кто-то", "все", "люди"}:
        return Who.OTHERS
    if any(tree[c].lemma in {"i", "я"} for c in tree.children(index, "conj")):
        return Who.GROUP
    if names_pet(tree, index):
        return Who.THING
    if lemma in RELATIONS and token.features.get("Number") == "Plur" and RELATIONS[lemma][0] != "parents":
        return Who.OTHERS
    if lemma in RELATIONS:
        return Who.PERSON
    if token.pos == "PROPN":
        return Who.THING if _is_house(tree, index) else Who.PERSON
    if any(_CAPITAL.match(tree[c].text) and tree[c].pos == "PROPN" for c in tree.children(index, "appos", "flat")):
        role = {lemma.rsplit("-", 1)[-1], token.text.lower().rsplit("-", 1)[-1]} & ROLES
        return Who.PERSON if role or token.features.get("Animacy") == "Anim" else Who.THING
    return Who.THING


def _is_house(tree: SentenceTree, index: int) -> bool:
    """As in "Fernhill Bakery", "школа «Росток»": a firm or house, nobody."""
    before = tree[index - 1].text if index > 0 else ""
    return (tree[index].lemma in INSTITUTIONS or tree[index].text.lower() in INSTITUTIONS) or before in {"«", "“", '"'}
