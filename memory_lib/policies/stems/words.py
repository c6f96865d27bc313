"""Words that say nothing by themselves, and words that a suffix stemmer cannot bring together. Own lists, both languages."""

from __future__ import annotations

STOP_ENGLISH = frozenset(
    """
    a about above after again against all also am an and any are as at be because been before being below between both but
    by can cannot could did do does doing done down during each either else ever every few for from further get gets getting
    got had has have having he her here hers herself him himself his i if in into is it its itself just let lets like made
    make many me might mine more most much must my myself neither no nor not now of off oh ok okay on once one only or other
    our ours ourselves out over own please quite rather really same she should since so some such than that the their theirs
    them themselves then there these they thing things this those through to too under until up upon us very was we well
    were while will with within without would yeah yes yet you your yours yourself yourselves
    """.split()
)

STOP_RUSSIAN = frozenset(
    """
    а ага без более больше будем будет будешь буду будут бы был была были было быть в вам вами вас ваш ваша ваше ваши вдруг
    ведь весь во вот впрочем все всегда всего всей всем всеми всему всех всю вся вы да даже для до его ее ей ему если есть
    еще ею же за и из или им ими их к каждый ко ли либо лишь меня мне мной мною мое моего моей моем моему моею мои моим
    моими моих мой мою моя мы на над нам нами нас наш наша наше наши него нее ней нем нему нет ни нибудь ним ними них но ну
    о об однако ок он она они оно от очень по под пожалуйста после потом потому почти при про просто раз с сам сама сами
    само самого самой самом самому свое своего своей своем своему свои своим своими своих свой свою своя себе себя со собой
    та так такая также таки такие такое такой там твое твоего твоей твои твоих твой твою твоя те тебе тебя тем теми тех то
    тобой тогда того тоже той только том тому тот тою ту тут ты у угу уж уже хотя чтоб чтобы чуть эта эти этим этими этих
    это этого этой этом этому этот эту я
    """.split()
)

QUESTION_ENGLISH = frozenset(
    """
    how kind kinds long often sort sorts type types what when where which who whom whose why
    """.split()
)
"""What a question is asked with: it is never found in the answer."""

QUESTION_RUSSIAN = frozenset(
    """
    вид вида виды где долго зачем как какая какие каким какими каких какого какое какой каком какому какую кем когда кого
    ком кому которая которого которое которой которому которые который которым которых кто куда насколько откуда отчего
    почему скольких сколько тип типа типы часто чего чей чем чему что чье чьи чья
    """.split()
)

_PAIRS = """
    became:become began:begin begun:begin bent:bend bit:bite bitten:bite blew:blow blown:blow bought:buy broke:break
    broken:break brought:bring built:build burnt:burn came:come caught:catch chose:choose chosen:choose dealt:deal
    drank:drink drunk:drink drawn:draw drew:draw driven:drive drove:drive dug:dig dreamt:dream eaten:eat ate:eat fallen:fall
    fell:fall fed:feed felt:feel fled:flee flew:fly flown:fly forgave:forgive forgot:forget forgotten:forget fought:fight
    found:find froze:freeze frozen:freeze gave:give given:give gone:go went:go grew:grow grown:grow heard:hear held:hold
    hid:hide hidden:hide hung:hang kept:keep knew:know known:know laid:lay learnt:learn led:lead left:leave lent:lend
    lost:lose meant:mean met:meet paid:pay ran:run rang:ring rung:ring ridden:ride rode:ride risen:rise rose:rise said:say
    sang:sing sung:sing sat:sit saw:see seen:see sent:send shaken:shake shook:shake shone:shine shot:shoot shown:show
    slept:sleep sold:sell sought:seek spent:spend spoke:speak spoken:speak stole:steal stolen:steal stood:stand
    struck:strike stuck:stick swam:swim swum:swim swore:swear swept:sweep taken:take took:take taught:teach tore:tear
    torn:tear thought:think threw:throw thrown:throw told:tell understood:understand woke:wake woken:wake won:win wore:wear
    worn:wear wrote:write written:write children:child feet:foot geese:goose men:man mice:mouse teeth:tooth women:woman
    wives:wife knives:knife шел:идти шла:идти шли:идти шло:идти иду:идти идет:идти идем:идти идут:идти идешь:идти
    пошел:пойти пошла:пойти пошли:пойти пойду:пойти пойдет:пойти пойдем:пойти пойдут:пойти пришел:прийти пришла:прийти
    пришли:прийти приду:прийти придет:прийти ушел:уйти ушла:уйти ушли:уйти уйду:уйти уйдет:уйти нашел:найти нашла:найти
    нашли:найти найду:найти найдет:найти еду:ехать едет:ехать едем:ехать едут:ехать поеду:поехать поедет:поехать
    поедем:поехать люди:человек людей:человек людям:человек людьми:человек людях:человек дети:ребенок детей:ребенок
    детям:ребенок детьми:ребенок детях:ребенок ребенка:ребенок ребенку:ребенок ребенком:ребенок дочери:дочь дочерью:дочь
    матери:мать матерью:мать сына:сын сыном:сын сыну:сын сыновья:сын отца:отец отцу:отец отцом:отец пса:пес псу:пес псом:пес
    день:день дня:день дню:день днем:день дни:день дней:день лет:год года:год году:год годы:год сон:сон сна:сон сны:сон
    """

IRREGULAR = dict(pair.split(":") for pair in _PAIRS.split())
"""The word as said → the word that is stemmed in its place."""
