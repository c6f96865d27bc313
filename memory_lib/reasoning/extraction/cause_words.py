"""Words that say why: causal prepositions, verbs of bringing about, questions for a reason, and what only looks like them."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterable

from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark

CAUSE_PHRASE = re.compile(
    r"\b(?:because of|due (?:entirely |mainly |largely )?to|thanks to|owing to|on account of|as a (?:result|consequence) of|in the wake of|"
    r"from (?=(?:all (?:that|this|the|those|these)|too (?:much|many)|so (?:much|many)|the constant|constant|sheer|lack of|hours of|days of|weeks of|months of|years of) )|"
    r"(?:just |simply |purely )?out of(?= (?:sheer |pure |simple |plain )?(?:fear|spite|love|habit|pity|boredom|curiosity|guilt|shame|anger|jealousy|loneliness|"
    r"desperation|despair|kindness|respect|politeness|stubbornness|necessity|envy|frustration|loyalty|gratitude|sympathy|laziness|pride|nostalgia)\b)|"
    r"из-за|благодаря|по причине|в связи с|ввиду|вследствие|в результате|на почве|по вине|под влиянием|"
    r"по(?= (?:глупости|ошибке|привычке|невнимательности|неосторожности|состоянию здоровья|болезни|семейным обстоятельствам|неопытности|рассеянности|лени|недосмотру|молодости|доброте|наивности)\b)|"
    r"(?:со?|от)(?= (?:горя|горем|испугу|испуга|страху|голоду|голода|непривычки|радости|тоски|скуки|устатку|похмелья|обиды|злости|стыда|волнения|усталости|зависти|отчаяния|безысходности|одиночества|холода|жары|боли|счастья|восторга|ревности|нервов|недосыпа|стресса)\b))"
    r"\s+"
)
"""Before the noun phrase that is the cause; looked for in folded words of one clause."""

BEHIND = frozenset(
    """
    угол стол туча облако дверь забор спина граница рубеж поворот дерево дом стена занавес кулиса кулисы шкаф гора горизонт куст
    штора плечо океан бугор печка прилавок решетка решётка руль парта
    """.split()
)
"""What something comes out from behind of ("из-за угла"): no cause after a verb of moving or looking."""
MOVING = frozenset(
    """
    выйти выходить выехать выезжать вылететь вылезти выглянуть выглядывать выскочить выскакивать появиться появляться показаться
    показываться вернуться возвращаться приехать приезжать встать вставать подняться подниматься привезти привозить прислать смотреть
    наблюдать доноситься донестись слышать слышаться торчать подглядывать выплыть светить
    """.split()
)

STATES_FROM = frozenset(
    """
    устать уставать устал усталый болеть заболеть раскалываться гудеть пухнуть ныть кружиться трещать плакать рыдать реветь дрожать
    трястись смеяться хохотать визжать прыгать скакать сиять светиться страдать мучиться изнывать задыхаться краснеть бледнеть побледнеть
    умирать сойти сходить проснуться просыпаться вздрогнуть вздрагивать охрипнуть опухнуть вымотаться измотать вымотать оглохнуть
    ослепнуть промокнуть замерзнуть замёрзнуть потеть вспотеть поседеть похудеть опустошить отойти лезть выть беситься злиться тошнить
    мутить трясти колотить корчиться ошалеть обалдеть офигеть выгореть сгореть сдохнуть ослабеть свалиться
    tired exhausted drained weary worn sore stiff hoarse dizzy sick ill numb dead broken shattered gone knackered wiped burned burnt wreck
    wrecked ache aching hurt hurting throb shake shaking tremble trembling cry sob sweat limp bruise bruised blister blistered
    swell swollen suffer collapse faint choke buzz buzzing glow beam shiver stuffed recover reel reeling ruin ruined die starve freeze
    frozen soaked deaf blind hungover jittery wired
    """.split()
)
"""Heads after which "from …" or "от …" names the cause."""

BRINGS_ABOUT = frozenset(
    """
    make force lead cause mean result cost keep ruin trigger spoil wreck delay prevent stop persuade convince inspire push drive bring
    leave provoke spark prompt cancel
    заставить заставлять вынудить вынуждать привести приводить вызвать вызывать стоить довести помешать мешать лишить испортить сорвать
    убедить вдохновить подтолкнуть сподвигнуть сделать задержать сломать обернуться спасти разбудить будить
    """.split()
)
"""Verbs whose subject brings about what their object undergoes ("the noise made me leave", "жара заставила нас вернуться")."""

WHY = re.compile(
    r"\b(?:why|how come|what (?:happened|made|makes|caused|'s the reason|is the reason|'s wrong|is wrong|went wrong|brought)|what's (?:wrong|the reason|going on|behind|up|the matter)|"
    r"because of what|any (?:particular |special )?reason|what's behind|how so|зачем|с чего (?:вдруг|бы|это)|any idea what|do you know what|what do you think is|почему|отчего|из-за чего|по какой причине|что (?:случилось|произошло|стряслось|тебя|вас|так|именно|не так|же)|"
    r"в чем (?:дело|причина)|с чем (?:это )?связан\w*|чем (?:это )?вызван\w*|что-то случилось|что-то произошло)\b"
)
"""A question for the reason of what was said before; looked for in the folded last sentence of the turn before."""

EMPTY_HEADS = frozenset(
    """
    это все всё оно то вот а и просто потому оттого дело только лишь it that this 's is was be just only mainly mostly probably
    partly maybe and but all i think guess что в том быть
    """.split()
)
"""Lemmas that leave a clause without content of its own ("it's because …", "а всё потому, что …")."""

OBLIGED = frozenset({"прийтись", "приходиться"})
"""Predicates of having to: beside a clause just told, its outcome ("отменили рейс, пришлось ночевать")."""


def says_nothing(tree: SentenceTree, own: Iterable[int]) -> bool:
    """Whether these tokens only point to what was said before."""
    return all(is_mark(tree[i]) or tree[i].lemma in EMPTY_HEADS or tree[i].text.lower() in EMPTY_HEADS for i in own)
