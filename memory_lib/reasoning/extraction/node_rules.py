"""From clauses to candidates: which clause makes a node, of what type, about whom, when."""

# ruff: noqa: C901, PLR0911, PLR0912, PLR0915 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from dataclasses import replace

from memory_lib.domain.candidates import OTHERS, Candidate, Modality, NodeType, Precision, Slot, Topic, Valence
from memory_lib.domain.clause import Clause, LinkKind, PredicateKind, Tense, Who
from memory_lib.reasoning.clauses.modality import FORMERLY
from memory_lib.reasoning.clauses.requests import is_phatic, is_request
from memory_lib.reasoning.dates import DateMention, Direction, find_dates
from memory_lib.reasoning.dates import Role as DateRole
from memory_lib.reasoning.dates.recurrence import recurrence
from memory_lib.reasoning.extraction.cause_words import says_nothing
from memory_lib.reasoning.extraction.clause_dates import clause_date, is_appointment, is_current
from memory_lib.reasoning.extraction.open_loops import ORDERED, PROMISED, open_loop_rule
from memory_lib.reasoning.extraction.reading import (
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
from memory_lib.reasoning.extraction.significance import is_life_event
from memory_lib.reasoning.extraction.stated_roles import read_role
from memory_lib.reasoning.extraction.told_of_whom import touches_self, whom_of
from memory_lib.reasoning.feelings.feeling import Feeling
from memory_lib.reasoning.feelings.feelings import feeling_of, feeling_of_other
from memory_lib.reasoning.people.opening_people import only_tells_whose
from memory_lib.reasoning.slots.slots import is_stopped, mentions_allergy, slots_of
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.content_words import EMPTY_LEMMAS
from memory_lib.reasoning.words.feeling_words import BODILY_REASONS
from memory_lib.reasoning.words.significance_words import is_significant
from memory_lib.reasoning.words.topic_words import topic_of

_STATIVE = frozenset(
    """
    be have live work love like know want need hate believe own prefer belong seem stay feel remember understand reside
    mean keep быть жить работать любить знать хотеть иметь нравиться ненавидеть учиться верить казаться уметь мочь
    бояться обожать предпочитать думать помнить понимать скучать нуждаться действовать длиться last expire истекать
    """.split()
)
_EVERY = re.compile(
    r"\b(?:every|each|usually|always|often|normally|кажд\w+|обычно|всегда|часто|постоянно|по (?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|утрам|вечерам|выходным))\b"
)
_STATES_OF_MIND = frozenset(
    {"forget", "remember", "know", "love", "like", "understand", "помнить", "знать", "любить", "забыть", "понимать"}
)
_TAKEN_ON = frozenset("брать взять принять принимать нанять нанимать устроиться hire employ recruit join".split())
_MEALS = frozenset("dinner lunch breakfast brunch coffee tea drink drinks supper chat talk argument fight row picnic".split())
_SHORT = 6
_LONGEST_JOKE_CUE = 24
_COLON_NEWS = frozenset(
    """
    новость праздник беда радость проблема горе событие news problem trouble update
    """.split()
)


def _sets_the_occasion(reading: Reading, clause: Clause) -> bool:
    """As in "I drink tea when I'm ill": on which occasions, not that one is ill."""
    link = clause.link
    return (
        link is not None
        and link.kind is LinkKind.WHEN
        and clause.tense is Tense.PRESENT
        and reading.clauses[link.parent].tense is Tense.PRESENT
        and clause.subject.who in {Who.SELF, Who.GROUP}
    )


def read_clause(reading: Reading, clause: Clause, *, linked: bool) -> None:
    """Adds what one clause says, if it says anything. ``linked``: another kept clause names it as its cause or effect."""
    tree = reading.trees[clause.sentence]
    words = reading.words(clause)
    if not tree.sentence.has_tree:
        _plain(reading, clause, words)
        return
    courtesy = clause.link is not None and clause.link.kind is LinkKind.CONDITION and not clause.has(Modality.CONDITIONAL)
    if clause.index in reading.cues or courtesy:  # "…, if I'm honest" sets no condition and tells nothing
        return
    if (
        clause.has(Modality.ORDERED)
        or is_phatic(words, clause.language)
        or (clause.subject.who is Who.ADDRESSEE and not linked)
    ):
        return
    if clause.has(Modality.JOKING) and len(words) <= _LONGEST_JOKE_CUE:
        return
    if _sets_the_occasion(reading, clause):
        clause = replace(clause, modality=tuple((Modality.CONDITIONAL, cue) for _, cue in clause.modality[:1]))
    loop = open_loop_rule(clause, tree, words)
    if loop is not None and _is_upset(clause, tree):
        loop = None  # "Пугает меня эта тишина": what is felt, not what is waited for
    if is_request(words, clause.language) or (loop is None and clause.has(Modality.ASKED)):
        read_role(reading, clause, tree)
        return
    whom = whom_of(reading, clause, tree, linked=linked or loop is not None)
    if loop == ORDERED:
        whom = Whom(reading.self_about, sure=False)
    if whom is None:
        told = feeling_of(clause, tree)
        if told is not None and told.idiom:
            whom = Whom(reading.self_about, sure=False)
        elif _names_who_feels(clause, tree) and feeling_of_other(clause, tree) is not None:
            whom = Whom(OTHERS, sure=False)
        else:
            return
    date = clause_date(reading, clause, words)
    if clause.kind is PredicateKind.FRAGMENT and not _meaningful_fragment(
        reading, clause, tree, date, linked=linked or loop is not None
    ):
        return
    feeling = None if loop is not None else _feeling(reading, clause, tree, whom)
    if feeling is not None:
        theirs = whom if whom.about != reading.self_about else Whom(OTHERS, sure=False)
        felt_by = theirs if feeling.of_other else Whom(reading.self_about, sure=whom.sure)
        reading.add(clause, _note(reading, clause, feeling, felt_by, date), feeling=feeling)
        return
    lemmas = reading.lemmas(clause)
    if loop is not None:
        reading.add(clause, _loop(reading, clause, loop, whom, lemmas, date))
        return
    _statement(reading, clause, tree, words, lemmas, whom, date, linked=linked)


def _is_upset(clause: Clause, tree: SentenceTree) -> bool:
    feeling = feeling_of(clause, tree)
    return feeling is not None and feeling.undergone


def _names_who_feels(clause: Clause, tree: SentenceTree) -> bool:
    """A noun or name: of a mere "she" nobody knows whose feeling it is."""
    token = clause.experiencer if clause.experiencer is not None else clause.subject.token
    return token is not None and tree[token].pos in {"NOUN", "PROPN"}


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
    if clause.negated and clause.subject.who is Who.SELF and head.lemma not in _LIGHT:
        return True  # "never smoked"
    manner = any(tree[i].pos == "ADV" and len(tree[i].text) > 4 and tree[i].lemma not in EMPTY_LEMMAS for i in clause.own)
    if manner and head.lemma not in _LIGHT:
        return True
    first = clause.sentence == 0 and bool(reading.unit.before) and reading.unit.before[-1].role is not reading.message.role
    if clause.has(Modality.HEDGED) and clause.subject.who is Who.SELF:
        return True  # "Видимо, откажусь"
    answers = first and reading.unit.before[-1].text.rstrip().endswith("?") and not clause.has(Modality.WISHED)
    return answers and not clause.has(Modality.PLANNED)


_NAMING = frozenset({"NOUN", "PROPN", "NUM", "VERB"})


def _meaningful_fragment(
    reading: Reading, clause: Clause, tree: SentenceTree, date: DateMention | None, *, linked: bool
) -> bool:
    """A fragment says something only as a dated event ("собеседование в пятницу") or as one end of a stated relation."""
    token = tree[clause.head]
    if any(True for _ in slots_of(clause, tree, reading.words(clause), dated=None)):
        return True
    if reading.updates[clause.index].denied:
        return True  # "in Bruges, not Ostend"
    if reading.corrects(clause) and (
        date is not None or sum(tree[i].pos in _NAMING for i in clause.own) >= 2 or token.pos in {"PROPN", "NUM"}
    ):
        return True  # "эфир в четверг"
    if linked:
        return token.pos in {"NOUN", "VERB", "ADJ", "ADV", "PROPN"} and len(clause.own) >= 2
    if (
        date is not None
        and date.role is DateRole.AT
        and (token.lemma in EVENT_NOUNS or any(tree[i].lemma in EVENT_NOUNS for i in clause.own))
    ):
        return True
    ahead = is_appointment(date) and date is not None and date.begin >= midnight(reading.message)
    if ahead and date is not None and token.pos in {"NOUN", "PROPN"} and not date.start <= token.start < date.end:
        return True  # "маникюр в четверг", "dentist on Friday"
    return _feeling(reading, clause, tree, Whom(reading.self_about)) is not None


def _feeling(reading: Reading, clause: Clause, tree: SentenceTree, whom: Whom) -> Feeling | None:
    if any(clause.has(m) for m in (*UNREAL, Modality.ASKED)):
        return None
    theirs = whom.about != reading.self_about and (not touches_self(clause, tree) or only_tells_whose(tree, clause))
    feeling = feeling_of_other(clause, tree) if theirs else feeling_of(clause, tree)
    if clause.has(Modality.REPORTED) and (feeling is None or not feeling.undergone):
        return None
    if feeling is None or feeling.valence is Valence.NEUTRAL or (whom.about != reading.self_about and not feeling.named):
        feeling = feeling_of_other(clause, tree)
    if feeling is None:
        return None
    if feeling.sleepless and any(
        token.lemma in BODILY_REASONS for sentence in reading.parse.sentences for token in sentence.tokens
    ):
        return None
    if clause.has(Modality.WISHED) and not re.search(r"can't wait|looking forward", fold(reading.words(clause))):
        return None
    return feeling


def _note(reading: Reading, clause: Clause, feeling: Feeling, whom: Whom, date: DateMention | None) -> Candidate:
    confidence = reading.confidence(clause, whom)
    rule = "emotional_note.named/1"
    if not feeling.named:
        confidence, rule = min(confidence, reading.params.confidence_judged), "emotional_note.judged/1"
    if not feeling.stated:
        confidence, rule = min(confidence, reading.params.confidence_judged), "emotional_note.implied/1"
    tree, lemmas = reading.trees[clause.sentence], reading.lemmas(clause)
    past = clause.tense is Tense.PAST
    weighs = not feeling.of_other and not feeling.stated and is_life_event(clause, tree, lemmas, happens=past, tie=None)
    own = (s for s in slots_of(clause, tree, reading.words(clause), dated=None) if s.key in {"like", "dislike"})
    note = reading.candidate(
        clause, NodeType.EMOTIONAL_NOTE, rule, whom, slot=next(own, None), confidence=confidence,
        importance=reading.params.importance_significant if weighs else reading.params.importance_plain,
        valence=feeling.valence, intensity=feeling.intensity,
        topic=topic_of(reading.lemmas(clause)),
        times=times_of(date if clause.tense is Tense.PAST or (date and date.rule.startswith(("ru.today", "en.today"))) else None),
    )  # fmt: skip
    return replace(note, stated=feeling.stated)


def _loop(reading: Reading, clause: Clause, rule: str, whom: Whom, lemmas: list[str], date: DateMention | None) -> Candidate:
    tree_words = reading.words(clause)
    if date is None or date.role is DateRole.SINCE or date.begin < midnight(reading.message):
        # "I promised it by Friday": the promise lies behind, the day ahead
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
        modality=(Modality.ASSERTED,) if rule in PROMISED and not clause.has(Modality.HEDGED) else None,
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
    habitual = _EVERY.search(folded) is not None or recurrence(words, language=clause.language) is not None
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
        upcoming = clause.tense is Tense.FUTURE or reading.corrects(clause) or is_appointment(date)
    if (
        upcoming
        and not reading.corrects(clause)
        and not is_appointment(date)
        and clause.kind in {PredicateKind.NOMINAL, PredicateKind.ADJECTIVAL}
        and not any(w in EVENT_NOUNS for w in lemmas)
    ):
        upcoming = clause.tense is Tense.FUTURE
    birthday = bool({"birthday", "рождение"} & set(lemmas)) and clause.tense is Tense.PRESENT
    claimed = clause.has(Modality.REPORTED) and whom.about == reading.self_about
    slots = (
        [] if claimed else list(slots_of(clause, tree, words, dated=None if date is None else date.begin.date().isoformat()))
    )
    if clause.has(Modality.CONDITIONAL) and whom.about != reading.self_about:
        return
    if linked and _vague(clause, tree) and not _says_something(reading, clause, tree):
        return
    put_right = reading.updates[clause.index].denied or (clause.kind is PredicateKind.FRAGMENT and reading.corrects(clause))
    empty = not (slots or date is not None or linked or put_right or is_significant(lemmas))
    if empty and not _causes(reading, clause) and not _says_something(reading, clause, tree):
        return
    intended = clause.has(Modality.PLANNED) and clause.tense is not Tense.PAST and not habitual
    planned = upcoming or (intended and head.lemma not in _STATES_OF_MIND)
    dynamic = head.pos in {"VERB", "AUX"} and (
        head.lemma not in _STATIVE
        or (head.lemma == "have" and any(tree[c].lemma in _MEALS | EVENT_NOUNS for c in tree.children(clause.head, "obj")))
        or (
            head.lemma == "have"
            and (is_significant(lemmas) or any(tree[c].lemma not in _STATIVE for c in tree.children(clause.head, "xcomp")))
        )
    )
    happened = (
        clause.tense is Tense.PAST
        and not clause.has(Modality.WISHED)
        and (dynamic or (date is not None and date.role is DateRole.AT))
        and not habitual
    )
    if FORMERLY.search(folded):
        happened = False
    under_way_now = dynamic and clause.tense is Tense.PRESENT and not habitual and is_current(reading, date)
    node_type = NodeType.EVENT if (planned or happened or under_way_now) and not birthday else NodeType.FACT
    if (
        clause.kind is PredicateKind.FRAGMENT
        and node_type is NodeType.FACT
        and clause.subject.who is not Who.SELF
        and date is None
    ):
        node_type = NodeType.EVENT if clause.tense is Tense.PAST else NodeType.FACT
    under_way = dynamic and clause.tense is Tense.PRESENT and not habitual and not clause.negated
    significant = is_life_event(
        clause,
        tree,
        lemmas,
        happens=node_type is NodeType.EVENT or under_way or (date is not None and clause.kind is PredicateKind.NOMINAL),
        tie=_tie_of(reading, whom),
    )
    if any(slot.key == "employer" for slot in slots) and (head.lemma in _TAKEN_ON or node_type is NodeType.EVENT):
        significant = True
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
        told_of = any(word in EVENT_NOUNS for word in lemmas) or clause.tense is not Tense.PAST or is_appointment(date)
        if date.begin > reading.message.time and told_of and not habitual:
            times = replace(times, due=date.begin.isoformat())  # "They have asked me in for an interview on 13 May"
            importance = max(importance, reading.params.importance_dated)
    wished = (
        clause.has(Modality.WISHED) and date is not None and date.role in {DateRole.AT, DateRole.UNTIL} and end_of(date) > today
    )
    if wished and date is not None and times.due is None and not habitual:
        times = replace(
            times, due=date.begin.isoformat(), ends=None if date.role is DateRole.UNTIL else times.ends
        )  # "this summer I want to hike in Iceland"
    modality = None
    if upcoming and node_type is NodeType.EVENT and not clause.has(Modality.PLANNED) and clause.has(Modality.ASSERTED):
        modality = tuple(Modality.PLANNED if m is Modality.ASSERTED else m for m, _ in clause.modality)
    rule = f"{node_type.value}.{'plan' if planned and node_type is NodeType.EVENT else 'clause'}/1"
    candidate = reading.candidate(
        clause, node_type, rule, whom, confidence=reading.confidence(clause, whom), importance=importance, topic=topic,
        slot=slots[0] if slots else None, modality=modality, times=times,
    )  # fmt: skip
    recurs = recurrence(words, language=clause.language)
    if recurs is not None:
        candidate = replace(candidate, attributes={**candidate.attributes, "recurs": recurs})
    if slots and slots[0].key == "habit" and is_stopped(clause, tree):
        candidate = replace(candidate, polarity=False)
    reading.add(clause, candidate)
    for slot in [slot for slot in slots[1:4] if slot.key != "habit"]:
        _extra_slot(reading, clause, tree, candidate, slot)


def _tie_of(reading: Reading, whom: Whom) -> str | None:
    """Whose life it is: None = the speaker's, else the tie to the person ("" = none told, "others" = nobody known)."""
    if whom.about == reading.self_about:
        return None
    if whom.name is None:
        return OTHERS
    return next((mention.tie for mention in reading.mentions if reading.key(mention) == whom.name and mention.tie), "")


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
    kind = slot.key.partition(" ")[0]  # a rule's name stands in clear, and "own phone" has a word of the person
    extra = replace(
        candidate, type=NodeType.FACT, start=start, end=end, content=reading.text[start:end], slot=slot, rule=f"fact.slot.{kind}/1",
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
    date = clause_date(reading, clause, words)
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
        general = all(c.subject.who is Who.THING and c.tense is Tense.PRESENT for c in (clause, reading.clauses[link.parent]))
        if not here and not there and link.kind in told and not general:
            # Nobody is named, yet the person tells what happened and why: "денег не было, отпуск отменили".
            for side in (reading.clauses[link.parent], clause):
                if not says_nothing(reading.trees[side.sentence], side.own):
                    read_clause(reading, side, linked=True)
            continue
        if here == there:
            continue
        other = reading.clauses[link.parent] if here else clause
        if says_nothing(reading.trees[other.sentence], other.own):
            continue  # "…, отсюда и всё", "It's because …"
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
    refused = clause.negated and clause.subject.who in {Who.SELF, Who.GROUP}  # "Не поехал на дачу: машина сломалась"
    return refused or feeling_of(clause, tree) is not None or any(tree[i].lemma in _COLON_NEWS for i in clause.own)


_WEATHER = frozenset(
    "rain snow hail freeze drizzle pour thunder storm thaw sleet cold hot dark late windy foggy icy sunny".split()
)


def _vague(clause: Clause, tree: SentenceTree) -> bool:
    """As in "It reminds me of that": what is meant stands elsewhere."""
    token = clause.subject.token
    return (
        token is not None
        and not clause.subject.inherited
        and tree[token].lemma in {"it", "this", "that", "they", "это", "то", "они", "оно"}
        and not (tree[token].lemma == "it" and tree[clause.head].lemma in _WEATHER)
    )
