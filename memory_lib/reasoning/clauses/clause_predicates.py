"""What a clause's predicate is (pure): the real verb, its kind, tense and negation, and whether it orders."""

# ruff: noqa: C901, PLR0911, PLR0912 - rules of language are lists of cases
from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.clause import Cue, PredicateKind, Subject, Tense, Who
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.reporting_words import SAYING

_NEGATORS = frozenset(
    {"не", "not", "n't", "nt", "never", "никогда", "hardly", "barely", "scarcely", "neither", "nor", "вряд", "едва"}
)
_NOBODY = frozenset({"nobody", "no-one", "noone", "none", "neither", "nothing", "никто", "ничто"})
_OPINION = frozenset(
    """
    think guess suppose believe assume hope wish думать надеяться полагать казаться считать верить
    """.split()
)


def predicate_of(tree: SentenceTree, head: int) -> int:
    """The real predicate: under a first-person verb of opinion, its complement."""
    token = tree[head]
    if token.lemma in _OPINION and token.features.get("Tense") != "Past":
        first = any(tree[child].lemma in {"i", "we", "я", "мы"} for child in tree.children(head, "nsubj"))
        if first or token.features.get("Person") == "1" or token.lemma == "казаться":
            complement = tree.child(head, "ccomp")
            if complement is not None:
                return complement
    if token.lemma == "be" and any(tree[child].text.lower() in {"which", "that"} for child in tree.children(head, "nsubj")):
        for child in tree.children(head, "ccomp", "advcl"):  # "which is why we moved"
            if any(tree[inner].text.lower() == "why" for inner in tree.children(child, "advmod", "mark")):
                return child
    return head


def kind_of(tree: SentenceTree, index: int, subject: Subject) -> PredicateKind:
    """What carries the clause. ``subject``: as found, for the tree may have hung it elsewhere."""
    token = tree[index]
    if token.pos in {"VERB", "AUX"}:
        return PredicateKind.VERB
    if token.lemma in {"надо", "нужно", "можно", "нельзя", "пора", "необходимо", "должен", "нужен"}:
        return PredicateKind.MODAL
    beside = (
        subject.token is not None and not subject.inherited and subject.token != index and tree[subject.token].pos == "PRON"
    )
    predicative = beside or bool(tree.children(index, "cop", "nsubj", "csubj"))
    if token.pos in {"ADJ", "ADV", "DET"}:
        short = token.features.get("Variant") == "Short"
        dative = any(tree[child].features.get("Case") == "Dat" for child in tree.children(index, "iobj", "obl"))
        return PredicateKind.ADJECTIVAL if predicative or short or dative else PredicateKind.FRAGMENT
    if predicative or (token.pos == "NUM" and tree.children(index, "iobj")):
        return PredicateKind.NOMINAL
    return PredicateKind.FRAGMENT


def tense_of(tree: SentenceTree, predicate: int) -> tuple[Tense, bool]:
    """Its time, and whether it is a perfect."""
    token = tree[predicate]
    helpers = [tree[child] for child in tree.children(predicate, "aux", "cop")]
    words = {helper.text.lower() for helper in helpers}
    lemmas = {helper.lemma for helper in helpers}
    if tree.sentence.language == "en":
        if words & {"will", "'ll", "wo", "shall"} or (
            token.lemma == "go" and token.text.lower() in {"going", "gon"} and tree.children(predicate, "xcomp")
        ):
            return Tense.FUTURE, False
        perfect = "have" in lemmas or words & {"'ve"} != set()
        if perfect and token.lemma == "get" and token.text.lower() == "got":
            return Tense.PRESENT, False
        if perfect and ("had" in words or token.features.get("VerbForm") == "Part"):
            # "I've lived here for years" lasts; "I've moved" is over: the verb's own aspect tells.
            return (Tense.PRESENT if token.features.get("Aspect") == "Prog" else Tense.PAST), True
        if any(helper.features.get("Tense") == "Past" for helper in helpers):
            return Tense.PAST, False
        if not helpers and token.features.get("Tense") == "Past":
            return Tense.PAST, False
        if words & {"would", "could", "should", "might", "may", "must", "can"}:
            return Tense.NONE, False
        if helpers or token.features.get("Tense") == "Pres":
            return Tense.PRESENT, False
        if token.features.get("VerbForm") == "Inf" and tree.children(predicate, "nsubj"):
            return Tense.PRESENT, False  # "I no longer eat meat": the tagger took the bare form for an infinitive
        return Tense.NONE, False
    for helper in helpers:
        if helper.features.get("Tense") == "Past":
            return Tense.PAST, False
        if helper.features.get("Tense") == "Fut" or helper.text.lower().startswith("буд"):
            return Tense.FUTURE, False
    tense = token.features.get("Tense")
    if tense == "Pres" and token.features.get("Aspect") == "Perf":
        return Tense.FUTURE, False
    if tense is not None and token.features.get("VerbForm") != "Part":
        return {"Past": Tense.PAST, "Pres": Tense.PRESENT, "Fut": Tense.FUTURE}.get(tense, Tense.NONE), False
    if token.pos == "VERB" and token.features.get("VerbForm") == "Part" and token.features.get("Tense") == "Past":
        return Tense.PAST, False
    if token.pos not in {"VERB", "AUX"}:
        return Tense.PRESENT, False
    return Tense.NONE, False


