"""Years of conversation of somebody who does not exist, half Russian and half English, the same each time.

Sentences come of patterns with words put in, so that they are of the kinds that rules read (facts, changes, people, plans,
feelings, causes, questions) and hardly ever the same twice. Nothing here is anybody's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from memory_lib.domain.message import Role, SourceMessage

START = datetime(2024, 3, 4, 8, tzinfo=UTC)
YEARS_S = 2 * 365 * 24 * 3600
SESSION = 20
"""Messages of one session."""
SESSIONS = 10
"""Sessions of one conversation."""

_EN: Mapping[str, tuple[str, ...]] = {
    "name": tuple("Agnes Basil Cora Desmond Edith Felix Greta Hugo Ines Jasper Kira Lionel Mabel Nigel Olive Percy".split()),
    "kin": tuple("brother sister mother father aunt cousin neighbour boss colleague landlord".split()),
    "place": tuple("Lisbon Bergen Ghent Turin Cork Graz Porto Leeds Lyon Split Utrecht Malmo".split()),
    "work": ("Norwick Print", "Fellbridge", "the city library", "Ambervale", "Quill & Sons", "Dunmore clinic", "Oxbow Maps"),
    "trade": tuple("translator baker surveyor nurse librarian plumber teacher editor gardener pilot".split()),
    "thing": tuple("bicycle guitar kettle tent lamp camera printer jacket sofa violin boat telescope drill".split()),
    "dish": tuple("risotto porridge dumplings lentils goulash pancakes sushi borscht paella".split()),
    "habit": ("swim", "run", "paint", "play chess", "bake bread", "study Dutch", "climb", "sing in a choir", "knit"),
    "task": (
        "renew my passport", "call the bank", "fix the tap", "send the invoice", "book a dentist", "return the books",
        "water the plants", "finish the report",
    ),
    "feeling": tuple("tired happy anxious proud lonely calm angry relieved bored excited".split()),
    "reason": (
        "the train was late", "the deadline moved", "the roof leaks", "nobody answered", "the exam went well",
        "my back hurts", "the contract was signed", "it rained all week",
    ),
    "day": ("on Monday", "yesterday", "last week", "on Friday", "two days ago", "in May", "this morning", "next Tuesday"),
    "number": tuple("two three four five six seven eight nine".split()),
    "quality": tuple("old heavy quiet cheap blue broken new wooden small strange".split()),
}  # fmt: skip
_EN_SAID = (
    "I work at {work} as a {trade}.",
    "I quit my job at {work} {day}.",
    "I moved to {place} {day} because {reason}.",
    "My {kin} {name} lives in {place} and hates {dish}.",
    "I love {dish}, but {name} can't stand it.",
    "I bought a {quality} {thing} {day}.",
    "I sold the {thing} to {name}.",
    "I need to {task} {day}.",
    "I finally managed to {task}.",
    "I feel {feeling} because {reason}.",
    "I {habit} every week with {name}.",
    "I don't {habit} any more.",
    "We have {number} cats and a {quality} {thing} at home.",
    "{name} and I met in {place} {day}.",
    "Should I go to {place} or stay with my {kin}?",
    "If I lived in {place}, I would {habit}.",
    "My {kin} said that {reason}.",
    "I was so {feeling} {day} that I forgot to {task}.",
    "Can you help me {task}?",
    "I'd like to learn to {habit} next year.",
    "No, I said {place}, not Oslo.",
    "{reason}, so I stayed at home and cooked {dish}.",
    "Remember that my {kin} is a {trade}.",
    "I have been a {trade} for {number} years.",
    "I think {name} is {feeling} about the {thing}.",
)
_EN_ANSWERS = (
    "That sounds like a lot at once. How did {name} take it?",
    "Here are a few ideas for {place}: walk along the river, try {dish}, and leave an evening free.",
    "I understand. Would you rather {task} first, or talk about the {thing}?",
    "Good to hear! What will you do next?",
    "You could ask your {kin}, or wait until {reason}.",
)
_RU: Mapping[str, tuple[str, ...]] = {
    "name": tuple("Агния Богдан Варя Глеб Дарина Ефим Злата Игнат Клава Лука Мира Назар Оксана Платон Рая Савва".split()),
    "with": tuple("Агнией Богданом Варей Глебом Дариной Ефимом Златой Игнатом Клавой Лукой Мирой Назаром".split()),
    "kin": tuple("брат дядя отец сосед начальник дедушка коллега".split()),
    "she": tuple("сестра мама тётя соседка бабушка подруга начальница".split()),
    "to": ("в Тверь", "в Казань", "в Пермь", "в Самару", "в Омск", "в Тулу", "в Сочи", "в Псков"),
    "in": ("в Твери", "в Казани", "в Перми", "в Самаре", "в Омске", "в Туле", "в Сочи", "в Пскове"),
    "work": ("в типографии", "в школе", "в больнице", "в банке", "на заводе", "в музее", "в библиотеке", "в мастерской"),
    "trade": tuple("переводчиком пекарем инженером врачом учителем редактором поваром садовником".split()),
    "thing": tuple("велосипед гитару палатку лампу куртку скрипку лодку дрель камеру полку".split()),
    "dish": tuple("гречку борщ пельмени окрошку рыбу творог шашлык суши блины".split()),
    "habit": ("плаваю", "бегаю", "рисую", "играю в шахматы", "пеку хлеб", "учу итальянский", "пою в хоре", "вяжу"),
    "task": (
        "продлить паспорт", "позвонить в банк", "починить кран", "отправить счёт", "записаться к врачу", "вернуть книги",
        "полить цветы", "дописать отчёт",
    ),
    "feeling": ("грустно", "тревожно", "весело", "спокойно", "обидно", "одиноко", "страшно"),
    "reason": (
        "поезд опоздал", "перенесли срок", "протекает крыша", "никто не ответил", "экзамен прошёл хорошо", "болит спина",
        "подписали договор", "всю неделю шёл дождь",
    ),
    "day": ("в понедельник", "вчера", "на прошлой неделе", "в пятницу", "два дня назад", "в мае", "сегодня утром"),
    "number": ("две", "три", "четыре"),
    "quality": tuple("старую новую дешёвую синюю тяжёлую странную".split()),
}  # fmt: skip
_RU_SAID = (
    "Я работаю {trade} {work}.",
    "Я уволился {day}, потому что {reason}.",
    "Мы переехали {to} {day}.",
    "Мой {kin} {name} живёт {in} и терпеть не может {dish}.",
    "Обожаю {dish}, а моя {she} не ест.",
    "Купил {thing} {day}.",
    "Я продал {thing}, теперь жалею.",
    "Надо {task} {day}.",
    "Наконец-то удалось {task}.",
    "Мне {feeling}, потому что {reason}.",
    "По субботам я {habit} с {with}.",
    "Я больше не {habit}.",
    "У нас {number} кошки, и все спят на диване.",
    "Мы с {with} познакомились {in} {day}.",
    "Поехать {to} или остаться дома?",
    "Если бы я жил {in}, всё было бы иначе.",
    "Моя {she} сказала, что {reason}.",
    "{day} было так {feeling}, что я забыл {task}.",
    "Помоги мне {task}.",
    "Хочу в следующем году поехать {to}.",
    "Нет, я говорил не {in}, а в Рязани.",
    "{reason}, поэтому сидим дома и едим {dish}.",
    "Запомни: моя {she} работает {work}.",
    "Я уже пять лет работаю {trade}.",
    "Кажется, {name} купил {quality} лодку.",
)
_RU_ANSWERS = (
    "Понимаю, непростая неделя. Что сказала ваша {she}?",
    "Вот что можно сделать {in}: пройтись вдоль реки, попробовать {dish} и оставить вечер свободным.",
    "Хорошо. Сначала {task} или обсудим поездку {to}?",
    "Рад слышать! Что дальше?",
    "Можно спросить, что думает {name}, или подождать: {reason}.",
)


def made_up_history(user: str, *, messages: int, seed: int) -> Iterator[SourceMessage]:
    """``messages`` of one person and an assistant in turn, spread over two years in sessions; a language a session."""
    chance = random.Random(seed)  # noqa: S311 - synthetic text, no secret
    sessions = max(1, -(-messages // SESSION))
    for number in range(messages):
        session, place = divmod(number, SESSION)
        words, said, answers = (_EN, _EN_SAID, _EN_ANSWERS) if session % 2 == 0 else (_RU, _RU_SAID, _RU_ANSWERS)
        own = number % 2 == 0
        patterns = chance.sample(said, k=chance.choice((1, 1, 2, 3))) if own else [chance.choice(answers)]
        begins = START + timedelta(seconds=session * (YEARS_S // sessions))
        yield SourceMessage(
            user=user,
            conversation=f"c{session // SESSIONS}",
            id=str(number),
            role=Role.USER if own else Role.ASSISTANT,
            text=" ".join(_filled(pattern, words, chance) for pattern in patterns),
            time=begins + timedelta(seconds=place * 70),
        )


def _filled(pattern: str, words: Mapping[str, tuple[str, ...]], chance: random.Random) -> str:
    text = pattern.format_map({name: chance.choice(choices) for name, choices in words.items()})
    return text[:1].upper() + text[1:]
