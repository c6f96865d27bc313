"""From clauses to candidates: which clause makes a node, of what type, about whom, when."""

# ruff: noqa: C901, PLR0911, PLR0912, PLR0915 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from dataclasses import replace

from memory_lib.domain.candidates import OTHERS, Candidate, Modality, NodeType, Precision, Slot, Topic, Valence
from memory_lib.domain.clause import Clause, LinkKind, Mark, PredicateKind, Tense, Who
from memory_lib.reasoning.dates import DateMention, Direction, find_dates
from memory_lib.reasoning.dates import Role as DateRole
from memory_lib.reasoning.feelings import Feeling, feeling_of
from memory_lib.reasoning.folding import fold
from memory_lib.reasoning.modality import FORMERLY
from memory_lib.reasoning.open_loops import open_loop_rule
from memory_lib.reasoning.person_mentions import PersonMention, person_mentions
from memory_lib.reasoning.pet_words import PETS
from memory_lib.reasoning.reading import (
    BODY,
    EMPTY_LEMMAS,
    EVENT_NOUNS,
    UNREAL,
    Draft,
    Reading,
    Times,
    Whom,
    end_of,
    midnight,
    times_of,
)
from memory_lib.reasoning.requests import is_phatic, is_request
from memory_lib.reasoning.sentence_tree import FIRST_PERSON, FIRST_SINGULAR, SentenceTree, is_mark, relation
from memory_lib.reasoning.significance_words import is_significant
from memory_lib.reasoning.slots import is_stopped, mentions_allergy, slots_of
from memory_lib.reasoning.topic_words import topic_of

_STATIVE = frozenset(
    """
    be have live work love like know want need hate believe own prefer belong seem stay feel remember understand reside
    mean keep быть жить работать любить знать хотеть иметь нравиться ненавидеть учиться верить казаться уметь мочь
    бояться обожать предпочитать думать помнить понимать скучать нуждаться
    """.split()
)
_EVERY = re.compile(
    r"\b(?:every|each|usually|always|often|normally|кажд\w+|обычно|всегда|часто|постоянно|по (?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|утрам|вечерам|выходным))\b"
)
_STATES_OF_MIND = frozenset(
    {"forget", "remember", "know", "love", "like", "understand", "помнить", "знать", "любить", "забыть", "понимать"}
)
_BEFALLS = frozenset({"есть", "быть", "появиться", "родиться", "умереть", "заболеть"})
_TAKEN_ON = frozenset("брать взять принять принимать нанять нанимать устроиться hire employ recruit join".split())
_MEALS = frozenset("dinner lunch breakfast brunch coffee tea drink drinks supper chat talk argument fight row picnic".split())
_SHORT = 6
_LONGEST_JOKE_CUE = 24
_COLON_NEWS = frozenset(
    """
    новость праздник беда радость проблема горе событие news problem trouble update
    """.split()
)


def read_clause(reading: Reading, clause: Clause, *, linked: bool) -> None:
    """Adds what one clause says, if it says anything. ``linked``: another kept clause names it as its cause or effect."""
    tree = reading.trees[clause.sentence]
    words = reading.words(clause)
    if not tree.sentence.has_tree:
        _plain(reading, clause, words)
        return
    if (
        clause.has(Modality.ORDERED)
        or is_phatic(words, clause.language)
        or (clause.subject.who is Who.ADDRESSEE and not linked)
    ):
        return
    if clause.has(Modality.JOKING) and len(words) <= _LONGEST_JOKE_CUE:
        return
    loop = open_loop_rule(clause, tree, words)
    if is_request(words, clause.language) or (loop is None and clause.has(Modality.ASKED)):
        return
    whom = _whom(reading, clause, tree, linked=linked or loop is not None)
    if whom is None:
        told = feeling_of(clause, tree)
        if told is None or not told.idiom:
            return
        whom = Whom(reading.self_about, sure=False)
    date = _date(reading, clause, words)
    if clause.kind is PredicateKind.FRAGMENT and not _meaningful_fragment(
        reading, clause, tree, date, linked=linked or loop is not None
    ):
        return
    feeling = None if loop is not None else _feeling(reading, clause, tree, whom)
    if feeling is not None:
        mine = Whom(reading.self_about, sure=whom.sure)
        reading.add(clause, _note(reading, clause, feeling, mine, date), feeling=feeling)
        return
    lemmas = reading.lemmas(clause)
    if loop is not None:
        reading.add(clause, _loop(reading, clause, loop, whom, lemmas, date))
        return
    _statement(reading, clause, tree, words, lemmas, whom, date, linked=linked)


