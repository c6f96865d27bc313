"""The closed list of topics by lemma, Russian and English. Health has none on purpose: such remarks stay ``other``."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from memory_lib.domain.candidates import Topic

_WORDS: dict[Topic, str] = {
    Topic.WORK: """работа работать работодатель начальник начальница шеф босс коллега офис проект увольнение уволить уволиться зарплата
        собеседование отпуск должность вакансия карьера клиент дедлайн совещание компания фирма контракт повысить повышение смена
        командировка сократить устроиться резюме отдел стартап бизнес заказчик дизайнер программист врач инженер бухгалтер менеджер
        work job boss colleague coworker office project salary interview career client deadline meeting company contract promotion shift
        hire fire resign quit employer manager startup business resume freelance layoff raise designer engineer nurse
        рабочий начальство планёрка планерка редакция макет вёрстка верстка атлас рукопись тираж издательство редактор
        корректор заказ задача отчет отчёт заявление выпускающий график дежурство завод склад бригада стажировка стажёр
        стажер переработка коллектив отработка аванс премия верстальщик верстальщица дизайн сотрудник правка срок студия
        портфолио пекарь повар фрилансер подработка подрабатывать завуч бариста rota sous-chef baker cook
        chef studio portfolio staff team workplace overtime paycheck payday wage redundancy notice apprentice internship
        intern rehearsal workshop warehouse bakery customer supplier spreadsheet presentation trainee teammate
        self-employed employee recruiter hiring cv""",
    Topic.FAMILY: """мама мать папа отец родитель родители сестра брат дочь дочка сын сынок ребенок ребёнок бабушка дедушка тетя тётя дядя семья внук
        внучка племянник племянница свекровь теща тёща беременный беременна роды родить родиться
        mother mom mum father dad parent parents sister brother daughter son child kid baby grandmother grandma grandfather grandpa aunt
        uncle cousin family niece nephew pregnant birth
        родственник родственница двоюродный кузен кузина свекор тесть зять невестка крестник крестница юбилей пелёнка
        пелёнки садик родня бабушкин мамин папин близнец двойняшка nan gran grandchild grandson granddaughter in-law
        sibling twin toddler nursery parenting relative stepmother stepfather stepson godson goddaughter daddy mummy mama
        papa""",
    Topic.RELATIONSHIPS: """муж жена супруг супруга парень девушка друг подруга свадьба жениться развод развестись расстаться поссориться ссора помириться
        свидание отношения влюбиться встречаться бывший бывшая дружба сосед соседка
        husband wife partner boyfriend girlfriend friend wedding marry married divorce breakup date dating relationship fiance
        fiancee ex friendship anniversary engaged argue
        приятель приятельница знакомый знакомая влюблённый влюбленный поцеловать поцелуй ревновать роман пара помолвка
        жених невеста измена ухаживать подружка компания flatmate roommate housemate neighbour neighbor mate buddy pal
        crush kiss couple bride groom bridesmaid engagement hug quarrel""",
    Topic.HOME: """дом квартира ремонт переезд переехать ипотека аренда снимать комната кухня мебель сад дача соседи жить уборка диван жилье жильё район
        home house apartment flat move rent mortgage room kitchen furniture garden renovation neighbor neighbourhood yard backyard live landlord
        кран обои окно балкон стена потолок хозяйка хозяин арендодатель коммуналка электричество отопление лифт подъезд
        этаж сосед соседка посёлок поселок огород грядка цветок новоселье мебельный полка стирка посуда landlady tenant
        lease roof ceiling balcony plumber boiler heating laundry dishes shelf wallpaper attic basement sofa couch curtain
        carpet chore housework bathroom bedroom plant garage doorbell tap""",
    Topic.HOBBIES: """хобби гитара рисовать рисование музыка играть игра футбол бег бегать йога фильм кино книга читать танцы танцевать петь хор
        фотография шахматы вязать велосипед спорт зал тренировка плавать плавание марафон концерт сериал театр лыжи рыбалка поход пианино
        hobby guitar paint painting draw music play game football soccer run running yoga movie film book read dance dancing sing choir
        photography chess knit bike cycling sport gym workout swim swimming marathon concert series theater theatre ski fishing hike
        hiking piano pottery climb climbing camping violin craft
        сноуборд байдарка каток коньки скрипка барабан вышивать вышивка вязание лепка керамика гончарный настолка
        настольный пазл квест роман детектив стих стихи танец кружок хоровой рисунок акварель краска альбом группа
        фестиваль выставка теннис баскетбол волейбол хоккей бокс скалолазание kayak canoe surf skate skating drum sewing
        embroidery board puzzle novel poem poetry watercolour watercolor sketch band festival exhibition gig tennis
        basketball volleyball hockey boxing five-a-side match league goal rugby cricket golf crochet
        birdwatching heron knitting gardening allotment blog podcast record vinyl guitarist trail jog drawing""",
    Topic.LEARNING: """учеба учёба учиться университет институт школа курс экзамен диплом студент учить язык урок лекция сессия зачет зачёт
        преподаватель поступить поступать выучить английский немецкий испанский французский китайский польский итальянский обучение
        study learn university college school course exam degree student language lesson lecture class teacher thesis graduate english
        german spanish french chinese japanese certification training homework
        самоучитель репетитор домашка вебинар конспект аспирантура магистратура диссертация ученик ученица класс тест
        оценка зубрить педагог учебный студентка егэ tutor seminar webinar textbook essay dissertation pupil classroom
        grade revise revision scholarship phd master bachelor quiz polish italian portuguese""",
    Topic.TRAVEL: """поездка поехать путешествие путешествовать отпуск билет самолет самолёт поезд отель море виза чемодан лететь прилететь
        слетать аэропорт экскурсия загранпаспорт тур
        trip travel vacation holiday ticket flight plane train hotel sea visa fly airport tour passport abroad beach roadtrip
        вокзал маршрут рюкзак экспедиция круиз граница турист путёвка путевка хостел палатка карелия суздаль остров пляж
        автобус гид station luggage suitcase backpack hostel itinerary cruise border tourist ferry island mountain airbnb
        campsite tent map journey excursion landmark""",
    Topic.FOOD: """еда готовить рецепт ресторан кафе обед ужин завтрак кофе чай суп пирог торт вегетарианец веган вегетарианка пицца мясо борщ
        выпечка печь испечь оливка рыба
        food eat cook recipe restaurant cafe lunch dinner breakfast coffee tea soup cake vegetarian vegan pizza meat bake baking fish
        olive cookie
        чашка сырник варенье сметана мороженое цикорий шоколад хлеб каша салат овощ фрукт сладкое блин вино пиво
        кулинарный кухонный кушать поесть съесть вкусный молоко сыр рис курица торты тесто булочка напиток bread dough
        loaf sourdough toast tart scone cheese chocolate rice chicken salad vegetable fruit wine beer kettle marzipan
        lemon pie pasta sandwich snack grocery supper brunch delicious tasty oven yeast dessert pickle jam honey milk
        sugar drink pub menu barbecue bbq picnic curry noodle meal""",
    Topic.MONEY: """деньги кредит долг бюджет накопить копить потратить цена инвестиция вклад штраф налог дорого
        money loan debt budget save saving spend price investment fine tax expensive afford
        зарплата аренда оплатить оплата счёт счет премия кредитка стипендия пенсия экономить занять рубль доллар евро
        страховка выплата mortgage invoice bill insurance pension wage salary bank pay payment owe lend borrow pound
        dollar euro refund discount bonus lottery overdraft bankrupt credit""",
    Topic.PETS: """кот кошка котенок котёнок собака щенок пес пёс попугай хомяк питомец кролик ветеринар
        cat kitten dog puppy parrot hamster pet rabbit vet bunny turtle
        котик кошечка щеночек хвостик лапа шерсть корм поводок аквариум рыбка черепаха попугайчик овчарка лабрадор такса
        корги leash paw fur collar aquarium goldfish labrador corgi poodle terrier beagle guinea ferret gecko litter
        kennel""",
}  # fmt: skip

HEALTH = frozenset(
    """
    болеть заболеть болезнь врач больница операция аллергия температура таблетка лекарство диагноз давление голова спина
    живот боль простуда грипп анализ депрессия психотерапевт травма перелом диабет астма мигрень беременность sick ill
    illness doctor hospital surgery allergy allergic fever pill medicine diagnosis pressure headache pain flu cold
    therapy therapist injury diabetes asthma migraine depression medication symptom ache
    """.split()
)
"""Lemmas that make a remark one about health: its topic is ``other`` whatever else it names."""

_TOPIC_OF: Mapping[str, Topic] = {word: topic for topic, words in _WORDS.items() for word in reversed(words.split())}
# These decide health only beside a word of pain.
_AMBIGUOUS = frozenset({"голова", "спина", "живот", "cold", "pressure", "давление", "анализ", "therapist"})


def topic_of(lemmas: Iterable[str]) -> Topic:
    """The topic most of the lemmas speak for; the earlier word decides a tie."""
    words = list(lemmas)
    if any(word in HEALTH and word not in _AMBIGUOUS for word in words) or (
        any(word in _AMBIGUOUS for word in words) and any(word in {"болеть", "hurt", "ache", "see"} for word in words)
    ):
        return Topic.OTHER
    counts: Counter[Topic] = Counter()
    for word in words:
        topic = _TOPIC_OF.get(word)
        if topic is not None:
            counts[topic] += 1
    return counts.most_common(1)[0][0] if counts else Topic.OTHER
