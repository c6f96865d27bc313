"""Words for what people are to each other by their work, and nouns that tell an organisation or a place from a person."""

from __future__ import annotations

OCCUPATIONS = frozenset(
    """
    teacher nurse doctor engineer plumber chef lawyer designer developer programmer accountant paramedic journalist
    writer artist musician student photographer electrician carpenter mechanic pilot driver barista waiter waitress
    cashier manager analyst consultant scientist researcher architect librarian dentist vet veterinarian pharmacist
    therapist psychologist translator editor firefighter farmer baker salesman salesperson freelancer intern trainee
    dancer coach trainer realtor tailor hairdresser plasterer welder surgeon professor economist receptionist florist cook
    gardener bartender butcher builder bricklayer cleaner copywriter illustrator proofreader courier tutor solicitor joiner
    учитель учительница врач медсестра инженер программист разработчик дизайнер бухгалтер юрист повар журналист художник
    музыкант студент студентка фотограф электрик механик пилот водитель бариста официант официантка кассир менеджер
    аналитик консультант учёный ученый архитектор библиотекарь стоматолог ветеринар фармацевт психолог переводчик
    переводчица редактор пожарный фермер пекарь продавец фрилансер стажёр стажер тренер риелтор парикмахер сварщик
    хирург преподаватель экономист секретарь маркетолог логист тестировщик воспитатель воспитательница строитель курьер
    флорист пенсионер пенсионерка домохозяйка предприниматель фельдшер терапевт агроном геолог химик физик математик
    биолог историк актёр актер актриса столяр плотник сантехник кондитер корректор верстальщик садовник швея портной
    """.split()
)
"""What one can be by trade: fills the property ``job``."""

ROLES = OCCUPATIONS | frozenset(
    """
    head director foreman supervisor lead leader captain boss assistant secretary principal landlord landlady instructor
    producer trustee owner janitor guard caretaker nanny babysitter dean chairman chairwoman president officer sergeant
    midwife counsellor neighbor housemate bandmate partner
    завуч директор начальник руководитель куратор бригадир прораб вахтер вахтёр охранник секретарша заместитель
    помощник помощница ассистент ассистентка хозяин хозяйка няня классная староста наставник наставница декан
    заведующий заведующая выпускающий выпускающая хормейстер дирижер дирижёр продюсер режиссер режиссёр капитан
    логопед массажист массажистка арендодатель управляющий управляющая администратор лаборант мастер проректор
    """.split()
)
"""What somebody is to the speaker by their place or trade ("our sous-chef", "завуч")."""

INSTITUTIONS = frozenset(
    """
    bank school hospital company startup university college restaurant cafe café bakery factory agency firm council library
    shop store clinic museum hotel airport lab laboratory office nonprofit kindergarten studio academy institute ltd inc llc
    gym theatre theater gallery pub bar bistro kitchen brewery nursery surgery practice magazine newspaper publisher press
    church farm garage salon foundation charity centre center club station warehouse supermarket market garden gardens
    банк школа больница компания стартап университет институт ресторан кафе пекарня завод агентство фирма библиотека
    магазин поликлиника музей гостиница аэропорт лаборатория садик типография редакция театр издательство студия кофейня
    лицей гимназия колледж фабрика ателье галерея клиника отель бюро журнал газета мастерская музыкалка автосервис
    """.split()
)
"""Heads of names of organisations and houses: "Fernhill Bakery" is nobody."""

COMPANY_ENDINGS = frozenset(
    """
    freight bulk logistics haulage transport trucking lines airlines airways motors systems holdings partners group
    solutions services consulting industries foods energy capital media labs software technologies trust express couriers
    bros brothers sons associates corp corporation limited plc gmbh insurance electric plumbing builders construction
    engineering homes properties estates rail railways shipping security digital
    """.split()
)
"""Written large at the end of a name, these tell a firm from a person: "Prater Freight"."""

PLACES = frozenset(
    """
    street road lane avenue square park bridge hill valley bay beach island lake river forest village town city county
    mountain house hall tower castle court place
    улица площадь парк мост озеро река остров деревня город посёлок поселок село набережная проспект гора пляж
    """.split()
)

HUMAN_NOUNS = frozenset(
    """
    mother father mom mum dad sister brother son daughter wife husband boyfriend girlfriend partner friend boss birthday
    wedding funeral name face voice parents kids family fiancé fiance ex flatmate roommate
    """.split()
)
"""Whose these are is a person: "Dev's mother"."""

LOCATING = frozenset(
    "in at near round around from into through via across outside inside towards toward over past beyond within between".split()
)
"""English prepositions of a place; a person stands after them only where something is said to come from somebody."""