_LIGHT = frozenset(
    """
    say tell do go come want try wait think know see sleep answer reply apply agree refuse ask talk look sit stand cry call write
    сказать делать сделать пойти хотеть попробовать подождать думать подумать знать посмотреть ответить промолчать
    отказать отказаться согласиться спросить говорить сидеть стоять ждать позвонить написать просить попросить
    """.split()
)


def _says_something(reading: Reading, clause: Clause, tree: SentenceTree) -> bool:
    """Whether a content word stands beside the predicate: "Промолчала", "I said no" alone tell nothing to keep."""
    head = tree[clause.head]
    beside = [
        index
        for index in clause.own
        if index != clause.head
        and not is_mark(tree[index])
        and tree[index].pos in {"NOUN", "PROPN", "ADJ", "VERB", "NUM", "X"}
        and tree[index].lemma not in EMPTY_LEMMAS
    ]
    if beside or sum(1 for index in clause.own if not is_mark(tree[index])) >= _SHORT:
        return True
    if head.pos not in {"VERB", "AUX"}:
        return True
    manner = any(tree[i].pos == "ADV" and len(tree[i].text) > 4 and tree[i].lemma not in EMPTY_LEMMAS for i in clause.own)
    if manner and head.lemma not in _LIGHT:
        return True
    first = clause.sentence == 0 and bool(reading.unit.before) and reading.unit.before[-1].role is not reading.message.role
    answers = first and reading.unit.before[-1].text.rstrip().endswith("?") and not clause.has(Modality.WISHED)
    return answers and not clause.has(Modality.PLANNED)


def _meaningful_fragment(
    reading: Reading, clause: Clause, tree: SentenceTree, date: DateMention | None, *, linked: bool
) -> bool:
    """A fragment says something only as a dated event ("собеседование в пятницу") or as one end of a stated relation."""
    token = tree[clause.head]
    if any(True for _ in slots_of(clause, tree, reading.words(clause), dated=None)):
        return True
    if linked:
        return token.pos in {"NOUN", "VERB", "ADJ", "ADV", "PROPN"} and len(clause.own) >= 2
    if (
        date is not None
        and date.role is DateRole.AT
        and (token.lemma in EVENT_NOUNS or any(tree[i].lemma in EVENT_NOUNS for i in clause.own))
    ):
        return True
    return _feeling(reading, clause, tree, Whom(reading.self_about)) is not None and any(
        tree[index].lemma in FIRST_PERSON for index in clause.own
    )


