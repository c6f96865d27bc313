"""Short and tender forms of given names, each with the full names it may stand for, in both languages.

A form may stand for several ("Саша": Александр or Александра; "Alex"); whoever compares two names asks whether the sets meet.
"""

# ruff: noqa: E501 - word lists read best on long lines
from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

_RUSSIAN = """
Екатерина: катя катюша катька катерина катенька катюха
Мария: маша машка машенька маруся маня муся мари машуня
Анна: аня анька анечка анюта нюра аннушка нюша анютка
Елена: лена ленка леночка алена алёна ленуся
Ольга: оля олечка олька ольгуша лёля
Наталья: наташа натаха наташка ната натали наталия
Ирина: ира ирка ирочка ириша
Татьяна: таня танюша танька танечка тата
Светлана: света светка светочка лана
Юлия: юля юлька юлечка юленька
Дарья: даша дашка дашенька дарина
Анастасия: настя настенька настюша настька ася стася
Елизавета: лиза лизка лизонька лизавета
Ксения: ксюша ксюха ксюня оксана
Полина: поля полинка полинушка
Людмила: люда людочка люся мила людка
Галина: галя галка галочка
Надежда: надя надюша надька наденька
Любовь: люба любаша любочка
Вера: верочка верка веруня
София: соня софа софья сонечка сонька
Александра: саша сашенька шура сашка саня алекса аля
Александр: саша сашка саня шура сашок санек санёк алекс шурик
Евгений: женя женька женечка жека
Евгения: женя женька женечка
Валентина: валя валюша валька
Валентин: валя валька
Валерий: валера валерка
Валерия: лера лерочка лерка валера
Виктория: вика викуся викуля викочка
Виктор: витя витька витек витёк
Маргарита: рита ритка марго риточка
Кристина: кристя кристинка крис
Вероника: ника вероничка
Алина: алинка алиночка
Алиса: алиска
Лариса: лара лариска
Раиса: рая райка
Зинаида: зина зинка
Тамара: тома томка
Нина: ниночка нинка
Зоя: зойка зоенька
Лидия: лида лидочка
Антонина: тоня тонечка тося
Евдокия: дуся дуня
Клавдия: клава клавочка
Варвара: варя варенька варька
Василиса: вася васька василиска
Ульяна: уля ульянка
Диана: дианка ди
Марина: маринка мариша марина
Регина: регинка
Эльвира: эля эльвирка
Альбина: аля альбинка
Гульнара: гуля гулечка
Дмитрий: дима димка димон митя димочка димуля
Алексей: леша лёша алеша алёша леха лёха лешка лёшка алёшка алёха
Сергей: сережа серёжа серега серёга сережка серёжка серый
Иван: ваня ванька ванечка ванюша ванек
Михаил: миша мишка мишаня миха мишутка
Николай: коля колька колян николаша
Андрей: андрюша андрюха андрейка дрюня
Павел: паша пашка павлик пашенька пашок
Владимир: вова вовка володя вован вовочка
Владислав: влад владик слава
Вячеслав: слава славик
Святослав: слава свят
Станислав: стас стасик слава
Ярослав: ярик слава
Пётр: петя петька петруха петруша петр
Роман: рома ромка ромашка ромчик
Юрий: юра юрка юрик юрец
Константин: костя костик костян
Антон: антоша тоха антошка
Максим: макс максимка
Игорь: игорек игорёк гоша
Георгий: жора гоша гога георг
Егор: егорка егорушка
Григорий: гриша гришка гриня
Фёдор: федя федька федор
Василий: вася васька васек
Борис: боря борька
Илья: илюша илюха ильюша
Артём: тема тёма артемка артёмка артем артемий
Виталий: виталик виталя
Олег: олежка олежек олежка
Денис: дениска дэн ден
Никита: никитка никитос
Тимур: тимурка тимка
Тимофей: тима тимоша тимка тимоха
Кирилл: кирюша кирюха кир
Степан: степа стёпа степка стёпка
Леонид: леня лёня ленька лёнька
Анатолий: толя толик толян
Геннадий: гена генка геша
Евграф: граф
Аркадий: аркаша
Эдуард: эдик эд
Руслан: русик рус русланчик
Рустам: рустик
Матвей: мотя матвейка
Захар: захарка
Семён: сема сёма сеня семен
Даниил: даня данила данил данька данилка
Глеб: глебушка
Лев: лева лёва левушка
Арсений: сеня арсюша арс
Марк: маркуша
Филипп: филя
Яков: яша
Савелий: сава савва
Вадим: вадик вадя
Ринат: ренат
Ильдар: ильдарчик
Всеволод: сева
Ростислав: ростик слава
Родион: родя
Герман: гера
"""
_ENGLISH = """
Robert: bob rob bobby robbie bert
William: will bill billy willy liam
Richard: rick dick rich richie ricky
James: jim jimmy jamie jem
John: jack johnny jon
Jonathan: jon jonny nathan
Michael: mike mick mickey mikey
Thomas: tom tommy
Joseph: joe joey
Charles: charlie chuck chaz
Edward: ed eddie ted teddy ned
Edmund: ed ted
Theodore: theo ted teddy
Daniel: dan danny
David: dave davy
Matthew: matt matty
Andrew: andy drew
Anthony: tony ant
Christopher: chris kit topher
Christine: chris chrissie tina
Christina: chris tina chrissy
Nicholas: nick nicky nico
Nicole: nicky nikki
Patrick: pat paddy
Patricia: pat patty trish tricia
Samuel: sam sammy
Samantha: sam sammy
Benjamin: ben benny benji
Alexander: alex al sandy xander alec sasha
Alexandra: alex sandy lexi sandra sasha allie
Alexis: alex lexi
Albert: al bert bertie
Alfred: al alf alfie fred
Frederick: fred freddie
Frances: fran frankie francie
Francis: frank frankie
Gregory: greg
Jeffrey: jeff
Geoffrey: geoff jeff
Gerald: gerry jerry
Jeremy: jerry jez
Lawrence: larry laurie
Leonard: len lenny leo
Leonardo: leo
Raymond: ray
Ronald: ron ronnie
Stephen: steve stevie
Steven: steve stevie
Stephanie: steph stephie
Timothy: tim timmy
Vincent: vince vinny
Zachary: zach zack
Peter: pete
Philip: phil pip
Kenneth: ken kenny
Henry: harry hal hank
Harold: harry hal
Harriet: hattie harri
Elizabeth: liz lizzie beth betty eliza libby bess ellie lisa betsy elsie lily elspeth
Elisabeth: lisl liz lisbeth lisa
Katherine: kate katie kathy kat kitty kath kay
Catherine: cathy kate cat katie cath
Kathleen: kath kathy kathleen
Margaret: maggie peggy meg megan madge greta marge margie peg daisy
Mary: molly polly may
Anne: annie nan nancy
Anna: annie anya
Susan: sue susie suzy
Susannah: sue suzy
Deborah: deb debbie
Rebecca: becky becca bex
Jennifer: jen jenny jenn
Jessica: jess jessie
Victoria: vicky tori vic
Barbara: barb babs
Dorothy: dot dottie dolly
Eleanor: ellie nell nora ella
Gwendolyn: gwen
Gwenllian: gwen
Isabella: bella izzy isa
Isabel: izzy bel
Jacqueline: jackie
Josephine: jo josie
Joanna: jo joey
Judith: judy jude
Julia: jules julie
Kimberly: kim
Lucille: lucy
Lucinda: lucy cindy
Madeleine: maddie
Matilda: tilly mattie
Millicent: millie
Natalie: nat
Penelope: penny nell
Philippa: pip pippa
Rosemary: rosie rose
Sarah: sally sal
Theresa: terry tess tessa
Terence: terry
Valerie: val
Veronica: ronnie vera
Virginia: ginny ginger
Winifred: winnie freda
Abigail: abby gail
Amanda: mandy
Angela: angie
Caroline: carrie caro
Charlotte: charlie lottie
Cynthia: cindy
Evelyn: evie
Florence: flo florrie
Georgina: georgie gina
Genevieve: gen evie
Melanie: mel
Melissa: mel lissa
Michelle: shelly
Dominic: dom
Maximilian: max
Maxwell: max
Oliver: ollie
Olivia: liv livvy
Tobias: toby
Nathaniel: nate nat
Bartholomew: bart
Augustus: gus
Angus: gus
Douglas: doug
Donald: don donnie
Desmond: des
Malcolm: mal
Roderick: rod roddy
Walter: walt wally
Wilfred: wilf fred
"""


