"""Life events by lemma: what is significant when it happens to the speaker or their family, and what only sounds like it.

The rule (issue of memory formation, "Significance"): an event counts when its words name a wedding or engagement, a parting, a
birth, pregnancy or adoption, a death (of an animal of one's own too), a move of home or country, a change of job or retirement, an
admission or degree, a serious illness, operation or accident, the buying of a home, or a milestone won. Words that also mean
something small ("the phone died", "умер от смеха", "launch moved to Friday") count only without their figurative company.
"""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Iterable


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


PARTING_BY_DEATH = _set(
    """
    умереть скончаться погибнуть смерть похороны похоронить хоронить умирать схоронить гибель покойный овдоветь вдова вдовец поминки кремация усыпить
    die death funeral bury widow widowed widower bereaved bereavement euthanize euthanise deceased cremate stillborn
    """
)
_ALONE = PARTING_BY_DEATH | _set(
    """
    свадьба пожениться жениться обвенчаться венчание венчаться обручиться помолвка помолвиться расписаться развод развестись разводиться
    расстаться разойтись разъехаться бракосочетание женитьба
    родиться родить рожать роды беременный беременна беременность забеременеть усыновить удочерить усыновление удочерение выкидыш зачать рождение
    повысить развестись развести уволить уволиться увольнение увольняться сократить сокращение повышение оффер трудоустроиться ликвидация уволенный собеседование
    поступить зачислить отчислить отчисление магистратура аспирантура выпускной диплом выпуститься аттестат диссертация кандидатская
    переезд переехать переезжать эмигрировать эмиграция эмигрант репатриация релокация релоцироваться релокейт иммигрировать новоселье ипотека выселить
    авария инфаркт инсульт онкология рак кома реанимация ампутация операция прооперировать трансплантация химиотерапия ремиссия аппендицит инвалидность парализовать сотрясение
    ограбить обокрасть пожар сгореть наводнение банкротство обанкротиться арестовать осудить призвать мобилизовать мобилизация гражданство
    wedding marry elope engaged engagement propose divorce divorced separated separating breakup break-up
    born bear birth pregnant pregnancy adopt adoption miscarriage miscarry newborn triplet
    fire fired layoff resign resignation promotion promote promoted hire hired redundancy redundant retire retirement offer interview unemployed apprenticeship
    graduate graduation enrol enroll admit expel expelled valedictorian phd
    emigrate immigrate emigration relocate relocation repatriate evict evicted eviction citizenship naturalise naturalize asylum deport
    accident surgery operate stroke cancer tumour tumor chemo chemotherapy remission icu coma amputation amputate transplant hospitalised hospitalized paralysed paralyzed concussion
    rob robbed burgle burgled mugged bankrupt bankruptcy foreclosure arrest arrested deploy deployed enlist
    """
)


def _pairs(*rows: tuple[str, str]) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    return tuple((_set(first), _set(second)) for first, second in rows)