def _whom(reading: Reading, clause: Clause, tree: SentenceTree, *, linked: bool) -> Whom | None:
    who = clause.subject.who
    mine = _touches_self(clause, tree)
    if who in {Who.SELF, Who.GROUP}:
        return Whom(reading.self_about, sure=clause.subject.token is not None and not clause.subject.inherited)
    verb = tree[clause.head]
    if clause.experiencer is not None and tree[clause.experiencer].lemma in {"я", "мы"}:
        # "у меня жена любит чай": she does, beside me; "у меня родилась дочка" is mine.
        beside = who is Who.PERSON and tree.case(clause.experiencer) == "у" and verb.pos == "VERB"
        if not beside or verb.lemma in _BEFALLS or clause.subject.inherited:
            return Whom(reading.self_about)
    elif clause.experiencer is not None and verb.lemma in {"нравиться", "понравиться", "хотеться"}:
        fan = next((m for m in reading.mentions if m.sentence == clause.sentence and clause.experiencer in m.tokens), None)
        return None if fan is None else Whom(f"person:{reading.key(fan)}", reading.key(fan))
    if who is Who.PERSON:
        mention = _person_of(reading, clause, tree)
        if mention is not None:
            return Whom(f"person:{reading.key(mention)}", reading.key(mention), sure=not clause.subject.inherited)
        if mine or linked:
            return Whom(reading.self_about if mine else OTHERS, sure=False)
        token = clause.subject.token
        if token is not None and tree[token].pos == "PRON" and _pet_before(reading, tree[token].start):
            return Whom(reading.self_about, sure=False)
        return None
    if mine:
        return Whom(reading.self_about, sure=True)
    if linked:
        return Whom(reading.self_about, sure=False)
    if clause.kind is PredicateKind.FRAGMENT:
        return Whom(reading.self_about, sure=False)
    if clause.subject.token is not None and tree[clause.subject.token].lemma in BODY and not clause.subject.inherited:
        return Whom(reading.self_about, sure=False)
    if clause.subject.token is not None and who is Who.THING and _own_affair(reading, clause, tree):
        return Whom(reading.self_about, sure=False)
    bare = who is Who.NONE and clause.experiencer is None and clause.kind is PredicateKind.ADJECTIVAL
    if bare and clause.language == "ru" and len(clause.own) <= _SHORT and feeling_of(clause, tree) is not None:
        return Whom(reading.self_about, sure=False)
    return None


def _pet_before(reading: Reading, place: int) -> bool:
    """Whether the last one spoken of before that place is an animal of the speaker's."""
    return any(token.lemma in PETS and token.end <= place for sentence in reading.parse.sentences for token in sentence.tokens)


def _touches_self(clause: Clause, tree: SentenceTree) -> bool:
    """A word of the first person. "Us" and "our" count only of something owned or done, not in "nature makes us feel small"."""
    subject = clause.subject.token
    for index in clause.own:
        token = tree[index]
        words = {token.lemma, token.text.lower()}
        if words & FIRST_SINGULAR:
            return True
        if not words & FIRST_PERSON:
            continue
        if clause.tense is Tense.PAST or (
            relation(token) in {"nsubj", "det"} and subject is not None and subject in {index, token.head}
        ):
            return True
        if token.relation == "nmod:poss" and token.head == subject:
            return True
    return False


def _own_affair(reading: Reading, clause: Clause, tree: SentenceTree) -> bool:
    """As in "Собеседование прошло хорошо", "the interview went well": a definite event told in the past, or dated."""
    subject = clause.subject.token
    if subject is None or tree[subject].pos != "NOUN":
        return False
    if tree[subject].lemma in EVENT_NOUNS and clause.tense in {Tense.PAST, Tense.FUTURE}:
        return tree[subject].features.get("Number") != "Plur"
    if tree[subject].lemma in EVENT_NOUNS and _date(reading, clause, reading.words(clause)) is not None:
        return True
    return feeling_of(clause, tree) is not None


def _person_of(reading: Reading, clause: Clause, tree: SentenceTree) -> PersonMention | None:
    token = clause.subject.token
    if token is None or token >= len(tree.tokens):
        return None
    for mention in reading.mentions:
        if mention.sentence == clause.sentence and (token == mention.token or token in mention.tokens):
            return mention
    word = tree[token]
    if word.pos != "PRON":
        return None
    gender = {"he": "m", "он": "m", "she": "f", "она": "f", "him": "m", "her": "f"}.get(word.lemma, "")
    before = [m for m in reading.mentions if m.start < word.start]
    for mention in reversed(before):
        if mention.gender in {gender, "n"}:
            return mention
    for message, parse in zip(reversed(reading.unit.before), reversed(reading.parses[:-1]), strict=False):
        if message.role is reading.message.role and message.speaker == reading.message.speaker:
            for mention in reversed(person_mentions(parse)):
                if mention.gender in {gender, "n"}:
                    return mention
    return None


