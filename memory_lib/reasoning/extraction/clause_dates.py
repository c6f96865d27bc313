"""When a clause is true: the date that belongs to its own predicate, on the side of now to which that predicate's tense points."""

# ruff: noqa: C901, PLR0911 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from memory_lib.domain.candidates import Modality, Precision
from memory_lib.domain.clause import Clause, LinkKind, PredicateKind, Tense, Who
from memory_lib.reasoning.dates import DateMention, Direction, Role, find_dates
from memory_lib.reasoning.dates.recurrence import recurrence
from memory_lib.reasoning.extraction.reading import Reading, end_of, midnight
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation

# What begins on the day told: "с понедельника выхожу на работу".
_STARTING = frozenset(
    """
    выходить начинать начинаться стартовать ехать идти переезжать уезжать открываться закрываться уходить приступать переходить
    лететь садиться запускать запускаться возвращаться start begin launch leave move open close resume return
    """.split()
)
# Verbs about something that is still to come, whatever their own tense.
_AHEAD = frozenset(
    """
    invite ask tell want plan need agree promise decide book schedule arrange reschedule postpone move extend reserve hope expect offer
    просить попросить позвать пригласить обещать пообещать решить назначить назначать записать записаться записывать забронировать
    договориться договариваться перенести переносить отложить отодвинуть продлить планировать запланировать собраться предложить
    согласиться ждать ожидать сговориться условиться
    """.split()
)
_ARRANGED = frozenset(
    """
    book schedule arrange reschedule postpone extend reserve назначить назначать записать записаться записывать забронировать
    перенести переносить отложить отодвинуть продлить планировать запланировать сговориться условиться move shift push перевести
    сдвинуть
    """.split()
)
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_CLOCK_NOUNS = frozenset("morning afternoon evening night утро вечер день ночь".split())
_DAY_RULES = re.compile(
    r"(?:ru|en)\.(?:weekday|day_month|month_day|numeric|slashed|day_only|day_of_month|tomorrow|after_tomorrow)|iso"
)
_FOR_A_DAY = re.compile(r"на (?!\w+ой |\w+ей )|for |to |till |until |до ")
_TOLD_LENGTH = re.compile(r"\bthe (?:past|last)\b")
# A bare length beside a verb of the present: "живу здесь три года".
_BARE_LENGTH = re.compile(
    r"(?<!через )(?<!за )(?<!на )(?<!по )(?<!каждые )\b(?P<length>(?:\d{1,2}|дв[ае]|три|четыре|пять|шесть|семь|восемь|девять|десять|двенадцать|пятнадцать|двадцать|тридцать|пару|несколько)"
    r" (?:лет|года|месяц(?:а|ев)|недел[иь]|дня|дней)|полгода|полтора года)\b(?! (?:назад|в|до|после|подряд не)\b)"
)
_NEAR = timedelta(days=400)
_GAP = re.compile(r"[\s,.:;—–-]*")


def clause_date(reading: Reading, clause: Clause, words: str) -> DateMention | None:
    """The clause's own date, its place in the message's text; None where it has none.

    A date that belongs to a relative clause inside is not the clause's; one under "said that …" or an infinitive looks where that
    verb looks. What recurs has only a start or an end. A date that stands alone before the clause is the clause's, and so is the
    day of the clause that it is joined to by "and", where both tell what the same one did.

    Args:
        words: the clause's own words, at their own places relative to its start.
    """
    mention = _own_date(reading, clause, words)
    if mention is not None:
        return mention
    if recurrence(words, language=clause.language) is not None:
        return None
    return _date_before(reading, clause) or _shared_date(reading, clause)


