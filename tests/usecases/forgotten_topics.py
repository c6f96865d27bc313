"""A year of one person's talk in each language: twelve things to forget, each beside siblings that must stay.

Every sentence carries its label: the name of the topic it is about, or "" where it must stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

Said = tuple[str, str]
"""(sentence, label)."""


@dataclass(frozen=True, slots=True)
class Topic:
    """``asked``: how one asks to forget it; ``words``: beginnings of words that only it has; ``probes``: questions about it."""

    name: str
    asked: str
    words: tuple[str, ...]
    probes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """``turns``: (role, sentences), two a day."""

    language: str
    turns: tuple[tuple[str, tuple[Said, ...]], ...]
    topics: tuple[Topic, ...]
    start: datetime = field(default=datetime(2026, 1, 5, 18, tzinfo=UTC))

    def messages(self, *, conversation: str = "diary", prefix: str = "m") -> list[dict[str, Any]]:
        """In the fields of the project's JSONL format."""
        return [
            {
                "conversation": conversation,
                "id": f"{prefix}{place}",
                "role": role,
                "text": " ".join(sentence for sentence, _ in said),
                "time": (self.start + timedelta(hours=place * 9)).isoformat(),
            }
            for place, (role, said) in enumerate(self.turns)
        ]

    def label(self, text: str, start: int, end: int) -> str:
        """Of the sentence of ``text`` in which most of these places lie."""
        best, label = 0, ""
        for _, said in self.turns:
            if " ".join(sentence for sentence, _ in said) != text:
                continue
            place = 0
            for sentence, its in said:
                shared = min(end, place + len(sentence)) - max(start, place)
                if shared > best:
                    best, label = shared, its
                place += len(sentence) + 1
        return label


ENGLISH = Talk(
    "en",
    (
        ("user", (("Oleg and I got divorced in March.", "divorce"), ("The children live with me now.", ""))),
        ("assistant", (("A divorce is exhausting, take care of yourself.", "divorce"), ("How are the children?", ""))),
        ("user", (("My daughter Katya goes to the second grade.", ""), ("My son Timur builds model planes.", ""))),
        ("user", (("I worked at Lumen Labs as a tester.", "job"), ("I met my best friend Dina there.", ""))),
        ("user", (("I left Lumen Labs because the pay was bad.", "job"), ("Dina and I go climbing on Saturdays.", ""))),
        ("user", (("My dog Rex is a beagle.", "dog"), ("I also have a cat named Musya.", ""))),
        ("user", (("Rex is afraid of fireworks.", "dog"), ("Musya sleeps on my keyboard.", ""))),
        ("assistant", (("Poor Rex, close the windows for him.", "dog"), ("Have you got plans for the weekend?", ""))),
        ("user", (("I was diagnosed with asthma last year.", "asthma"), ("I run five kilometres every morning.", ""))),
        ("user", (("Because of my asthma I carry an inhaler.", "asthma"), ("My mother is a nurse.", ""))),
        ("user", (("In January we flew to Lisbon for a week.", "trip"), ("I want to visit Iceland in autumn.", ""))),
        ("user", (("The airline lost my suitcase at Lisbon airport.", "trip"), ("I collect fridge magnets.", ""))),
        ("user", (("I borrowed two thousand euros from my uncle.", "debt"), ("My uncle Victor keeps bees.", ""))),
        ("user", (("I still owe my uncle the money I borrowed.", "debt"), ("I save up for a new bicycle.", ""))),
        ("user", (("I quarrelled with my neighbour about the noise.", "quarrel"), ("Our house has a new lift.", ""))),
        ("user", (("My neighbour shouted at me after the quarrel.", "quarrel"), ("I planted tomatoes on the balcony.", ""))),
        ("user", (("I failed my driving test in April.", "test"), ("I am learning Spanish with an app.", ""))),
        ("user", (("I was so ashamed that I failed the driving test.", "test"), ("I speak German fluently.", ""))),
        ("user", (("I have a crush on Nikita from the gym.", "nikita"), ("I go to the gym twice a week.", ""))),
        ("user", (("Nikita invited me to the cinema.", "nikita"), ("I love old French films.", ""))),
        ("user", (("I drank too much alcohol last winter.", "alcohol"), ("I drink green tea in the evening.", ""))),
        ("user", (("I gave up alcohol in February.", "alcohol"), ("I bake rye bread on Sundays.", ""))),
        ("user", (("My father had heart surgery in May.", "surgery"), ("My father teaches physics at school.", ""))),
        ("user", (("I was terrified before my father's heart surgery.", "surgery"), ("My brother plays the trombone.", ""))),
        ("user", (("I regret the tattoo on my shoulder.", "tattoo"), ("I paint with watercolours.", ""))),
        ("user", (("Removing the tattoo costs a fortune.", "tattoo"), ("I am allergic to peanuts.", ""))),
        ("user", (("Katya won a chess tournament yesterday.", ""), ("I live in a small flat in Leeds.", ""))),
        ("user", (("Dina gave me a climbing rope for my birthday.", ""), ("I work as a librarian now.", ""))),
    ),
    (
        Topic(
            "divorce",
            "my divorce",
            ("divorc",),
            (
                "How did my marriage end?",
                "Am I divorced?",
                "When did Oleg and I split up?",
                "How was the divorce for me?",
                "What happened between me and Oleg in March?",
            ),
        ),
        Topic(
            "job",
            "the job at Lumen Labs",
            ("lumen", "tester"),
            ("Where did I work before?", "Why did I quit the company?", "What was my job at Lumen?", "Was the pay bad?"),
        ),
        Topic(
            "dog",
            "my dog Rex",
            ("rex", "beagle", "firework"),
            ("Do I have a dog?", "What is my dog called?", "Who is afraid of fireworks?", "What breed is Rex?"),
        ),
        Topic(
            "asthma",
            "asthma",
            ("asthma", "inhaler"),
            (
                "What illness do I have?",
                "Why do I carry an inhaler?",
                "Do I have trouble breathing?",
                "What was I diagnosed with?",
            ),
        ),
        Topic(
            "trip",
            "the trip to Lisbon",
            ("lisbon", "suitcase"),
            (
                "Where did I fly in January?",
                "Where was my suitcase lost?",
                "Have I been to Portugal?",
                "Which airport lost my luggage?",
            ),
        ),
        Topic(
            "debt",
            "the debt to my uncle, the money I borrowed",
            ("borrow", "euros"),
            ("Whom do I owe money?", "How much did I borrow?", "Do I have debts?", "Did my uncle lend me something?"),
        ),
        Topic(
            "quarrel",
            "the quarrel with my neighbour",
            ("quarrel", "neighbour", "noise"),
            (
                "Whom did I argue with about noise?",
                "How are things with my neighbour?",
                "Who shouted at me?",
                "Did I have a fight with somebody?",
            ),
        ),
        Topic(
            "test",
            "the failed driving test",
            ("driving", "ashamed"),
            ("Did I pass my driving exam?", "What was I ashamed of?", "Do I have a licence?", "What did I fail in April?"),
        ),
        Topic(
            "nikita",
            "Nikita",
            ("nikita", "crush", "cinema"),
            (
                "Whom do I have a crush on?",
                "Who invited me to the cinema?",
                "Who is Nikita?",
                "Am I in love with someone from the gym?",
            ),
        ),
        Topic(
            "alcohol",
            "alcohol",
            ("alcohol",),
            (
                "Did I drink too much?",
                "When did I give up drinking?",
                "Do I have a problem with alcohol?",
                "What did I stop in February?",
            ),
        ),
        Topic(
            "surgery",
            "my father's heart surgery",
            ("surgery", "terrified"),
            (
                "What operation did my father have?",
                "Why was I terrified in May?",
                "Is my father's heart well?",
                "Was dad in hospital?",
            ),
        ),
        Topic(
            "tattoo",
            "the tattoo",
            ("tattoo", "fortune"),
            (
                "What do I regret on my shoulder?",
                "Do I have a tattoo?",
                "What costs a fortune to remove?",
                "What is on my skin?",
            ),
        ),
    ),
)