_STARTING = frozenset("выходить начинать начинаться стартовать ехать идти переезжать уезжать открываться start begin".split())
_CLOCK_NOUNS = frozenset("morning afternoon evening night утро вечер день ночь".split())
_MAY = frozenset(
    "invite ask tell want plan need agree promise decide просить попросить позвать пригласить обещать решить".split()
)


def _date(reading: Reading, clause: Clause, words: str) -> DateMention | None:
    if clause.tense is Tense.PAST:
        direction = Direction.PAST
    elif clause.tense is Tense.FUTURE or clause.has(Modality.PLANNED) or clause.has(Modality.WISHED):
        direction = Direction.FUTURE
    else:
        direction = Direction.NONE
    tree = reading.trees[clause.sentence]
    searched = _without_kinds(clause, tree, words)
    found = find_dates(searched, anchor=reading.message.time, language=clause.language, direction=direction)
    if not found:
        return None
    best = next((mention for mention in found if mention.role is DateRole.AT), found[0])
    side = _own_side(clause, tree, best, direction)
    if side is not direction:
        again = find_dates(searched, anchor=reading.message.time, language=clause.language, direction=side)
        best = next((mention for mention in again if mention.start == best.start), best)
    return replace(best, start=best.start + clause.start, end=best.end + clause.start)


def _own_side(clause: Clause, tree: SentenceTree, mention: DateMention, direction: Direction) -> Direction:
    """As in "asked me to cover Saturday": the date is the infinitive's, not the asking's; what lasts "с субботы" began before."""
    if not tree.sentence.has_tree:
        return direction
    if mention.role is DateRole.SINCE and direction is Direction.NONE and tree[clause.head].lemma not in _STARTING:
        return Direction.PAST
    if direction is not Direction.PAST or tree[clause.head].lemma not in _MAY:
        return direction
    last = next((i for i in reversed(clause.own) if tree[i].start < clause.start + mention.end and not is_mark(tree[i])), None)
    if last is None:
        return direction
    verb = next((above for above in tree.ancestors(last) if tree[above].pos == "VERB"), clause.head)
    infinitive = tree[verb].features.get("VerbForm") == "Inf" or any(
        tree[child].text.lower() == "to" for child in tree.children(verb, "aux", "mark")
    )
    return Direction.FUTURE if verb != clause.head and infinitive else direction


def _without_kinds(clause: Clause, tree: SentenceTree, words: str) -> str:
    """As in "any Saturday rush", "my Friday class": a weekday that tells what kind of thing it is dates nothing."""
    if not tree.sentence.has_tree or clause.language != "en":
        return words
    letters = list(words)
    for index in clause.own:
        token = tree[index]
        if token.lemma not in _WEEKDAYS and token.text.lower() not in _WEEKDAYS:
            continue
        above = token.head
        if relation(token) not in {"compound", "amod", "nmod"} or above <= index:
            continue
        if tree[above].lemma not in _CLOCK_NOUNS and tree[above].text.lower() not in _CLOCK_NOUNS:
            letters[token.start - clause.start : token.end - clause.start] = "_" * (token.end - token.start)
    return "".join(letters)


_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())


def _feeling(reading: Reading, clause: Clause, tree: SentenceTree, whom: Whom) -> Feeling | None:
    if any(clause.has(m) for m in (*UNREAL, Modality.REPORTED, Modality.ASKED)):
        return None
    feeling = feeling_of(clause, tree)
    if feeling is None or feeling.valence is Valence.NEUTRAL:
        return None
    if whom.about != reading.self_about and not feeling.undergone:
        return None
    if clause.has(Modality.WISHED) and not re.search(r"can't wait|looking forward", fold(reading.words(clause))):
        return None
    return feeling


def _note(reading: Reading, clause: Clause, feeling: Feeling, whom: Whom, date: DateMention | None) -> Candidate:
    confidence = reading.confidence(clause, whom)
    rule = "emotional_note.named/1"
    if not feeling.named:
        confidence, rule = min(confidence, reading.params.confidence_judged), "emotional_note.judged/1"
    return reading.candidate(
        clause, NodeType.EMOTIONAL_NOTE, rule, whom, confidence=confidence,
        importance=reading.params.importance_plain, valence=feeling.valence, intensity=feeling.intensity,
        topic=topic_of(reading.lemmas(clause)),
        times=times_of(date if clause.tense is Tense.PAST or (date and date.rule.startswith(("ru.today", "en.today"))) else None),
    )  # fmt: skip


