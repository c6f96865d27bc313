"""An older and a newer statement, a month or two minutes apart: which newer one ends the older one, and which must not.

No vectors: what closes here closes by structure alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import pytest

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.candidates import EdgeType, NodeType
from memory_lib.domain.ids import ConversationId, MessageId
from memory_lib.domain.message import Message, MessageRef, Role, Unit
from memory_lib.domain.node import Node
from memory_lib.domain.time import to_us
from memory_lib.policies.formation import FormationState, FormationUnit
from memory_lib.reasoning.extraction.extract_mentions import offline
from tests.policies.formed import KEY, NOW, PARAMS
from tests.reasoning.conftest import PARAMS as EXTRACTION

from .conftest import Extract

START = datetime(2026, 5, 13, 15, 20, tzinfo=timezone(timedelta(hours=3)))
SOON, LATER = timedelta(minutes=2), timedelta(days=30)

ENDS = [
    ("I work at a bakery on Mill Lane.", "I started a new job at the town library last week."),
    ("I'm a dental nurse.", "I'm a beekeeper these days, would you believe it."),
    ("I live in Dundee with two flatmates.", "We moved to Aberdeen in the spring."),
    ("My dentist is Dr Patel.", "My dentist is Dr Okafor now."),
    ("I drive an old Volvo.", "I finally sold the Volvo."),
    ("I'm dating a guy called Rupert.", "Rupert and I split up on Sunday."),
    ("I smoke a pack a day.", "I don't smoke any more."),
    ("I play the cello in the county orchestra.", "I've quit the orchestra."),
    ("I'm vegetarian.", "I'm vegan now."),
    ("I have two goats.", "We've got six goats now."),
    ("I hate olives.", "Turns out I love olives."),
    ("I go to the Fitzone gym.", "I cancelled my gym membership."),
    ("My rent is 900 euros.", "My rent is 1100 euros now."),
    ("I'm 29.", "I turned 30 yesterday."),
    ("I have a motorbike.", "I don't have the motorbike anymore, it was stolen."),
    ("I'm married.", "We got divorced in June."),
    ("I study at Leeds University.", "I've transferred to Durham University."),
    ("My appointment is on Tuesday.", "Actually it's on Friday, not Tuesday."),
    ("I work nights at the port.", "I got laid off from the port."),
    ("Я работаю в типографии.", "Устроился на хлебозавод."),
    ("Я преподаю сольфеджио, работаю учительницей.", "Теперь я работаю флористом."),
    ("Живу в Вологде.", "Перебрались в Ярославль."),
    ("У меня телефон Самсунг.", "Теперь у меня айфон."),
    ("Я замужем.", "Мы с мужем развелись."),
    ("У меня две козы.", "У меня теперь пять коз."),
    ("Обожаю селёдку.", "Терпеть не могу селёдку."),
    ("Мне двадцать восемь.", "Мне исполнилось двадцать девять."),
    ("Хожу в бассейн по вторникам.", "В бассейн больше не хожу."),
    ("Курю по пачке в день.", "Бросила курить."),
    ("У меня есть дача под Лугой.", "Дачу мы продали."),
    ("Сын учится в гимназии на Садовой.", "Сына перевели в лицей."),
    ("Мой рост 180.", "Мой рост 182, перемерил."),
    ("Собеседование у меня в понедельник.", "Ошибся, собеседование во вторник."),
    ("Мою кошку зовут Муся, ей три года.", "Нет, я перепутала, ей четыре года."),
    ("Встречаюсь с Глебом.", "Мы с Глебом расстались."),
    ("Пою в хоре.", "Ушла из хора."),
    ("Моя зарплата 80 тысяч.", "Моя зарплата теперь 95 тысяч."),
    ("Я из Перми переехала в Тверь, живу в Твери.", "Живу теперь в Калуге."),
    ("Поезд у меня в семь утра.", "То есть не в семь, а в девять утра."),
    ("We rent a flat above a chip shop.", "We don't live above the chip shop any more."),
    ("I'm saving up, I've got 300 pounds in the jar.", "I've got 450 pounds in the jar now."),
    ("I'm single.", "I got engaged last night!"),
    ("I've got a Samsung.", "I switched to a Pixel."),
    ("I eat meat twice a week.", "I no longer eat meat."),
    ("I take sugar in my tea.", "I don't take sugar in my tea anymore."),
    ("I'm in the pottery club.", "I dropped out of the pottery club."),
    ("My password hint is the dog's name.", "My password hint is the street name now."),
    ("The wedding is on the 12th of June.", "The wedding is on the 19th of June, not the 12th."),
    ("My niece is six.", "I was wrong, my niece is seven."),
    ("I weigh 82 kilos.", "I weigh 79 kilos now."),
    ("I run a bookshop in Ludlow.", "I sold the bookshop."),
    ("I adore jazz.", "I can't stand jazz these days."),
    ("I commute by train.", "I stopped commuting by train, I cycle."),
    ("I'm a trainee electrician.", "I'm a qualified electrician as of Monday."),
    ("I live in a caravan near Bude.", "I live in a proper house now, in Bath."),
    ("Работаю медсестрой в детской больнице.", "Уволилась из больницы."),
    ("Снимаю комнату на Лиговке.", "Съехала с Лиговки, живу теперь на Охте."),
    ("Я студент.", "Я теперь инженер, отучился."),
    ("У меня «Нива».", "Купил «Весту», «Ниву» отдал брату."),
    ("Я не замужем.", "Я вышла замуж."),
    ("У нас три кошки.", "У нас теперь четыре кошки."),
    ("Люблю оперу.", "Разлюбила оперу, слушать не могу."),
    ("Мне сорок один.", "Сегодня мне стукнуло сорок два."),
    ("Вожу автобус в Пензе.", "Автобус больше не вожу."),
    ("Пью кофе литрами.", "Кофе я больше не пью."),
    ("У меня есть собака.", "Собака умерла в марте."),
    ("Мой начальник — Петренко.", "Мой начальник теперь Сидорчук."),
    ("Занимаюсь керамикой.", "Забросила керамику."),
    ("Мой вес 70.", "Мой вес теперь 66."),
    ("Приём у врача в четверг.", "Нет, не в четверг, а во вторник."),
    ("Племяннице шесть лет.", "Вру, племяннице семь лет."),
    ("Учусь на юриста в МГУ.", "Перевелась в Вышку."),
    ("Я веган.", "Я снова ем мясо, я теперь не веган."),
    ("Живу в общежитии.", "Из общежития я съехала."),
    ("Вылетаю из Пулково.", "Ой, я перепутал, вылетаю из Внуково."),
]
STANDS = [
    ("I work at a bakery on Mill Lane.", "My sister started a new job at the town library."),
    ("I live in Dundee.", "I'm staying with mum in Perth this week."),
    ("I have a cat called Pip.", "I have a dog called Rex too."),
    ("I love sushi.", "I love ramen."),
    ("I speak Polish.", "I'm learning Finnish."),
    ("I live in Dundee.", "I used to live in Aberdeen."),
    ("I work as a welder.", "If I worked as a pilot, I'd be richer."),
    ("I live in Cork.", "Maybe I'll move to Spain."),
    ("My friend Ollie is a vet.", "My friend Jess is a baker."),
    ("I bought three books on Monday.", "I read five books in May."),
    ("I ran 5 km on Sunday.", "I ran 8 km on Tuesday."),
    ("I have two brothers.", "I have three sisters."),
    ("My sister lives in Lyon.", "My brother lives in Nice."),
    ("I'm a nurse at St Luke's.", "I left the party early."),
    ("I play tennis.", "I play chess."),
    ("My car is red.", "My bike is blue."),
    ("I'm married.", "My cousin got divorced."),
    ("I went to Rome in May.", "I went to Oslo in June."),
    ("I drink coffee in the morning.", "I don't drink tea."),
    ("I have a meeting on Monday.", "I have another meeting on Wednesday."),
    ("Я работаю в типографии.", "Сестра устроилась на хлебозавод."),
    ("Живу в Вологде.", "Мы в отпуске в Сочи, живём в гостинице."),
    ("У меня есть кошка Дуся.", "Ещё у меня есть попугай."),
    ("Люблю борщ.", "Обожаю плов."),
    ("Говорю по-немецки.", "Учу корейский."),
    ("Живу в Твери.", "Раньше жила в Пскове."),
    ("Я сварщик.", "Если бы я был лётчиком, летал бы в Африку."),
    ("Живу в Туле.", "Думаю переехать в Казань."),
    ("Мой друг Костя ветеринар.", "Мой друг Рома пекарь."),
    ("Пробежала пять километров в воскресенье.", "Во вторник пробежала восемь километров."),
    ("У меня два брата.", "У меня три сестры."),
    ("Мама живёт в Орле.", "Брат живёт в Курске."),
    ("Играю на гитаре.", "Играю в шахматы."),
    ("Я замужем.", "Двоюродная сестра развелась."),
    ("Летала в Рим в мае.", "Летала в Осло в июне."),
    ("Утром пью кофе.", "Чай не пью."),
    ("У меня совещание в понедельник.", "В среду у меня ещё одно совещание."),
    ("Хожу на йогу.", "Купила новый коврик."),
    ("Мне нравится моя работа.", "Ушла с вечеринки рано."),
    ("Дочь учится в школе.", "Сын учится в лицее."),
    ("I teach maths in Hull.", "I also teach physics on Fridays."),
    ("I have a son, Arlo.", "We have a daughter too, Maeve."),
    ("I'm a plumber.", "I'm a big fan of trains."),
    ("I'm a plumber.", "I'm a bit of a perfectionist."),
    ("I live in Bath.", "I'm in Vienna for the weekend."),
    ("I love jazz.", "My husband can't stand jazz."),
    ("I've got 300 pounds in the jar.", "My brother has 450 pounds in his jar."),
    ("The dentist is at 9 on Monday.", "The vet is at 11 on Tuesday."),
    ("I paid 40 pounds for the hat.", "I paid 25 pounds for the scarf."),
    ("I take the bus to work.", "I took a taxi to work today."),
    ("I have four chickens.", "I have two ducks."),
    ("I play the cello.", "I sold my old drum kit."),
    ("My phone is a Pixel.", "My mum's phone is a Nokia."),
    ("I'm a vegetarian.", "My flatmate is vegan."),
    ("I work at the port.", "I worked at the brewery for six years."),
    ("I'm 44.", "My brother is 47."),
    ("I have two kids.", "I have two exams next week."),
    ("I like my neighbours.", "I don't like the noise."),
    ("I work at the port.", "He quit his job yesterday."),
    ("I run every morning.", "I didn't run today."),
    ("Преподаю физику.", "Ещё веду кружок астрономии."),
    ("У меня сын Лев.", "И дочка есть, Варя."),
    ("Я сантехник.", "Я большой любитель поездов."),
    ("Я сантехник.", "Я по натуре перфекционист."),
    ("Живу в Самаре.", "Сейчас я в Праге, до воскресенья."),
    ("Люблю оперу.", "Муж терпеть не может оперу."),
    ("У нас три кошки.", "У соседей четыре кошки."),
    ("К стоматологу мне в понедельник.", "К парикмахеру мне во вторник."),
    ("Шапка обошлась в тысячу рублей.", "Шарф обошёлся в две тысячи рублей."),
    ("На работу езжу на метро.", "Сегодня ехала на такси."),
    ("У меня четыре курицы.", "У меня две утки."),
    ("Играю на виолончели.", "Продала старый велосипед."),
    ("У меня айфон.", "У мамы Нокиа."),
    ("Я вегетарианка.", "Соседка по комнате веган."),
    ("Работаю в порту.", "Шесть лет работала на пивзаводе."),
    ("Мне сорок четыре.", "Брату сорок семь."),
    ("У меня двое детей.", "У меня два экзамена на той неделе."),
    ("Мне нравятся соседи.", "Мне не нравится шум."),
    ("Работаю в порту.", "Он вчера уволился."),
    ("Бегаю каждое утро.", "Сегодня не бегала."),
]
CORRECTIONS = [
    ("My train is at 7:10 on Thursday.", "Oops, I misread it. The train is on Friday, not Thursday.", "Thursday"),
    ("I grew up in Ostend.", "Sorry, in Bruges, not Ostend.", "Ostend"),
    ("I have three godchildren.", "Actually I have four godchildren.", "three"),
    ("My recital is in the town hall.", "Wait, my recital is in the chapel, not the town hall.", "town hall"),
    ("My grandfather was a glazier.", "I got it wrong, my grandfather was a roofer.", "glazier"),
    ("Экскурсия у нас в субботу.", "Ошиблась, экскурсия в воскресенье.", "субботу"),
    ("Концерт в филармонии.", "Нет, не в филармонии, а в консерватории.", "филармонии"),
    ("У меня две крестницы.", "Обсчиталась, у меня три крестницы.", "две"),
    ("Мы едем в Суздаль.", "То есть не в Суздаль, а в Муром.", "Суздаль"),
    ("Моя бабушка из Вологды.", "Нет, вру, из Архангельска.", "Вологды"),
    ("I take the number 12 bus.", "I mean the 21, not the 12.", "12 bus"),
    ("I was born in Cork.", "No, sorry, I meant Kerry, not Cork.", "Cork"),
    ("My flight leaves from Gatwick.", "Scratch that, my flight leaves from Luton.", "Gatwick"),
    ("Дядя служил на флоте.", "Я перепутал, дядя служил в авиации.", "флоте"),
]


def formed(parser: BilingualParser, *said: tuple[str, str, timedelta]) -> FormationState:
    """Messages as (role, text, time after the first)."""
    state = FormationState(key=KEY, params=PARAMS)
    earlier: list[Message] = []
    for number, (role, text, after) in enumerate(said):
        message = Message(
            id=MessageId(f"{number:032x}"),
            conversation=ConversationId("c"),
            conversation_name="c",
            source_id=str(number),
            role=Role(role),
            text=text,
            time=START + after,
            text_version="v",
            speaker=None,
        )
        before = [m for m in earlier if message.time - m.time < timedelta(hours=6)]
        if message.role is Role.USER:
            parses = [parser.parse(m.text) for m in (*before, message)]
            extraction = offline(Unit(f"u{number}", message, tuple(before)), parses, params=EXTRACTION)
            ref = MessageRef(message.id, message.conversation, None, message.role, to_us(message.time), 180, "v")
            unit = FormationUnit(
                message=ref, extraction=extraction, audience=("*",), speaker=None, repeated=False, vectors=None
            )
            state.step(unit, now=NOW)
        earlier.append(message)
    return state


def statements(state: FormationState, *, of: int) -> list[Node]:
    nodes = [state.base(node) for node in state.node_ids]
    return [n for n in nodes if n.proofs[0].span.message == f"{of:032x}" and n.type is not NodeType.PERSON]


def closed(nodes: Sequence[Node]) -> bool:
    return any(node.closure is not None for node in nodes)


def contradictions(state: FormationState) -> list[tuple[str, str]]:
    edges = [state.edge(edge) for edge in state.edge_ids]
    return [(e.source, e.target) for e in edges if e.type is EdgeType.CONTRADICTS]


@pytest.mark.parametrize(("old", "new"), ENDS)
def test_a_newer_statement_ends_the_older_one_and_contradicts_it(parser: BilingualParser, old: str, new: str) -> None:
    state = formed(parser, ("user", old, timedelta()), ("user", new, LATER))
    before, after = statements(state, of=0), statements(state, of=1)
    if not closed(before):  # a correction means what was said just now
        state = formed(parser, ("user", old, timedelta()), ("user", new, SOON))
        before, after = statements(state, of=0), statements(state, of=1)
    assert closed(before)
    assert not closed(after)
    ended = {node.id for node in before if node.closure is not None}
    assert ended <= {target for source, target in contradictions(state) if source in {node.id for node in after}}


@pytest.mark.parametrize(("old", "new"), STANDS)
def test_what_is_no_update_ends_nothing(parser: BilingualParser, old: str, new: str) -> None:
    state = formed(parser, ("user", old, timedelta()), ("user", new, SOON))
    assert not closed(statements(state, of=0))
    assert contradictions(state) == []


@pytest.mark.parametrize(("old", "new", "wrong"), CORRECTIONS)
def test_a_correction_ends_what_it_puts_right(parser: BilingualParser, old: str, new: str, wrong: str) -> None:
    state = formed(parser, ("user", old, timedelta()), ("user", new, SOON))
    nodes = [state.base(node) for node in state.node_ids]
    assert [n.content for n in nodes if n.closure is None and wrong in n.content and "не " not in n.content] == []
    assert closed(statements(state, of=0))


@pytest.mark.parametrize(
    ("said", "told_back", "answer"),
    [
        ("I live in Lisbon.", "So you live in Madrid?", "No, I said Lisbon, not Madrid."),
        ("Я живу в Туле.", "Значит, вы из Калуги.", "Нет, я же говорила, Тула, а не Калуга."),
        ("I keep axolotls.", "You keep alligators, then.", "I never said alligators."),
    ],
)
def test_putting_the_assistant_right_ends_nothing_of_ones_own(
    parser: BilingualParser, said: str, told_back: str, answer: str
) -> None:
    state = formed(parser, ("user", said, timedelta()), ("assistant", told_back, SOON), ("user", answer, 2 * SOON))
    assert not closed(statements(state, of=0))


@pytest.mark.parametrize(
    "text",
    [
        "I moved from Windows to Linux.",
        "We moved the meeting to Monday.",
        "My team moved to Slack.",
        "Я переехала на Линукс.",
        "I've moved to Python for good.",
    ],
)
def test_what_one_moves_to_without_leaving_home_is_no_city(extract: Extract, text: str) -> None:
    assert "city" not in {c.slot.key for c in extract(text).candidates if c.slot is not None}


@pytest.mark.parametrize("text", ["We moved to Leeds.", "We moved house to Leeds.", "Я переехала в Тверь."])
def test_a_move_of_home_is_a_city(extract: Extract, text: str) -> None:
    assert "city" in {c.slot.key for c in extract(text).candidates if c.slot is not None}