RUSSIAN = Talk(
    "ru",
    (
        ("user", (("Мы с Олегом развелись в марте.", "divorce"), ("Дети живут со мной.", ""))),
        ("assistant", (("Развод выматывает, берегите себя.", "divorce"), ("Как дети?", ""))),
        ("user", (("Моя дочь Катя ходит во второй класс.", ""), ("Мой сын Тимур клеит модели самолётов.", ""))),
        ("user", (("Я работала тестировщиком в Люмене.", "job"), ("Моя лучшая подруга Дина любит горы.", ""))),
        ("user", (("Я ушла из Люмена, потому что мало платили.", "job"), ("Мы с Диной по субботам ходим на скалодром.", ""))),
        ("user", (("Моя собака Рекс породы бигль.", "dog"), ("Ещё у меня есть кошка Муся.", ""))),
        ("user", (("Рекс боится салютов.", "dog"), ("Муся спит на моей клавиатуре.", ""))),
        ("assistant", (("Бедный Рекс, закройте для него окна.", "dog"), ("Какие планы на выходные?", ""))),
        ("user", (("В прошлом году мне поставили диагноз астма.", "asthma"), ("Каждое утро я бегаю пять километров.", ""))),
        ("user", (("Из-за астмы я ношу с собой ингалятор.", "asthma"), ("Моя мама работает медсестрой.", ""))),
        ("user", (("В январе мы летали в Лиссабон на неделю.", "trip"), ("Осенью я хочу съездить в Исландию.", ""))),
        ("user", (("В аэропорту Лиссабона потеряли мой чемодан.", "trip"), ("Я собираю магниты на холодильник.", ""))),
        ("user", (("Я заняла у дяди две тысячи евро.", "debt"), ("Мой дядя Виктор держит пчёл.", ""))),
        ("user", (("Я до сих пор не вернула дяде долг.", "debt"), ("Я коплю на новый велосипед.", ""))),
        ("user", (("Я поссорилась с соседом из-за шума.", "quarrel"), ("В нашем доме новый лифт.", ""))),
        ("user", (("После ссоры сосед накричал на меня.", "quarrel"), ("Я посадила помидоры на балконе.", ""))),
        ("user", (("В апреле я провалила экзамен по вождению.", "test"), ("Я учу испанский в приложении.", ""))),
        ("user", (("Мне было стыдно, что я провалила экзамен.", "test"), ("Я свободно говорю по-немецки.", ""))),
        ("user", (("Я влюбилась в Никиту из спортзала.", "nikita"), ("Я хожу в спортзал два раза в неделю.", ""))),
        ("user", (("Никита позвал меня в кино.", "nikita"), ("Я люблю старые французские комедии.", ""))),
        ("user", (("Прошлой зимой я слишком много пила алкоголя.", "alcohol"), ("По вечерам я пью зелёный чай.", ""))),
        ("user", (("В феврале я бросила алкоголь.", "alcohol"), ("По воскресеньям я пеку ржаной хлеб.", ""))),
        ("user", (("В мае моему отцу сделали операцию на сердце.", "surgery"), ("Мой отец преподаёт физику в школе.", ""))),
        ("user", (("Перед операцией отца мне было очень страшно.", "surgery"), ("Мой брат играет на тромбоне.", ""))),
        ("user", (("Я жалею о татуировке на плече.", "tattoo"), ("Я рисую акварелью.", ""))),
        ("user", (("Удалить татуировку стоит целое состояние.", "tattoo"), ("У меня аллергия на арахис.", ""))),
        ("user", (("Катя вчера выиграла шахматный турнир.", ""), ("Я живу в маленькой квартире в Туле.", ""))),
        ("user", (("Дина подарила мне на день рождения верёвку.", ""), ("Сейчас я работаю библиотекарем.", ""))),
    ),
    (
        Topic(
            "divorce",
            "мой развод",
            ("развод", "развел"),
            (
                "Чем закончился мой брак?",
                "Я в разводе?",
                "Когда мы с Олегом расстались?",
                "Как я пережила развод?",
                "Что было у нас с Олегом в марте?",
            ),
        ),
        Topic(
            "job",
            "работа в Люмене",
            ("люмен", "тестиров"),
            ("Где я работала раньше?", "Почему я уволилась?", "Кем я была в Люмене?", "Где мало платили?"),
        ),
        Topic(
            "dog",
            "моя собака Рекс",
            ("рекс", "бигл", "салют"),
            ("У меня есть собака?", "Как зовут мою собаку?", "Кто боится салютов?", "Какой породы Рекс?"),
        ),
        Topic(
            "asthma",
            "астма",
            ("астм", "ингалят"),
            ("Чем я болею?", "Зачем я ношу ингалятор?", "Мне бывает трудно дышать?", "Какой мне поставили диагноз?"),
        ),
        Topic(
            "trip",
            "поездка в Лиссабон",
            ("лиссабон", "чемодан"),
            ("Куда мы летали в январе?", "Где потеряли мой чемодан?", "Я была в Португалии?", "Какой аэропорт потерял багаж?"),
        ),
        Topic(
            "debt",
            "долг дяде, деньги, которые я заняла",
            ("заняла", "евро", "долг"),
            ("Кому я должна денег?", "Сколько я заняла?", "У меня есть долги?", "Дядя одолжил мне что-нибудь?"),
        ),
        Topic(
            "quarrel",
            "ссора с соседом",
            ("поссор", "ссор", "сосед", "шум"),
            (
                "С кем я ругалась из-за шума?",
                "Какие у меня отношения с соседом?",
                "Кто на меня накричал?",
                "С кем я поссорилась?",
            ),
        ),
        Topic(
            "test",
            "проваленный экзамен по вождению",
            ("вожден", "провал", "стыдно"),
            ("Я сдала на права?", "За что мне было стыдно?", "Есть ли у меня права?", "Что я провалила в апреле?"),
        ),
        Topic(
            "nikita",
            "Никита",
            ("никит", "влюб"),
            ("В кого я влюбилась?", "Кто позвал меня в кино?", "Кто такой Никита?", "Мне нравится кто-то из спортзала?"),
        ),
        Topic(
            "alcohol",
            "алкоголь",
            ("алкогол",),
            ("Я много пила?", "Когда я бросила пить?", "У меня проблемы с алкоголем?", "Что я бросила в феврале?"),
        ),
        Topic(
            "surgery",
            "операция отца на сердце",
            ("операц", "страшно"),
            (
                "Какую операцию сделали отцу?",
                "Почему мне было страшно в мае?",
                "Здорово ли сердце у отца?",
                "Папа лежал в больнице?",
            ),
        ),
        Topic(
            "tattoo",
            "татуировка",
            ("татуиров",),
            ("О чём я жалею на плече?", "У меня есть тату?", "Что стоит целое состояние удалить?", "Что у меня на коже?"),
        ),
    ),
)
TALKS = (ENGLISH, RUSSIAN)