def _own_date(reading: Reading, clause: Clause, words: str) -> DateMention | None:
    tree = reading.trees[clause.sentence]
    searched = _without_kinds(clause, tree, words)
    found = [mention for mention in _placed(reading, clause, tree, searched) if _holds(clause, mention, searched)]
    if recurrence(searched, language=clause.language) is not None:
        found = [mention for mention in found if mention.role in {Role.SINCE, Role.UNTIL}]
    if not found:
        found = list(_bare_length(reading, clause, searched))
    if not found and clause.kind is PredicateKind.FRAGMENT:  # "ужин с Олегом в 19:30"
        found = list(
            find_dates(
                searched,
                anchor=reading.message.time,
                language=clause.language,
                day_first=reading.params.english_day_first,
                direction=Direction.FUTURE,
            )
        )
    if not found:
        return None
    best = next((mention for mention in found if mention.role is Role.AT), found[0])
    over = best.ends is not None and best.begin < reading.message.time and best.rule.endswith("units_near/1")
    if over and clause.tense is Tense.PRESENT:
        best = replace(best, role=Role.LASTING, ends=None)  # "последние два месяца почти не сплю"
    until = next((mention for mention in found if mention.role is Role.UNTIL), None)
    if best.role is Role.SINCE and until is not None and best.begin < until.begin:
        best = replace(best, ends=until.begin)  # "I worked there from 2015 until the spring of 2019"
    return replace(best, start=best.start + clause.start, end=best.end + clause.start)


def direction_of(clause: Clause) -> Direction:
    """Which side of now the clause's tense, plan or wish points to."""
    if clause.tense is Tense.PAST:
        return Direction.PAST
    if clause.tense is Tense.FUTURE or clause.has(Modality.PLANNED) or clause.has(Modality.WISHED):
        return Direction.FUTURE
    return Direction.NONE


def is_appointment(date: DateMention | None) -> bool:
    """Whether a day or an hour is told at which something is to be: "у меня комиссия во вторник"."""
    return date is not None and date.role is Role.AT and date.precision in {Precision.DAY, Precision.MINUTE}


def is_current(reading: Reading, date: DateMention | None) -> bool:
    """Whether a week or month is told that is going on: "this week I'm paying off the mortgage"."""
    if date is None or date.role is not Role.AT or date.precision not in {Precision.WEEK, Precision.MONTH}:
        return False
    return date.begin <= reading.message.time < end_of(date)


def is_dated_happening(reading: Reading, clause: Clause) -> bool:
    """Whether a thing or nobody named is told to have done something at a near time, or to do it on a day ahead: what the speaker lived through."""
    if clause.subject.who not in {Who.THING, Who.NONE, Who.OTHERS} or clause.kind is PredicateKind.FRAGMENT:
        return False
    date = clause_date(reading, clause, reading.words(clause))
    if date is None or date.role is not Role.AT or date.precision is Precision.YEAR:
        return False
    if clause.tense not in {Tense.PAST, Tense.FUTURE} and not (
        is_appointment(date) and date.begin >= midnight(reading.message)
    ):
        return False
    return abs(date.begin - reading.message.time) <= _NEAR


def _placed(reading: Reading, clause: Clause, tree: SentenceTree, searched: str) -> Iterator[DateMention]:
    """The dates that are the clause's own, each read in the direction of the verb that it hangs on."""
    direction = direction_of(clause)
    by_side = {
        side: find_dates(
            searched,
            anchor=reading.message.time,
            language=clause.language,
            day_first=reading.params.english_day_first,
            direction=side,
        )
        for side in (direction,)
    }
    found = by_side[direction]
    if direction is Direction.PAST:
        ahead = find_dates(
            searched,
            anchor=reading.message.time,
            language=clause.language,
            day_first=reading.params.english_day_first,
            direction=Direction.FUTURE,
        )
        by_side[Direction.FUTURE] = ahead
        found = (*found, *(m for m in ahead if not any(m.start < other.end and other.start < m.end for other in found)))
    for mention in sorted(found, key=lambda each: each.start):
        side = _own_side(clause, tree, mention, direction, searched)
        if side is None:
            continue
        if side not in by_side:
            by_side[side] = find_dates(
                searched,
                anchor=reading.message.time,
                language=clause.language,
                day_first=reading.params.english_day_first,
                direction=side,
            )
        again = next((each for each in by_side[side] if each.start == mention.start), None)
        if again is not None:
            yield again
        elif side is not Direction.PAST:
            yield mention