def negation_of(tree: SentenceTree, predicate: int) -> Cue | None:
    """The predicate's own "not", and "нет", "no …" as the object of having."""
    token = tree[predicate]
    if token.lemma in {"нет", "нету"} or token.text.lower() in {"нет", "нету"}:
        return Cue(token.start, token.end)
    family = [predicate, *tree.children(predicate, "aux", "cop")]
    if token.lemma not in SAYING:  # "told her not to rush": what she is not to do
        family.extend(tree.children(predicate, "xcomp"))
    for member in family:
        for child in tree.children(member):
            word = tree[child]
            text = word.text.lower()
            if relation(word) == "punct":
                continue
            if text in _NEGATORS and (word.start < tree[member].start or text in {"n't", "nt", "not", "never"}):
                return Cue(word.start, word.end)
            if word.lemma in {"нет", "нету"}:
                return Cue(word.start, word.end)
            if relation(word) in {"obj", "nsubj"}:
                for determiner in tree.children(child, "det", "advmod"):
                    if tree[determiner].text.lower() in {"no", "никакой", "никаких"}:
                        return Cue(tree[determiner].start, tree[determiner].end)
    if tree.children(predicate, "cop"):  # "I'm no cook"
        for child in tree.children(predicate, "det"):
            if tree.lowered(child) == "no":
                return Cue(tree[child].start, tree[child].end)
    for subject in tree.children(predicate, "nsubj"):
        if tree[subject].lemma in _NOBODY or any(tree[k].lemma == "neither" for k in tree.children(subject)):
            return Cue(tree[subject].start, tree[subject].end)
    if tree[predicate].lemma == "be" or tree.children(predicate, "cop"):  # "What I can't do is drive"
        for subject in tree.children(predicate, "csubj"):
            inner = negation_of(tree, subject)
            if inner is not None:
                return inner
    # slovnet hangs "не" on a neighbour now and then: the word right before the predicate is its negation.
    if predicate > 0 and tree[predicate - 1].text.lower() == "не":
        return Cue(tree[predicate - 1].start, tree[predicate - 1].end)
    return None


def negation_among(tree: SentenceTree, own: Sequence[int], predicate: int) -> Cue | None:
    """The negation of a verb that the parser did not take for the predicate: "так-то я ни на что не реагировала"."""
    if tree[predicate].pos in {"VERB", "AUX"} or tree.children(predicate, "cop"):
        return None
    for index in own:
        word = tree[index]
        if tree.lowered(index) in {"не", "not", "n't", "never"} and word.head in own and tree[word.head].pos in {"VERB", "AUX"}:
            return Cue(word.start, word.end)
    return None


def is_order(tree: SentenceTree, head: int, subject: Subject) -> bool:
    """Whether it tells the listener to do something."""
    token = tree[head]
    if tree.sentence.language == "ru":
        if token.features.get("Mood") == "Imp" and token.text.lower() not in {"давай", "представь", "прикинь"}:
            return not tree.children(head, "nsubj") or subject.who is Who.ADDRESSEE
        return False
    if token.pos not in {"VERB", "AUX"} or tree.children(head, "nsubj", "csubj", "expl") or subject.inherited:
        return False
    base = token.features.get("VerbForm") in {"Inf", None} or (
        token.features.get("VerbForm") == "Fin" and token.features.get("Tense") == "Pres" and token.text.lower() == token.lemma
    )
    helpers = {tree[child].text.lower() for child in tree.children(head, "aux")}
    return base and not (helpers - {"do", "n't", "not"}) and relation(token) in {"root", "conj", "parataxis", "ccomp"}
