"""What a person can be that is no trade: nouns of character, body, taste, origin, state and kin."""

from __future__ import annotations

NO_TRADE = frozenset(
    """
    member fan lover beginner believer owner teenager foreigner stranger winner loser sufferer survivor smoker drinker
    reader person perfectionist feminist optimist pessimist realist extremist racist mother father sister brother daughter
    minister walker listener newcomer sleeper eater lefty hander easterner northerner southerner westerner outsider insider
    loner starter quitter achiever learner user customer speaker owner renter tenant homeowner commuter riser holder sister
    offer number monster matter disaster character supporter follower beginner planner worrier procrastinator hoarder
    collector minimalist vegetarian humanitarian human woman man german christian buddhist baptist methodist communist
    socialist anarchist atheist catholic muslim hypochondriac insomniac cancer killer tester dreamer thinker doer morning
    supporter voter taxpayer passenger early riser newbie rookie amateur volunteer introvert extrovert twin widow widower
    bachelor adult kid человек женщина мужчина девушка парень девочка мальчик мужик баба тётка мама мать папа отец бабушка
    дедушка сова жаворонок интроверт экстраверт левша правша дальтоник аллергик астматик диабетик гипертоник вегетарианец
    вегетарианка веган сыроед оптимист пессимист реалист перфекционист трудоголик новичок чайник любитель любительница
    сторонник противник фанат фанатка поклонник поклонница болельщик болельщица собачник кошатник кошатница дачник дачница
    горожанин провинциал москвич москвичка петербуржец россиянин русский украинец татарин башкир немец еврей христианин
    мусульманин католик буддист атеист холостяк вдова вдовец сирота близнец ребенок ребёнок подросток взрослый друг подруга
    враг гость хозяин хозяйка жилец сосед соседка участник участница победитель победительница свидетель пассажир клиент
    покупатель курильщик трезвенник молодец дурак дура идиот идиотка лентяй лентяйка соня растяпа неудачник счастливчик
    умница бестолочь пациент должник владелец владелица телец дева лев овен рак козерог водолей скорпион стрелец весы рыбы
    """.split()
)