def _own_side(
    clause: Clause, tree: SentenceTree, mention: DateMention, direction: Direction, searched: str
) -> Direction | None:
    """The side of now on which the mention lies by the verb it hangs on; None where it dates something else."""
    if not tree.sentence.has_tree:
        return direction
    if mention.role is Role.SINCE and direction is Direction.NONE:
        return direction if tree[clause.head].lemma in _STARTING else Direction.PAST
    if _is_of_another(clause, tree, mention, direction):
        return None
    verb = clause.head
    for above in _above(clause, tree, mention):
        if above == clause.head:
            break
        if tree[above].relation in {"acl:relcl", "relcl"}:
            return None
        if relation(tree[above]) == "xcomp" and tree[above].features.get("VerbForm") == "Part":
            continue  # "is getting married"
        if tree[above].pos in {"VERB", "AUX"} and relation(tree[above]) in {
            "ccomp",
            "xcomp",
            "csubj",
            "advcl",
            "parataxis",
            "conj",
            "acl",
        }:
            verb = above
            break
    if direction is Direction.PAST and _is_arranged(tree, clause, mention, searched):
        return Direction.NONE
    if verb == clause.head and tree[verb].lemma in _AHEAD and _before_infinitive(clause, tree, mention):
        return Direction.FUTURE
    return direction if verb == clause.head else _side_of(tree, verb, clause, direction)


def _is_of_another(clause: Clause, tree: SentenceTree, mention: DateMention, direction: Direction) -> bool:
    """As in "I had blood taken, the results will be in on Wednesday" read as one clause: the day is of what comes of it."""
    tops = [index for index in clause.own if clause.start + mention.start <= tree[index].start < clause.start + mention.end]
    for index in [*tops, *_above(clause, tree, mention)]:
        if index == clause.head:
            return False
        beside = relation(tree[index]) in {"parataxis", "conj"} and tree[index].pos in {"VERB", "AUX"}
        if beside or tree.child(index, "cop") is not None:
            return _side_of(tree, index, clause, direction) is not direction
    return False


def _before_infinitive(clause: Clause, tree: SentenceTree, mention: DateMention) -> bool:
    """As in "решила осенью пойти": the date leans on the infinitive that follows it."""
    end = clause.start + mention.end
    after = next((index for index in clause.own if tree[index].start >= end), None)
    return (
        after is not None
        and tree[after].features.get("VerbForm") == "Inf"
        and relation(tree[after]) in {"xcomp", "ccomp", "csubj"}
    )


def _above(clause: Clause, tree: SentenceTree, mention: DateMention) -> Iterator[int]:
    """The tokens over the mention, nearest first, its own left out."""
    start, end = clause.start + mention.start, clause.start + mention.end
    inside = {
        index for index in clause.own if start <= tree[index].start and tree[index].end <= end and not is_mark(tree[index])
    }
    top = next((index for index in inside if tree[index].head not in inside and tree[index].pos != "ADP"), None)
    if top is None:
        return
    if top == clause.head:
        return
    for above in tree.ancestors(top):
        if above not in inside:
            yield above


def _side_of(tree: SentenceTree, verb: int, clause: Clause, direction: Direction) -> Direction:
    """Where a verb inside the clause looks: its own tense, and ahead for an infinitive under a verb of planning."""
    features = tree[verb].features
    helpers = [tree[child] for child in tree.children(verb, "aux", "mark", "cop")]
    tenses = {"Fut" if helper.text.lower().startswith("буд") else helper.features.get("Tense") for helper in helpers}
    if "Fut" in tenses or any(helper.lemma in {"will", "'ll", "shall"} for helper in helpers):
        return Direction.FUTURE
    if "Past" in tenses or any(helper.lemma in {"have", "'ve"} for helper in helpers):
        return Direction.PAST
    if features.get("VerbForm") == "Inf" or any(helper.text.lower() == "to" for helper in helpers):
        return Direction.FUTURE if tree[clause.head].lemma in _AHEAD else direction
    told = relation(tree[verb]) in {"ccomp", "parataxis"}
    if "Pres" in tenses:
        return Direction.FUTURE if told else direction
    if features.get("Tense") in {"Fut", "Pres"}:
        return Direction.FUTURE if told or features.get("Tense") == "Fut" else direction
    return Direction.PAST if features.get("Tense") == "Past" else direction


