"""Sentences that say something and of which no other rule made anything: kept whole, in the person's words, with little weight.

A profile is often told in scraps ("Пенсионер я, бывший машинист", "Height 194, and every mask is too short"): no verb, nobody
named. To lose them is worse than to keep a few too many (OFFLINE, Bottom line 6); what is asked, ordered, or only polite stays
out.
"""

from __future__ import annotations

from dataclasses import replace

from memory_lib.domain.candidates import OTHERS, Modality, NodeType
from memory_lib.domain.clause import Clause, PredicateKind, Tense, Who
from memory_lib.reasoning.clauses.requests import is_phatic, is_request
from memory_lib.reasoning.dates import Role
from memory_lib.reasoning.extraction.clause_dates import clause_date, is_appointment
from memory_lib.reasoning.extraction.reading import Reading, Whom, midnight, times_of
from memory_lib.reasoning.extraction.settlements import settles_alone
from memory_lib.reasoning.extraction.third_parties import another_person, plainly_of_another
from memory_lib.reasoning.trees.sentence_tree import FIRST_PERSON, FIRST_SINGULAR, SentenceTree, is_mark
from memory_lib.reasoning.words.content_words import EMPTY_LEMMAS
from memory_lib.reasoning.words.pet_words import PETS
from memory_lib.reasoning.words.topic_words import topic_of

RULE = "leftover"
_LEAST_CONTENT = 2
_LONGEST = 240
"""Characters; longer than that people paste, they do not tell."""
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_POINTING = frozenset(
    """
    it this that these those there here what which they это этот тот то оно они там тут здесь что так такой
    """.split()
)
_TALK = frozenset("you your yours yourself sounds ты вы твой ваш тебя вас тебе вам".split())
_EXCLAIMING = ("what a ", "such a ", "how ", "wow", "thanks", "thank ", "sorry", "glad ", "какой ", "какая ", "какое ", "ну ")


def read_leftovers(reading: Reading) -> None:
    """Adds a candidate for each such sentence, at its main clause's place in the tree."""
    told = [(d.candidate.start, d.candidate.end) for d in reading.drafts if d.candidate.type is not NodeType.PERSON]
    for number, tree in enumerate(reading.trees):
        begin, stop = tree.sentence.start, tree.sentence.end
        if (
            any(start < stop and begin < end for start, end in told)
            or not tree.sentence.has_tree
            or len(reading.drafts) >= reading.params.max_candidates
        ):
            continue
        clauses = [clause for clause in reading.clauses if clause.sentence == number]
        main = next((clause for clause in clauses if clause.link is None), None)
        if main is not None and _tells(reading, tree, main, clauses):
            _keep(reading, tree, main, clauses)


def _tells(reading: Reading, tree: SentenceTree, main: Clause, clauses: list[Clause]) -> bool:  # noqa: PLR0911 - a reason a line
    text = reading.text[tree.sentence.start : tree.sentence.end].strip()
    if text.endswith(("?", ":")) or len(text) > _LONGEST or main.has(Modality.WISHED) or main.subject.who is Who.ADDRESSEE:
        return False
    if any(c.has(Modality.ORDERED) or c.has(Modality.ASKED) for c in clauses) or is_request(text, main.language):
        return False
    if any(is_phatic(reading.words(c), c.language) and len(c.own) > 1 for c in clauses):
        return False
    if any(settles_alone(c, reading.words(c), tree) for c in clauses):
        return True
    start, end = min(c.start for c in clauses), max(c.end for c in clauses)
    words = [token for token in tree.tokens if not is_mark(token) and start <= token.start < end]
    lemmas = {token.lemma for token in words} | {token.text.lower() for token in words}
    subject = main.subject.token
    pointing = (subject is not None and tree[subject].lemma in _POINTING) or (words and words[0].text.lower() in _POINTING)
    if pointing or lemmas & _TALK:
        return False
    content = [token for token in words if token.pos in _CONTENT and token.lemma not in EMPTY_LEMMAS]
    named = any(token.pos in {"NOUN", "PROPN", "NUM"} for token in content)
    if lemmas & FIRST_SINGULAR:
        return named or ("у" in lemmas and len(content) >= _LEAST_CONTENT)  # "У меня первая отрицательная"
    if len(content) < _LEAST_CONTENT or not named or text.endswith("!") or text.lower().startswith(_EXCLAIMING):
        return False
    if main.subject.who is Who.THING or main.language == "en":
        # "Art is a source of joy", "the colours blend nicely" tell nothing of one's own; "the flat is 40 metres" does
        return any(token.pos == "NUM" or token.text.isdigit() for token in content) or bool(lemmas & FIRST_PERSON)
    return True


def _keep(reading: Reading, tree: SentenceTree, main: Clause, clauses: list[Clause]) -> None:
    whom = _whom(reading, tree, main)
    happened = main.tense is Tense.PAST and main.kind is PredicateKind.VERB
    date = clause_date(reading, main, reading.words(main))
    ahead = is_appointment(date) and date is not None and date.begin >= midnight(reading.message)
    happened = happened or (main.tense is Tense.PAST and date is not None and date.role is Role.AT)
    node_type = NodeType.EVENT if happened or ahead else NodeType.FACT
    times = times_of(date if node_type is NodeType.EVENT or (date is not None and date.role is not Role.AT) else None)
    if ahead and date is not None:
        times = replace(times, due=date.begin.isoformat())
    start = min(clause.start for clause in clauses)
    end = max(clause.end for clause in clauses)
    modality = tuple(dict.fromkeys(found for clause in clauses for found, _ in clause.modality))
    candidate = reading.candidate(
        main, node_type, f"{node_type.value}.{RULE}/1", whom,
        confidence=min(reading.confidence(main, whom), reading.params.confidence_judged),
        importance=reading.params.importance_minor, topic=topic_of(reading.lemmas(main)), modality=modality, times=times,
    )  # fmt: skip
    reading.add(main, replace(candidate, start=start, end=end, content=reading.text[start:end]))


def _whom(reading: Reading, tree: SentenceTree, main: Clause) -> Whom:
    """The one spoken of; another living being is never the person themselves."""
    other = plainly_of_another(reading, main, tree) or another_person(reading, main, tree)
    if other is not None:
        return other
    token, head = main.subject.token, tree[main.head]
    if main.subject.who is Who.PERSON:
        mention = next((m for m in reading.mentions if m.sentence == main.sentence and token in {m.token, *m.tokens}), None)
        return Whom(OTHERS) if mention is None else Whom(f"person:{reading.key(mention)}", reading.key(mention))
    if main.subject.who is Who.THING and token is not None and tree[token].features.get("Animacy") == "Anim":
        described = head.pos == "NOUN" and head.features.get("Animacy") == "Anim" and tree[token].lemma not in PETS
        return Whom(reading.self_about, sure=False) if described else Whom(OTHERS)  # "дальтоник и реставратор"
    third = head.features.get("Person") == "3" and token is None and main.language == "ru"
    if main.subject.who is Who.OTHERS or third:
        return Whom(OTHERS)
    return Whom(reading.self_about, sure=False)
