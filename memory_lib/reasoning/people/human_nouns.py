"""Which nouns name a human being (pure): Russian by its animacy without the animals, English by a list and by the ending."""

# ruff: noqa: PLR0911 - rules of language are lists of cases
# ruff: noqa: E501 - word lists read best on long lines
from __future__ import annotations

from memory_lib.reasoning.trees.sentence_tree import SentenceTree
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.pet_words import PETS
from memory_lib.reasoning.words.role_words import ROLES

ANIMALS = PETS | frozenset(
    """
    animal bird fish horse cow pig goat sheep hen chicken rooster duck goose bee wasp ant spider fly mosquito mouse rat fox wolf
    bear deer moose squirrel hedgehog pigeon crow seagull frog toad snail worm puppy calf foal lamb pony donkey mule bull ox
    tortoise tadpole parrot canary budgie hound terrier spaniel retriever greyhound mutt kitty tomcat stallion mare
    животное зверь птица рыба рыбка лошадь конь кобыла корова бык телёнок теленок свинья поросёнок поросенок коза козёл козел
    овца баран курица петух цыплёнок цыпленок утка гусь индюк пчела оса муравей паук муха комар мышь крыса лиса лисица волк
    медведь олень лось белка ёж еж голубь ворона чайка лягушка жаба улитка червь щенок жеребёнок ягнёнок пони осёл осел питомец
    тигр лев слон обезьяна заяц кабан змея акула кит дельфин рак краб таракан клещ клоп бабочка синица воробей сорока ворон канарейка
    терьер спаниель пудель дворняга дворняжка мопс хаски такса морская_свинка крыса шиншилла кобель сука кошак рой пчёлка труп
    робот бот персонаж герой вирус микроб кукла снеговик туз король ферзь покойник мертвец
    """.split()
)
"""Animate, but no human beings."""

