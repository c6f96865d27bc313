"""Feelings told without naming them: what the body does, set phrases, and verbs of what others do to one."""

# ruff: noqa: E501, ISC004 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Mapping

IDIOMS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(rf"\b(?:{pattern})"), value)
    for pattern, value in (
        (r"на седьмом небе|вне себя от счастья|(?:прыгаю|прыгала?|свечусь|светилась|пою|визжу|визжала) от (?:радости|счастья)|не могу перестать улыбаться|на крыльях", 0.9),
        (r"(?:камень|груз) с души|гора с плеч|от сердца отлегло|отлегло от сердца", 0.6),
        (r"улыба(?:лся|лась|лись|юсь|емся)\b(?! (?:мне|нам|он|она))|сияла? весь|до ушей", 0.6),
        (r"места себе не нахожу|не нахожу себе места|не находила? себе места|не по себе|душа не на месте|сердце не на месте|кошки скребут|(?:внутри )?все (?:внутри )?(?:сжима|оборвал|похолодел|переворачива|кип)\w+|на душе (?:тяжело|паршиво|гадко|муторно)", -0.6),
        (r"ком в горле|комок в горле|опускаются руки|руки опуск\w+|руки опустились|сердце разрывается|глаза на мокром месте|слезы на глазах|до слез|в слезах", -0.7),
        (r"на нервах|на взводе|как на иголках|на пределе|нет (?:больше )?сил|сил (?:больше )?нет|без сил|как выжатый лимон|выжат[аы]?\b|измотан[аы]?\b|вымотан[аы]?\b|опустошен[аы]?\b", -0.6),
        (r"из себя (?:выводит|выходит)|выводит (?:меня )?из себя|доводит (?:меня )?до", -0.7),
        (r"тошно (?:от|на)|тошнит от (?:его|ее|их|этой|этого|этих|одной|одного)", -0.6),
        (r"растерялась|растерялся|растерян[аы]?\b|не в своей тарелке", -0.4),
        (r"разревел(?:ся|ась)|расплакал(?:ся|ась)|разрыдал(?:ся|ась)|рыдаю|реву\b|проплакала?", -0.8),
        (r"over the moon|on cloud nine|walking on air|jump(?:ed|ing) for joy|(?:can't|couldn't|can not|could not) stop (?:smiling|grinning)|(?:was|am|'m|kept) (?:smiling|grinning|beaming)|grinning from ear to ear|tickled pink|chuffed|buzzing with", 0.8),
        (r"(?:weight|load) off my (?:shoulders|mind|chest)", 0.6),
        (r"(?:can't|couldn't|can not|could not|couldn't) stop crying|burst into tears|in tears|cried my eyes out|broke down (?:crying|in tears)|in floods|teared up|choked up", -0.8),
        (r"fed up|on edge|feel(?:ing)? down|stressed out|at (?:the end of my rope|my wits' end|my wit's end|breaking point)|walking on eggshells|up the wall|worn out|run ragged|at a loss|lost for words|beside myself", -0.6),
        (r"burned out|burnt out|gutted|heartsick", -0.7),
        (r"(?:felt|feel|feeling) sick (?:just |even )?(?:at|about|seeing|hearing|thinking|when|every time|with (?:worry|nerves|dread))|sick to my stomach", -0.7),
    )
)  # fmt: skip
"""Said of the speaker (subject or experiencer); looked for in folded words."""

BODY_SIGNS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(pattern), value)
    for pattern, value in (
        (r"(?=.*\b(?:рук[аи]|колени|коленки|губы|голос|пальцы|ноги)\b).*\b(?:дрож\w+|тряс(?:ет|лись|утся|лась|ется)|подкосил\w+|подкашива\w+)", -0.6),
        (r"(?=.*\bсердце\b).*\b(?:колот\w+|выпрыг\w+|ушло в пятки|упало|екнул\w+|сжал\w+|сжимает\w+)", -0.5),
        (r"(?=.*\bсердце\b).*\b(?:поет|пело|запело|радуется|прыгает от)", 0.7),
        (r"(?=.*\bshoulders?\b).*\b(?:by|around|near|up to) my ears\b", -0.5),
        (r"(?=.*\bhands?\b|.*\bknees?\b|.*\bvoice\b|.*\blegs?\b).*\b(?:shak(?:e|es|ing|y)|shook|trembl\w+|wobbl\w+|quiver\w+)\b", -0.6),
        (r"(?=.*\bheart\b).*\b(?:pound\w*|rac(?:es|ed|ing)|sank|sinks|broke|breaks|in my mouth|hammer\w+)\b", -0.5),
        (r"(?=.*\bheart\b).*\b(?:full|sings|sang|leapt|melted|soars)\b", 0.7),
        (r"(?=.*\bstomach\b|.*\bgut\b|.*\binsides\b).*\b(?:in knots|in a knot|churn\w*|dropp\w+|turn(?:s|ed) over|flips?|flipped)\b", -0.6),
        (r"(?=.*\b(?:jaw|fists|teeth|chest|throat)\b).*\b(?:clench\w*|tighten\w*|tight)\b", -0.5),
        (r".*\b(?:lump in my throat|knot in my stomach|butterflies in my stomach|goosebumps)\b", -0.4),
        (r".*\bmy (?:mind|head) (?:won't|wouldn't|will not) (?:stop|switch off)\b", -0.5),
    )
)  # fmt: skip
"""What one's own body does; looked for in folded words of a clause whose body part is the speaker's."""

DONE_TO_ONE: Mapping[str, float] = {
    word: value
    for value, words in (
        (-0.6, "stress exhaust drain frustrate irritate bug bother overwhelm unsettle intimidate humiliate embarrass disappoint offend exasperate "
               "трясти утомлять утомить измотать вымотать тревожить беспокоить угнетать напрягать пугать напугать унизить унижать обижать задеть расстраивать огорчить огорчать разочаровать"),
        (-0.7, "infuriate enrage terrify frighten freak devastate доконать достать доставать выбесить бесить добить доводить злить выводить колотить потряхивать"),
        (0.6, "delight thrill cheer comfort reassure amuse uplift touch encourage обрадовать веселить утешить тронуть воодушевить успокоить порадовать"),
    )
    for word in words.split()
}  # fmt: skip
"""Verbs by which somebody or something acts on the speaker's feelings ("it stresses me out", "меня это доконало")."""

DRIVEN = {("wear", "out"): -0.6, ("freak", "out"): -0.7, ("stress", "out"): -0.7, ("cheer", "up"): 0.6, ("wind", "up"): -0.5, ("bring", "down"): -0.5, ("get", "down"): -0.5, ("lift", "up"): 0.5, ("creep", "out"): -0.5, ("tire", "out"): -0.5, ("piss", "off"): -0.7, ("tick", "off"): -0.5, ("put", "off"): -0.3}  # fmt: skip
DRIVEN_TO = frozenset("mad crazy nuts insane bananas bonkers wall tears despair distraction".split())