def _is_arranged(tree: SentenceTree, clause: Clause, mention: DateMention, searched: str) -> bool:
    """As in "booked a table for Friday", "записалась на вторник": the day lies ahead of the arranging."""
    arranged = any(tree[index].lemma in _ARRANGED and tree[index].pos in {"VERB", "ADJ"} for index in clause.own)
    if arranged and mention.rule.startswith(("ru.in", "en.in")):
        return True
    if _DAY_RULES.match(mention.rule) is None and mention.rule not in {
        "ru.period/1",
        "en.period/1",
        "ru.month/2",
        "en.month/2",
    }:
        return False
    said = fold(searched[mention.start : mention.end])
    if arranged and (_FOR_A_DAY.match(said) or mention.role is Role.UNTIL):
        return True
    if fold(searched[: mention.start]).endswith("ночь "):
        return False  # "в ночь на субботу"
    return said.startswith("на ") and mention.rule.startswith(("ru.weekday/2", "ru.day_month", "ru.numeric"))


def _holds(clause: Clause, mention: DateMention, searched: str) -> bool:
    """Whether a length of time is one up to now: "I have lived here for six years", not "we stayed for a week"."""
    if mention.role is not Role.LASTING:
        return True
    if clause.tense is Tense.FUTURE or (clause.has(Modality.PLANNED) and clause.tense is not Tense.PAST):
        return False
    if clause.language == "ru":
        return True
    return clause.perfect or _TOLD_LENGTH.search(fold(searched[mention.start : mention.end])) is not None


def _bare_length(reading: Reading, clause: Clause, searched: str) -> Iterator[DateMention]:
    if clause.language != "ru" or clause.tense is not Tense.PRESENT or clause.kind is not PredicateKind.VERB:
        return
    match = _BARE_LENGTH.search(fold(searched))
    if match is None:
        return
    for mention in find_dates("уже " + match["length"], anchor=reading.message.time, language="ru", direction=Direction.NONE):
        yield replace(mention, start=match.start("length"), end=match.end("length"))


def _date_before(reading: Reading, clause: Clause) -> DateMention | None:
    """A date set off before the clause: "Позавчера у нас на маяке погас фонарь" where the tree splits it off."""
    before = next((each for each in reading.clauses if each.index == clause.index - 1), None)
    if before is None or before.sentence != clause.sentence or before.kind is not PredicateKind.FRAGMENT:
        return None
    if _GAP.fullmatch(reading.text[before.end : clause.start]) is None:
        return None
    words = reading.words(before)
    found = find_dates(
        words,
        anchor=reading.message.time,
        language=clause.language,
        day_first=reading.params.english_day_first,
        direction=direction_of(clause),
    )
    if len(found) != 1 or _GAP.fullmatch(words[: found[0].start] + words[found[0].end :]) is None:
        return None
    return replace(found[0], start=found[0].start + before.start, end=found[0].end + before.start)


def _shared_date(reading: Reading, clause: Clause) -> DateMention | None:
    """The day of the clause before, where this one goes on telling of it: "yesterday I went to the dentist and got a filling"."""
    link = clause.link
    if link is None or link.kind is not LinkKind.AND or not clause.subject.inherited or clause.tense is not Tense.PAST:
        return None
    parent = reading.clauses[link.parent]
    if parent.tense is not Tense.PAST or parent.sentence != clause.sentence or parent.index >= clause.index:
        return None
    mention = _own_date(reading, parent, reading.words(parent))
    return mention if mention is not None and mention.role is Role.AT else None


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
