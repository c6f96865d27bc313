"""Makes of phones and cars, Latin and Cyrillic, as people write them. None that is also an everyday word or a name."""

from __future__ import annotations

PHONE_BRANDS = frozenset(
    """
    iphone samsung galaxy xiaomi redmi huawei honor nokia motorola fairphone pixel oneplus oppo realme poco blackberry htc
    meizu vivo айфон самсунг самсунге ксиоми сяоми редми хуавей хонор нокиа нокия моторола пиксель реалми смартфон кнопочник
    кнопочный
    """.split()
)
CAR_BRANDS = frozenset(
    """
    toyota honda nissan mazda subaru mitsubishi suzuki lexus hyundai kia volkswagen vw golf passat polo audi bmw mercedes
    opel vauxhall skoda škoda seat renault peugeot citroen citroën dacia fiat alfa volvo saab ford fiesta focus chevrolet
    chevy tesla jeep buick cadillac dodge chrysler mini rover porsche jaguar lada niva uaz gaz prius civic corolla camry
    duster yaris тойота хонда ниссан мазда субару мицубиси сузуки лексус хендай хёндай хундай киа фольксваген пассат поло
    ауди бмв мерседес опель шкода октавия рено пежо ситроен дача фиат вольво форд фокус шевроле тесла джип порше ягуар лада
    ладу жигули нива ниву уаз газель приора калина гранта веста логан дастер солярис рио королла камри москвич копейка
    девятка шестёрка семёрка
    """.split()
) - frozenset(
    {"дача", "seat", "mini", "focus", "golf", "gaz", "копейка", "jaguar", "ягуар", "polo", "поло", "рио", "alfa", "москвич"}
)