_PAIRS = _pairs(
    # work
    (
        "написать подать положить",
        "заявление отставка",
    ),
    (
        "сменить найти потерять получить предложить бросить оставить уйти выйти устроиться взять брать принять позвать начать лишиться попросить повысить новый вылететь выгнать",
        "работа должность место пост вакансия профессия служба стажировка",
    ),
    ("выйти уйти проводить отправить", "пенсия декрет отставка"),
    ("открыть основать запустить продать закрыть", "бизнес фирма компания мастерская студия кафе ресторан магазин салон клиника школа пекарня ателье ип"),
    ("получить дать предложить", "повышение оффер грант стипендия гражданство"),
    ("new lose get land start quit leave offer accept take find change switch", "job position role career post"),
    ("get", "sack promote fire"),
    ("open start found launch sell close", "business company studio shop bakery cafe restaurant practice salon firm"),
    # study
    ("сдать завалить провалить защитить окончить закончить бросить получить", "экзамен диплом университет институт школа училище академия колледж сессия права право егэ дисер вуз"),
    ("взять принять зачислить попасть пройти", "университет институт бюджет магистратура академия консерватория училище сборная театр оркестр труппа"),
    ("pass fail finish defend", "exam test bar driving degree thesis viva dissertation driver"),
    ("get accept admit", "university college uni school oxford cambridge harvard stanford programme program"),
    ("drop finish leave", "university college uni school degree"),
    # love, children
    ("выйти выходить", "замуж"),
    ("сделать получить принять", "предложение"),
    ("жить съехаться съезжаться", "вместе"),
    ("say", "yes"),
    ("leave walk", "husband wife marriage"),
    ("have expect welcome", "baby twin son daughter child boy girl"),
    ("ждать родить появиться родиться", "ребенок ребёнок малыш двойня двойняшка сын дочь дочка внук внучка"),
    ("become", "mother father dad mum mom parent grandmother grandfather grandma grandpa grandparent aunt uncle"),
    ("стать", "мама папа отец мать бабушка дедушка родитель тетя тётя дядя"),
    # home
    ("купить покупать приобрести продать получить достроить построить", "квартира дом жилье жильё участок дача студия однушка двушка трешка трёшка комната ключ"),
    ("взять оформить выплатить закрыть погасить", "ипотека"),
    ("buy sell purchase", "house home apartment flat condo cottage farm"),
    ("close pay", "mortgage"),
    ("move", "city country abroad house flat home apartment town house"),
    ("move relocate", "from"),
    # illness, accident
    ("посадить осудить приговорить", "год срок тюрьма месяц колония условно"),
    ("jail imprison sentence", "year month prison he she i my"),
    ("come finish place", "championship nationals olympics tournament"),
    ("попасть угодить лечь положить увезти забрать", "больница авария дтп реанимация скорый скорая"),
    ("сделать перенести назначить", "операция"),
    ("сломать", "нога рука бедро позвоночник ребро шея ключица"),
    ("разбить перевернуть перевернуться разбиться врезаться", "машина автомобиль мотоцикл фура дважды трасса"),
    ("break", "leg arm hip neck back spine collarbone pelvis wrist ankle"),
    ("crash total wreck roll flip write", "car truck van bike motorcycle motorbike lorry rally bus tractor"),
    ("rush take admit", "hospital"),
    ("diagnose", "with"),
    ("have undergo need", "surgery operation transplant"),
    # victory
    ("выиграть победить занять стать взять завоевать получить", "чемпионат олимпиада турнир конкурс медаль золото кубок чемпион чемпионка первенство соревнование премия лотерея тендер суд дело"),
    ("win", "championship tournament competition medal gold cup title prize award election lottery contest race final league case"),
    ("finish run complete", "marathon ironman ultramarathon"),
    ("пробежать закончить", "марафон"),
    ("publish", "book novel"),
    ("опубликовать издать выпустить", "книга роман альбом"),
    # loss
    ("lose", "father mother mom mum dad grandmother grandfather grandma grandpa gran nan brother sister husband wife son daughter baby cat dog friend twin"),
    ("потерять", "отец мать мама папа бабушка дедушка брат сестра муж жена сын дочь ребенок ребёнок друг"),
    ("уйти", "жизнь"),
)  # fmt: skip
_PHRASES = (
    "break up", "split up", "pass away", "slip away", "lay off", "let go", "let i go", "let we go", "let us go", "hand in", "give notice", "give my notice", "hand notice", "move in", "move out",
    "put to sleep", "heart attack", "не стало", "не стать", "walk out on", "say yes", "new job", "first job", "due date", "water break",
    "break my leg", "break my arm", "сдать на право", "свой дело", "new home", "new house", "прийти в себя после операция",
)  # fmt: skip
_TRIGGERS: dict[str, list[frozenset[str]]] = {}
for _first, _second in _PAIRS:
    for _word in _first:
        _TRIGGERS.setdefault(_word, []).append(_second)

