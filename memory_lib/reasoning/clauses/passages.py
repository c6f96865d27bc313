"""Passages whose words are not the speaker's own plain claims (pure): quotations, fiction, games, dreams, jokes.

They run over clauses and sentences, so they are found once over the whole message, and every clause in one is labelled. A label
costs a node its plainness; a missed one makes a false fact of somebody's novel.
"""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Cue
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark
from memory_lib.reasoning.words.reporting_words import SAYING

_OPENING = {"«": "»", "“": "”", "„": "“", "``": "''", '"': '"'}
_LONGEST_TITLE = 6
_SHORT_JOKE = 5
_FIRST = frozenset("i i'm my me we our я мне меня мой моя мое мои мы нас нам наш наша у".split())
_LEADS = frozenset({":", ",", "—", "-", "–"})

_JOKE = re.compile(
    r"\b(?:kidding|joking|jk|j/k|pulling your leg|messing with you|as a joke|yeah,? right|not really,? (?:lol|haha)|sarcasm|"
    r"шучу|шутка|шутки ради|ради шутки|в шутку|шутим|шутил[аи]?|прикалываюсь|прикол|стеб|рофл\w*|сарказм|ирония|ага,? (?:конечно|щас|как же|разбежал\w*)|ну да,? конечно)\b|(?<!\S)/s\b"
)
_NO_JOKE = re.compile(
    r"\b(?:(?:not|no|n't|без|не|кроме|без всяких) (?:(?:\w+ )?(?:kidding|joking|jokes?|шучу|шутк\w+|шутил[аи]?|прикол\w*|прикалываюсь))|(?:joking|kidding|jokes) aside|шутк[иу] в сторону|"
    r"no joke|(?:he|she|they|always|are|were|was|is|you|you're) (?:\w+ )?(?:joking|kidding)|(?:он|она|они|ты|вы) (?:\w+ )?шут\w+)\b"
)
_SARCASM = re.compile(
    r"\W*(?:oh,? |ну )?(?:yeah,? right|sure,? sure|ага,? (?:конечно|щас|как же|разбежал\w*)|(?:ну )?да,? конечно)\b"
)
_LAUGH = re.compile(r"\b(?:lol|lmao|rofl|хаха\w*|ахах\w*|лол|кек)\b")
_BRAG = re.compile(
    r"\b(?:gonna|going to|will|'ll|i'm|am|decided to|собираюсь|решил[аи]?|скоро|завтра|уйду|стану|куплю|продам|выйду|женюсь)\b"
)
_DREAM = re.compile(
    r"\b(?:i (?:just |once )?(?:dreamt|dreamed)|i(?:'ve)? (?:had|have|keep having|was having) (?:a|an|this|the) (?:\w+ ){0,3}(?:dream|nightmare)|in (?:my|the|a|this|last night's) (?:\w+ )?(?:dream|nightmare)|"
    r"(?:при)?снил(?:ось|ся|ась|ись)|снится|снятся|видел[аи]? (?:\w+ )?сон|во сне|в этом сне)\b"
)
_AWAKE = re.compile(
    r"\b(?:woke|wake up|awake|in real life|in reality|irl|actually|проснул\w+|просыпа\w+|будильник|наяву|на самом деле|в реальности|в жизни|разбуд\w+)\b"
)
_GAME = re.compile(
    r"\b(?:let's (?:play|pretend|role-?play|do a role-?play)|role-?play(?:ing)?(?! game| club| night)\b|pretend (?:that |to be )?(?:you|i|we)\b|(?:you(?:'re| are|'ll be| will be)|you be|you play) (?:\w+ ){1,6}(?:and )?i(?:'m| am|'ll be| will be|'ll play| play)\b|"
    r"imagine (?:that )?(?:you(?:'re| are)|i(?:'m| am| was| were)|we(?:'re| are))\b|act as (?:if you|a|an|my)\b|stay in character|"
    r"давай(?:те)? (?:поиграем|сыграем|играть|представим|пофантазируем)|поиграем в|сыграем в|ролев\w+ (?:игр|отыгр)\w*|представь(?:те)?,? (?:что )?(?:ты|вы|я|мы|будто)\b|вообрази(?:те)?,? (?:что )?(?:ты|вы|я|мы)\b|ты (?:будешь|играешь|за) (?:\w+ ){1,5}а я\b|отыгрыва\w+)\b"
)
_PARTS = re.compile(r"\b(?:i|i'm|you|you're|я|ты|вы|мы|role-?play\w*|ролев\w+|отыгр\w+)\b")
"""A game of make-believe gives parts to somebody; chess does not."""
_OVER = re.compile(
    r"\b(?:stop(?:ping)? (?:the )?(?:game|role-?play)|end of (?:the )?(?:game|scene|role-?play)|game over|out of character|ooc|back to (?:reality|real life|earth)|in real life|irl|for real(?: now)?|seriously (?:now|though)|enough (?:of )?(?:the )?(?:game|role-?play|playing|pretending)|"
    r"стоп[- ]?игра|конец (?:игры|сцены)|хватит играть|наигрались|выхожу из (?:роли|игры)|вне (?:роли|игры)|если (?:честно|серьезно)|а теперь серьезно|теперь серьезно|серьезно говоря|в реальности|в жизни|на самом деле|вернемся к)\b"
)
_WORK = (
    r"(?:novel|novella|story|short story|screenplay|script|fanfic\w*|comic|poem|play i(?:'m| am) writing|book i(?:'m| am) writing|campaign|rpg|d&d(?: game| campaign)?|role-?play(?:ing)?(?: game)?|"
    r"video ?game|larp|musical|sketch|monologue)"
)
_WORK_RU = r"(?:повест\w+|роман[еу]?|рассказ[еу]|новелл\w+|сценари\w+|пьес\w+|сказк\w+|поэм\w+|фанфик\w*|комикс\w*|кампани\w+|настолк\w+|ролевк\w+|ролевой игре|игре по \w+|днд|видеоигр\w+|компьютерной игре|спектакл\w+)"
_IN_A_WORK = re.compile(
    rf"\b(?:in (?:my|the|this|that|our|a|his|her) (?:[\w'-]+ ){{0,3}}?{_WORK}\b|(?:my|the) (?:\w+ )?(?:character|hero|heroine|protagonist|narrator|main character|villain) (?:is|was|has|had|lives?|works?|goes|does|wants?|loves?|hates?|gets?|'s)\b|"
    rf"(?:i play|playing|i'm playing) (?:a|an|the) (?:[\w'-]+ ){{1,4}}(?:called|named|who)\b|"
    rf"(?:в|во|по) (?:(?:моем|моей|нашей|нашем|этой|этом|новой|новом|его|ее) ){{0,2}}{_WORK_RU}\b(?= )|(?:мой |моя |наш |главный |главная )(?:геро\w+|персонаж|протагонист\w*|злодей)\b|(?:лирическ\w+ )геро\w+|"
    rf"геро\w+ (?:моего|моей|нашего|нашей|этого|этой|его|ее) {_WORK_RU}|(?:hero|heroine|narrator|protagonist|villain|character) (?:of|in) (?:my|our|the|this) (?:\w+ )?{_WORK}\b|"
    r"по (?:сюжету|сценарию|легенде|роли)\b|за персонажа\b|от лица (?:геро\w+|персонажа|рассказчика)[^.]*:)"
)
_ON_SCREEN = re.compile(
    r"\b(?:in (?:the|this|that) (?:\w+ )?(?:film|movie|series|show|episode|book|sitcom|cartoon)|(?:в|во) (?:этом |том |одном |новом )?(?:фильме|сериале|кино|мультике|мультфильме|книге|серии|аниме))\b"
)
_ANY = re.compile(
    r"kidd|jok|\bjk\b|j/k|your leg|messing with|yeah,? right|not really|sarcas|lol|lmao|rofl|/s\b|шу[чт]|прикал|прикол|стеб|рофл|сарказм|ирони|ага|ну да|хаха|ахах|лол|кек|"
    r"dream|nightmare|снил|снит|снят|\bсон\b|\bсне\b|play|pretend|imagin|act as|in character|игра|игры|игре|игру|играть|играе|представ|вообраз|отыгр|ролев|"
    r"stop|\bgame|end of|out of char|\booc\b|real|\birl\b|serious|enough|честно|серьезно|в жизни|на самом деле|вне |конец|роли|вернемся|novel|stor|script|fanfic|comic|poem|book|campaign|rpg|d&d|larp|musical|sketch|monologue|"
    r"character|hero|protagonist|narrator|villain|film|movie|series|show|episode|sitcom|cartoon|song|lyrics|letter|speech|scene|chapter|"
    r"повест|роман|рассказ|новелл|сценари|пьес|сказк|поэм|фанфик|комикс|кампани|настолк|днд|видеоигр|спектакл|геро|персонаж|протагонист|злоде|сюжет|легенд|"
    r"фильм|сериал|кино|мульт|книг|сери|аниме|отрывок|отрывка|фрагмент|начало|глав|абзац|монолог|сцен|стих|куплет|письмо|речь|текст|(?:you're|you are|you'll be|you be|ты) "
)
"""Without one of these a message holds neither fiction nor jokes: one look instead of ten."""
_EXCERPT = re.compile(
    r"\b(?:my|our|his|her|the|a|this) (?:\w+ )?(?:novel|story|screenplay|script|poem|fanfic\w*|song|lyrics|monologue|letter|speech|cover letter|sketch|scene|chapter)\b|"
    r"\b(?:отрывок|отрывка|фрагмент|начало|глав[ауы]|абзац|монолог|сцен[ауы]|стих\w*|куплет|письмо|речь|текст)\b"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """Code points of the message whose clauses are meant in that way. ``own`` False: what the speaker says of themselves there stays theirs."""

    start: int
    end: int
    modality: Modality
    cue: Cue
    own: bool = True


@dataclass(frozen=True, slots=True)
class Game:
    """Make-believe that runs over messages: where it begins and is over in this one, or None."""

    begins: int | None
    over: int | None

    def goes_on(self, *, before: bool) -> bool:
        """Whether it is still played after the message."""
        if self.over is not None and (self.begins is None or self.over > self.begins):
            return False
        return before or self.begins is not None


def passages_of(trees: Sequence[SentenceTree]) -> tuple[Passage, ...]:
    """Such passages of one message, in no order; they may overlap."""
    texts = [_folded(tree) for tree in trees]
    if not any(_ANY.search(text) for text in texts):
        return tuple(_quotations(trees))
    game = _game_in(trees, texts)
    played: tuple[Passage, ...] = ()
    if game.begins is not None:
        end = game.over if game.over is not None and game.over > game.begins else trees[-1].sentence.end
        played = (Passage(game.begins, end, Modality.FICTIONAL, Cue(game.begins, game.begins + 1)),)
    return (*_quotations(trees), *_told(trees, texts), *played)


def game_of(trees: Sequence[SentenceTree]) -> Game:
    """Whether the message begins or ends a game of make-believe."""
    texts = [_folded(tree) for tree in trees]
    return _game_in(trees, texts) if any(_ANY.search(text) for text in texts) else Game(None, None)


def _game_in(trees: Sequence[SentenceTree], texts: Sequence[str]) -> Game:
    begins, over = None, None
    for tree, text in zip(trees, texts, strict=True):
        start = tree.sentence.start
        match = _GAME.search(text)
        if match is not None and begins is None and any(_PARTS.search(other) for other in texts):
            begins = start + match.start()
        match = _OVER.search(text)
        if match is not None:
            over = start + match.start()
    return Game(begins, over)


def _folded(tree: SentenceTree) -> str:
    """The sentence's words at their own places, folded."""
    start = tree.sentence.start
    letters = [" "] * (tree.sentence.end - start)
    for token in tree.tokens:
        letters[token.start - start : token.end - start] = token.text
    return fold("".join(letters))


# -- quotations --------------------------------------------------------------------------------------------------------------


def _quotations(trees: Sequence[SentenceTree]) -> Iterator[Passage]:
    places = [(number, index) for number, tree in enumerate(trees) for index in range(len(tree.tokens))]
    at = 0
    while at < len(places):
        number, index = places[at]
        mark = trees[number][index].text
        closing = _OPENING.get(mark)
        if closing is None:
            at += 1
            continue
        last = next((later for later in range(at + 1, len(places)) if _text(trees, places[later]) == closing), None)
        if last is None:
            at += 1
            continue
        inside = places[at + 1 : last]
        if inside and _is_speech(trees, places, at, inside):
            first, end = trees[inside[0][0]][inside[0][1]], trees[inside[-1][0]][inside[-1][1]]
            opening = trees[number][index]
            yield Passage(first.start, end.end, Modality.QUOTED, Cue(opening.start, opening.end))
        at = last + 1


def _text(trees: Sequence[SentenceTree], place: tuple[int, int]) -> str:
    return trees[place[0]][place[1]].text


def _is_speech(trees: Sequence[SentenceTree], places: list[tuple[int, int]], at: int, inside: list[tuple[int, int]]) -> bool:
    """Whether these words are said or written by somebody, and not a name or title ("берут в «Полином»", "watched "Alien"")."""
    words = [trees[number][index] for number, index in inside if not is_mark(trees[number][index])]
    says = any(word.pos in {"VERB", "AUX"} for word in words) or bool({word.text.lower() for word in words} & _FIRST)
    if len(words) < 2 or not says:
        return False
    if any(_text(trees, place) in {".", "!", "?", "…", ",", ";"} for place in inside) or len(words) > _LONGEST_TITLE:
        return True
    if at == 0:
        return True
    number, index = places[at]
    before = [trees[number][k] for k in range(max(0, index - 4), index)]
    led = not before or before[-1].text in _LEADS or any(word.lemma in SAYING for word in before)
    return led or words[0].text[:1].islower()


# -- fiction, dreams, games, jokes --------------------------------------------------------------------------------------------


def _told(trees: Sequence[SentenceTree], texts: Sequence[str]) -> Iterator[Passage]:
    dream: Cue | None = None
    excerpt: Cue | None = None
    for number, tree in enumerate(trees):
        if not tree.tokens:
            continue
        text, start, end = texts[number], tree.sentence.start, tree.sentence.end
        if excerpt is not None:
            yield Passage(start, end, Modality.FICTIONAL, excerpt)
        found = _DREAM.search(text)
        if found is not None:
            dream = Cue(start + found.start(), start + found.end())
            awake = _AWAKE.search(text, found.end())
            yield Passage(start, end if awake is None else start + awake.start(), Modality.FICTIONAL, dream)
            dream = dream if awake is None else None
        elif dream is not None:
            awake = _AWAKE.search(text)
            if awake is not None or not _goes_on(tree):
                dream = None
            else:
                yield Passage(start, end, Modality.FICTIONAL, dream)
        for pattern, own in ((_IN_A_WORK, True), (_ON_SCREEN, False)):
            found = pattern.search(text)
            if found is not None:
                yield Passage(start, end, Modality.FICTIONAL, Cue(start + found.start(), start + found.end()), own)
        if text.rstrip().endswith(":") and (found := _EXCERPT.search(text)) is not None:
            excerpt = Cue(start + found.start(), start + found.end())
        yield from _joke(trees, number, text)


def _goes_on(tree: SentenceTree) -> bool:
    """Whether a dream is still told: the past, and no question."""
    past = any(token.features.get("Tense") == "Past" for token in tree.tokens)
    return past and not tree.tokens[-1].text.startswith("?")


def _joke(trees: Sequence[SentenceTree], number: int, text: str) -> Iterator[Passage]:
    tree = trees[number]
    start, end = tree.sentence.start, tree.sentence.end
    found = _JOKE.search(text)
    if found is None:
        found = _LAUGH.search(text)
        if found is None or _BRAG.search(text) is None:
            return
    if _NO_JOKE.search(text) is not None:
        return
    cue = Cue(start + found.start(), start + found.end())
    sarcasm = _SARCASM.match(text)
    if sarcasm is not None:  # "Ага, конечно, я миллионер": what comes after it, or else what came before
        told = any(not is_mark(token) and token.start >= start + sarcasm.end() for token in tree.tokens)
        yield Passage(start if told or number == 0 else trees[number - 1].sentence.start, end, Modality.JOKING, cue)
        return
    words = sum(1 for token in tree.tokens if not is_mark(token))
    if words <= _SHORT_JOKE and number > 0:
        yield Passage(trees[number - 1].sentence.start, end, Modality.JOKING, cue)
        return
    before = [token for token in tree.tokens if token.start < cue.start and not is_mark(token)]
    if len(before) <= 2 and number > 0 and words > _SHORT_JOKE:  # "Шучу, на самом деле …", "Joking, I …"
        after = next((token.end for token in tree.tokens if token.start >= cue.end and token.text in {",", "—", ".", "-"}), end)
        yield Passage(trees[number - 1].sentence.start, after, Modality.JOKING, cue)
        return
    yield Passage(start, cue.end, Modality.JOKING, cue)