_PEOPLE = frozenset(
    """
    gran nan nanna granddad gramps granny grandfather grandmother mother father mum mom dad sister brother son daughter wife husband
    man woman boy girl guy lad lass lady gentleman bloke dude chap fellow person human adult teen teenager kid child baby infant
    toddler orphan widow widower bride groom bridesmaid twin triplet sibling stepson stepdaughter stepmother stepfather stepdad
    stepmum stepmom stepbrother stepsister godmother godfather godson goddaughter grandson granddaughter grandchild grandkid
    grandparent grandpa grandma great-grandmother great-grandfather in-law brother-in-law sister-in-law son-in-law daughter-in-law
    mother-in-law father-in-law spouse fiance fiancee boyfriend girlfriend ex-husband ex-wife ex lover mistress crush date
    relative relation ancestor descendant heir cousin niece nephew aunt uncle friend mate buddy pal bestie acquaintance stranger
    rival enemy neighbour neighbor roommate flatmate housemate lodger tenant landlord landlady host guest visitor
    colleague coworker co-worker workmate teammate classmate schoolmate groupmate bandmate boss chief supervisor subordinate
    employee employer intern trainee apprentice assistant deputy successor predecessor mentor mentee protege pupil student
    undergraduate freshman sophomore graduate alumnus professor lecturer dean principal headmaster tutor coach trainer referee
    umpire captain player striker goalkeeper athlete runner cyclist swimmer boxer wrestler fan spectator audience
    doctor nurse surgeon gp medic paramedic midwife dentist vet optician pharmacist physio physiotherapist therapist shrink
    psychiatrist psychologist counsellor counselor carer caregiver patient client customer passenger commuter caller reader
    lawyer solicitor barrister attorney judge juror clerk notary cop policeman policewoman officer detective sheriff guard warden
    soldier sergeant lieutenant colonel general admiral sailor pilot astronaut steward stewardess
    priest vicar pastor rabbi imam monk nun bishop deacon chaplain pope minister mayor president senator councillor politician
    king queen prince princess duke duchess lord knight
    chef cook baker butcher waiter waitress barista barman barmaid bartender sommelier farmer shepherd fisherman gardener
    carpenter plumber electrician mechanic welder builder bricklayer roofer painter decorator joiner tailor cobbler
    blacksmith locksmith driver courier postman mailman milkman dustman cleaner janitor caretaker porter concierge
    engineer scientist physicist chemist biologist researcher programmer developer coder designer architect surveyor analyst
    accountant bookkeeper auditor banker broker trader agent realtor salesman saleswoman cashier manager director producer
    editor journalist reporter writer author poet novelist translator interpreter librarian archivist curator
    actor actress dancer singer musician drummer guitarist pianist violinist cellist conductor composer comedian clown magician
    artist sculptor photographer model filmmaker cameraman stuntman
    babysitter nanny au-pair childminder housekeeper maid butler gardener handyman plasterer gilder stockman
    volunteer activist refugee immigrant migrant expat foreigner tourist hitchhiker hiker climber diver
    thief burglar robber killer murderer victim witness suspect prisoner inmate hostage
    beginner expert genius idiot fool liar bully hero celebrity star influencer blogger vegan vegetarian smoker drunk alcoholic
    addict introvert extrovert colleague counterpart superior partner companion donor recipient candidate applicant interviewer
    organiser organizer owner founder investor shareholder member chairman chairwoman chair head lead
    somebody someone nobody everybody everyone anybody anyone folk folks people parent parents family crowd team crew staff
    german frenchman italian spaniard pole russian ukrainian american canadian scot irishman englishman arbiter foreman
    """.split()
)
_THINGS_IN_ER = frozenset(
    """
    computer printer dinner number letter paper weather order shoulder finger offer laptop tower power river water winter summer
    november december september october matter corner paper center counter shower sweater jumper trailer charger fever cancer ulcer
    supper water butter pepper ginger leather feather border folder drawer cover roller cooker toaster mixer blender scooter
    tractor motor sensor monitor mirror door floor color colour flavor flavour error factor sector doctor's elevator calculator
    refrigerator radiator generator author's visitor's list mist twist fist wrist chest test guest's rest east west dentist's
    poster trailer newsletter theater quarter meter litre character layer buffer server router adapter adaptor filter heater boiler
    dryer washer freezer cooler container planner timer alarm reminder disorder chapter register answer manner anger danger wonder
    thunder cluster disaster adventure user's career beer ear year tear gear deer fear bar car star sugar calendar seminar guitar
    dollar collar cellar grammar semester whisper tumor tumour rumor rumour humor humour labor labour favor favour tutor's terror horror
    """.split()
)
_ENDINGS = ("er", "or", "ist", "man", "woman", "men", "women", "mate", "eer", "ess", "ian")
_SHORTEST = 5
_NO_ENDINGS = ("ometer", "ness", "less", "cess", "ress", "tion", "ware")


def is_human(tree: SentenceTree, index: int) -> bool:
    """Whether that noun names a human being, or several; a name counts where the dictionary knows it for a person's."""
    token = tree[index]
    lemma, word = token.lemma, token.text.lower()
    if token.pos not in {"NOUN", "PROPN", "ADJ"}:
        return False
    if lemma in ANIMALS or word in ANIMALS:
        return False
    if tree.sentence.language == "ru":
        if token.pos == "ADJ":
            return lemma in RELATIONS
        named = token.features.get("NameType") in {"given", "patronymic", "family"}
        return token.features.get("Animacy") == "Anim" or lemma in RELATIONS or lemma in ROLES or named
    if token.pos != "NOUN":
        return False
    if lemma in RELATIONS or lemma in ROLES or lemma in _PEOPLE or word in _PEOPLE:
        return True
    tail = lemma.rpartition("-")[2]
    if tail in RELATIONS or tail in ROLES or tail in _PEOPLE:
        return True
    return (
        len(lemma) > _SHORTEST and lemma.endswith(_ENDINGS) and not lemma.endswith(_NO_ENDINGS) and lemma not in _THINGS_IN_ER
    )