def _loop(reading: Reading, clause: Clause, rule: str, whom: Whom, lemmas: list[str], date: DateMention | None) -> Candidate:
    tree_words = reading.words(clause)
    if date is None or date.role is DateRole.SINCE:
        again = find_dates(tree_words, anchor=reading.message.time, language=clause.language, direction=Direction.FUTURE)
        date = next(
            (
                replace(m, start=m.start + clause.start, end=m.end + clause.start)
                for m in again
                if m.begin >= midnight(reading.message)
            ),
            None,
        )
    due = None if date is None or date.begin < midnight(reading.message) else date.begin.isoformat()
    return reading.candidate(
        clause, NodeType.OPEN_LOOP, rule, whom, confidence=reading.confidence(clause, whom),
        importance=max(reading.params.importance_dated, reading.params.importance_significant if is_significant(lemmas) else 0.0),
        topic=topic_of(lemmas), times=Times(due=due, precision=Precision.DAY if date is None else date.precision),
    )  # fmt: skip


def _statement(
    reading: Reading,
    clause: Clause,
    tree: SentenceTree,
    words: str,
    lemmas: list[str],
    whom: Whom,
    date: DateMention | None,
    *,
    linked: bool,
) -> None:
    folded = fold(words)
    head = tree[clause.head]
    habitual = _EVERY.search(folded) is not None
    today = midnight(reading.message)
    ahead = date is not None and date.role is not DateRole.LASTING and end_of(date) > today and not habitual
    upcoming = (
        ahead
        and date is not None
        and clause.tense is not Tense.PAST
        and (clause.tense is Tense.FUTURE or clause.has(Modality.PLANNED) or date.begin > reading.message.time or date.precision is Precision.DAY)
        and (
            head.lemma not in _STATIVE - {"be", "have", "быть"}
            or clause.has(Modality.PLANNED)
        )
        and date.role in {DateRole.AT, DateRole.UNTIL}
    )  # fmt: skip
    if upcoming and not any(word in EVENT_NOUNS for word in lemmas) and head.lemma in {"be", "have", "быть"}:
        upcoming = clause.tense is Tense.FUTURE
    if (
        upcoming
        and clause.kind in {PredicateKind.NOMINAL, PredicateKind.ADJECTIVAL}
        and not any(w in EVENT_NOUNS for w in lemmas)
    ):
        upcoming = clause.tense is Tense.FUTURE
    birthday = bool({"birthday", "рождение"} & set(lemmas)) and clause.tense is Tense.PRESENT
    slots = list(slots_of(clause, tree, words, dated=None if date is None else date.begin.date().isoformat()))
    if clause.has(Modality.CONDITIONAL) and whom.about != reading.self_about:
        return
    if linked and _vague(clause, tree) and not _says_something(reading, clause, tree):
        return
    empty = not (slots or date is not None or linked or is_significant(lemmas))
    if empty and not _causes(reading, clause) and not _says_something(reading, clause, tree):
        return
    intended = clause.has(Modality.PLANNED) and clause.tense is not Tense.PAST and not habitual
    planned = upcoming or (intended and head.lemma not in _STATES_OF_MIND)
    dynamic = head.pos in {"VERB", "AUX"} and (
        head.lemma not in _STATIVE
        or (head.lemma == "have" and any(tree[c].lemma in _MEALS | EVENT_NOUNS for c in tree.children(clause.head, "obj")))
    )
    happened = (
        clause.tense is Tense.PAST
        and not clause.has(Modality.WISHED)
        and (dynamic or (date is not None and date.role is DateRole.AT))
        and not _EVERY.search(folded)
    )
    if FORMERLY.search(folded):
        happened = False
    node_type = NodeType.EVENT if (planned or happened) and not birthday else NodeType.FACT
    if (
        clause.kind is PredicateKind.FRAGMENT
        and node_type is NodeType.FACT
        and clause.subject.who is not Who.SELF
        and date is None
    ):
        node_type = NodeType.EVENT if clause.tense is Tense.PAST else NodeType.FACT
    under_way = (
        dynamic and clause.tense is Tense.PRESENT and not habitual and whom.about == reading.self_about and not clause.negated
    )
    significant = (
        is_significant(lemmas) and (node_type is NodeType.EVENT or under_way) and not any(clause.has(m) for m in UNREAL)
    )
    if any(slot.key == "employer" for slot in slots) and (head.lemma in _TAKEN_ON or node_type is NodeType.EVENT):
        significant = True
    if significant and clause.negated and not clause.has(Modality.PLANNED):
        significant = clause.mark(Mark.NO_LONGER) is not None or {"сдать", "поступить", "pass"} & set(lemmas) != set()
    importance = (
        reading.params.importance_significant if significant
        else reading.params.importance_profile if slots and slots[0].single
        else reading.params.importance_dated if upcoming
        else reading.params.importance_plain if whom.sure and not _vague(clause, tree)
        else reading.params.importance_minor
    )  # fmt: skip
    topic = Topic.OTHER if mentions_allergy(words) else topic_of(lemmas)
    if any(slot.key in {"job", "employer"} for slot in slots):
        topic = Topic.WORK
    times = times_of(date if node_type is NodeType.EVENT or (date is not None and date.role is not DateRole.AT) else None)
    if upcoming and date is not None and date.begin >= today:
        times = replace(times, due=date.begin.isoformat())
    if date is not None and date.role is DateRole.AT and times.due is None and node_type is NodeType.EVENT:
        told_of = any(word in EVENT_NOUNS for word in lemmas) or clause.tense is not Tense.PAST
        if date.begin > reading.message.time and told_of and not habitual:
            times = replace(times, due=date.begin.isoformat())  # "They have asked me in for an interview on 13 May"
            importance = max(importance, reading.params.importance_dated)
    modality = None
    if upcoming and node_type is NodeType.EVENT and not clause.has(Modality.PLANNED) and clause.has(Modality.ASSERTED):
        modality = tuple(Modality.PLANNED if m is Modality.ASSERTED else m for m, _ in clause.modality)
    rule = f"{node_type.value}.{'plan' if planned and node_type is NodeType.EVENT else 'clause'}/1"
    candidate = reading.candidate(
        clause, node_type, rule, whom, confidence=reading.confidence(clause, whom), importance=importance, topic=topic,
        slot=slots[0] if slots else None, modality=modality, times=times,
    )  # fmt: skip
    if slots and slots[0].key == "habit" and is_stopped(clause, tree):
        candidate = replace(candidate, polarity=False)
    reading.add(clause, candidate)
    for slot in [slot for slot in slots[1:4] if slot.key != "habit"]:
        _extra_slot(reading, clause, tree, candidate, slot)