def _forms() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = defaultdict(set)
    for row in (_RUSSIAN + _ENGLISH).strip().splitlines():
        full, _, forms = row.partition(":")
        table[_fold(full)].add(full)
        for form in forms.split():
            table[_fold(form)].add(full)
    return {form: frozenset(fulls) for form, fulls in table.items()}


def _fold(name: str) -> str:
    return name.casefold().replace("ё", "е")


_FORMS: Mapping[str, frozenset[str]] = _forms()
_FEMALE_ENDINGS = ("а", "я", "ь")
_MALE_IN_A = frozenset({"Никита", "Илья", "Данила"})


def full_names(form: str, *, gender: str = "n") -> tuple[str, ...]:
    """The full names that a form may stand for, those of that gender (``m``, ``f``; ``n``: any) if there are such; () if unknown."""
    known = _FORMS.get(_fold(form), frozenset())
    fitting = [name for name in known if gender == "n" or _gender_of(name) in {gender, "n"}]
    return tuple(sorted(fitting or known))


def is_given_name(word: str) -> bool:
    """Whether the tables know that word as a given name or a form of one."""
    return _fold(word) in _FORMS


def _gender_of(name: str) -> str:
    if not "А" <= name[0] <= "я":
        return "n"
    return "f" if name.endswith(_FEMALE_ENDINGS) and name not in _MALE_IN_A and name != "Игорь" else "m"