# What turns the word into something small: the company on the right silences the words on the left.
_FIGURATIVE = _pairs(
    (
        "die death bury kill умереть умирать смерть погибнуть похоронить хоронить похороны скончаться",
        """
        laugh laughter laughing boredom curiosity embarrassment shame heat hunger thirst suspense jealousy cringe battery phone laptop computer car
        engine tv fridge kettle boiler printer router server plant ficus orchid conversation wifi internet idea project hope joke line app website radio
        смех хохот скука любопытство стыд зависть жара голод жажда нетерпение усталость умиление хохотать смеяться телефон ноутбук батарея батарейка аккумулятор
        компьютер машина двигатель мотор телевизор холодильник чайник принтер роутер сервер фикус орхидея цветок кактус растение идея проект надежда
        разговор вайфай интернет приложение сайт чат смешно котел котёл бойлер утюг комп ноут планшет сериал герой персонаж
        """,
    ),
    ("born birth родиться рождение родить роды рожать", "day день идея мысль план проект строка стих звезда мем birthday present card cake party idea anniversary подарок открытка certificate свидетельство мышь"),
    ("fire", "alarm pit camp drill department station hydrant wood place fireplace up cozy cosy truck engine smoke gun pizza exit brigade"),
    ("offer", "help discount coupon special seat tea coffee ride advice deal sale food lift drink cup"),
    ("engaged", "in with conversation line reader"),
    ("propose", "idea plan toast change topic meeting amendment"),
    ("move moved relocate переезд переехать переезжать", "meeting deadline launch sofa couch desk table file furniture forward mouse cursor call date appointment box plant bed server lesson совещание встреча сервер файл стол рейс занятие диван кабинет папка сайт хостинг тариф платформа почта движок"),
    ("marry", "flavour flavor idea"),
    ("divorce развод развести разводить", "мост краска кофе мошенник лохотрон цыганка"),
    ("break split", "ice bread bill cost fight meeting call cookie chocolate line"),
    ("расстаться", "деньги вещь платье привычка иллюзия"),
    ("разойтись", "мнение дом гость автобус остановка шов слух домой"),
    ("operation operate операция surgery", "system банковский карта математический счет счёт branch hours"),
    ("рак", "речной вареный варёный пиво созвездие знак"),
    ("cancer", "zodiac sign"),
    ("stroke", "brush swim cat luck breast back"),
    ("авария", "водопровод свет отопление канализация труба сервер вода"),
    ("crash total wreck", "app server laptop computer browser site game party diet"),
    ("accident", "happy coffee spill"),
    ("adopt", "policy method approach habit plan strategy framework style system rule filing software tool routine tone accent"),
    ("сократить сокращение", "текст путь расход слово бюджет дорога абзац маршрут очередь"),
    ("рождение", "день"),
    ("повысить", "цена голос температура ставка налог давление аренда тариф квалификация плата стоимость точность бдительность градус скорость"),
    ("bear", "can not in mind fruit stand polar teddy grizzly brown animal weight load"),
    ("promote promotion", "sale discount brand product event video"),
    ("interview", "watch read podcast magazine radio tv интервью"),
    ("hire", "car bike boat van kayak suit plumber cleaner dj"),
    ("admit", "mistake guess wrong"),
    ("сгореть", "пирог каша котлета ужин лампочка спина плечо солнце стыд омлет тост яичница"),
    ("burn", "toast dinner"),
    ("пожар", "тушить сериал фильм учебный"),
    ("rob", "bank"),
    ("win выиграть получить", "argument bet quiz monopoly uno cards chess скидка монополия лото уно спор"),
    ("retire", "bed early"),
    ("separate separated", "egg laundry rubbish"),
    ("expect have", "baby carrot"),
)  # fmt: skip
_SILENCED: dict[str, list[frozenset[str]]] = {}
for _first, _second in _FIGURATIVE:
    for _word in _first:
        _SILENCED.setdefault(_word, []).append(_second)

TOLD_OR_SEEN = _set(
    """
    film movie book novel series show episode documentary article podcast play character soap musical opera drama trailer news
    фильм кино книга роман сериал серия эпизод статья подкаст спектакль персонаж герой героиня мультфильм мелодрама новость опера аниме
    сон присниться сниться dream
    """
)
"""Beside these a death or a wedding is told by somebody else's story."""

NEWS_STATES = _set(
    """
    беременный беременна помолвить помолвлен помолвлена обручен обручена pregnant engaged expecting redundant jobless безработный принят принята зачислен зачислена
    """
)
"""States that are news by themselves: "I'm pregnant" tells an event though no verb happens."""


def is_significant(lemmas: Iterable[str]) -> bool:
    """Whether these words name such an event, and no company of theirs makes it figurative."""
    ordered = list(lemmas)
    words = set(ordered)
    if words & TOLD_OR_SEEN:
        return False
    for word in words & _ALONE:
        if not any(words & company for company in _SILENCED.get(word, ())):
            return True
    said = f" {' '.join(ordered)} "
    if any(f" {phrase} " in said for phrase in _PHRASES):
        return True
    for word in words & _TRIGGERS.keys():
        if any(words & company for company in _SILENCED.get(word, ())):
            continue
        if any((words - {word}) & company for company in _TRIGGERS[word]):
            return True
    return False


_HARM = PARTING_BY_DEATH | _set(
    """
    инсульт инфаркт онкология кома реанимация авария дтп погибнуть ампутация stroke cancer icu coma accident crash rolled roll intensive
    """
)


def names_harm(lemmas: Iterable[str]) -> bool:
    """Whether they tell a death or grave harm: it weighs whoever of the speaker's people or animals it has struck."""
    words = set(lemmas)
    return bool(words & _HARM or {"pass", "away"} <= words or {"уйти", "жизнь"} <= words or "lose" in words)