def _causes(reading: Reading, clause: Clause) -> bool:
    """Whether a joining word names that clause as a cause or an effect."""
    told = {LinkKind.BECAUSE, LinkKind.THEREFORE, LinkKind.FEELING}
    own = clause.link is not None and clause.link.kind in told
    return own or any(
        other.link is not None and other.link.kind in told and other.link.parent == clause.index for other in reading.clauses
    )


def _extra_slot(reading: Reading, clause: Clause, tree: SentenceTree, candidate: Candidate, slot: Slot) -> None:
    """A second property in one clause stands on its own words ("as a nurse at Northwind")."""
    literal = fold(reading.words(clause)).find(fold(slot.value))
    if literal >= 0 and " " in slot.value:
        _slot_draft(reading, candidate, slot, clause.start + literal, clause.start + literal + len(slot.value))
        return
    wanted = slot.value.split()[0].lower()
    for index in clause.own:
        token = tree[index]
        if wanted in {token.text.lower(), token.lemma} and index != clause.head:
            top = index
            while (
                tree[top].head >= 0
                and relation(tree[top]) in {"nummod", "compound", "flat", "amod"}
                and tree[top].head in clause.own
            ):
                top = tree[top].head
            own = [i for i in tree.subtree(top) if i in set(clause.own) and not is_mark(tree[i]) and tree[i].pos != "CCONJ"]
            _slot_draft(reading, candidate, slot, tree[own[0]].start, tree[own[-1]].end)
            return


def _slot_draft(reading: Reading, candidate: Candidate, slot: Slot, start: int, end: int) -> None:
    if (start, end) == (candidate.start, candidate.end):
        return
    extra = replace(
        candidate, type=NodeType.FACT, start=start, end=end, content=reading.text[start:end], slot=slot, rule=f"fact.slot.{slot.key}/1",
        importance=reading.params.importance_profile if slot.single else candidate.importance, due=None, valid_from=None, ends=None,
        precision=Precision.DAY,
    )  # fmt: skip
    reading.drafts.append(Draft(extra, None))


def _plain(reading: Reading, clause: Clause, words: str) -> None:
    """Without trees only a first-person sentence is kept, whole."""
    if clause.has(Modality.ASKED) or is_request(words, clause.language) or is_phatic(words, clause.language):
        return
    if clause.subject.who not in {Who.SELF, Who.GROUP} or len(clause.own) < 3:
        return
    whom = Whom(reading.self_about, sure=False)
    date = _date(reading, clause, words)
    node_type = NodeType.FACT if date is None else NodeType.EVENT
    reading.add(
        clause,
        reading.candidate(
            clause, node_type, f"{node_type.value}.sentence/1", whom, confidence=reading.params.confidence_judged,
            importance=reading.params.importance_plain, topic=topic_of(fold(words).split()), times=times_of(date),
        ),
    )  # fmt: skip


def keep_linked(reading: Reading) -> None:
    """A clause that a kept one names as its cause, effect, or neighbour in time is kept too."""
    causal = {
        LinkKind.BECAUSE,
        LinkKind.THEREFORE,
        LinkKind.FEELING,
        LinkKind.COLON,
        LinkKind.AFTER,
        LinkKind.BEFORE,
        LinkKind.WHEN,
    }
    for clause in reading.clauses:
        link = clause.link
        if link is None or link.kind not in causal or len(reading.drafts) >= reading.params.max_candidates:
            continue
        here, there = clause.index in reading.by_clause, link.parent in reading.by_clause
        if link.kind is LinkKind.WHEN and (here or not there or reading.drafts[reading.by_clause[link.parent]].feeling is None):
            continue
        told = {LinkKind.BECAUSE, LinkKind.THEREFORE}
        if not here and not there and link.kind in told and {clause.tense, reading.clauses[link.parent].tense} == {Tense.PAST}:
            # Nobody is named, yet the person tells what happened and why: "денег не было, отпуск отменили".
            read_clause(reading, reading.clauses[link.parent], linked=True)
            read_clause(reading, clause, linked=True)
            continue
        if here == there:
            continue
        other = reading.clauses[link.parent] if here else clause
        if link.kind is LinkKind.COLON and not announces(reading, reading.clauses[link.parent]):
            continue
        if other.has(Modality.ASKED) or other.has(Modality.ORDERED):
            continue
        read_clause(reading, other, linked=True)


def announces(reading: Reading, clause: Clause) -> bool:
    """As in "У меня праздник: …", "I'm so happy: …": what follows the colon is its cause."""
    tree = reading.trees[clause.sentence]
    if not tree.sentence.has_tree:
        return False
    return feeling_of(clause, tree) is not None or any(tree[i].lemma in _COLON_NEWS for i in clause.own)


def _vague(clause: Clause, tree: SentenceTree) -> bool:
    """As in "It reminds me of that": what is meant stands elsewhere."""
    token = clause.subject.token
    return (
        token is not None
        and not clause.subject.inherited
        and tree[token].lemma in {"it", "this", "that", "they", "это", "то", "они", "оно"}
    )
