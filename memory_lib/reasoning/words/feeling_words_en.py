"""English words of feeling by valence and intensity (sign = valence, size = intensity 0..1). Lemmas."""

# ruff: noqa: E501 - word lists read best on long lines
from __future__ import annotations

from collections.abc import Mapping


def _table(*rows: tuple[float, str]) -> Mapping[str, float]:
    return {word: value for value, words in rows for word in words.split()}


STATES: Mapping[str, float] = _table(
    (0.9, "thrilled ecstatic overjoyed elated euphoric exhilarated jubilant blissful giddy"),
    (0.7, "happy excited delighted proud joyful stoked pumped grateful thankful blessed psyched chuffed enchanted inspired touched moved smitten honoured honored overjoyed hyped"),
    (0.5, "glad relieved hopeful calm content contented pleased cheerful optimistic comfortable peaceful motivated relaxed confident upbeat cheery energised energized encouraged amused reassured satisfied fulfilled happier calmer prouder flattered chipper serene refreshed rested merry"),
    (-0.4, "confused awkward puzzled unsure hesitant surprised flustered torn conflicted wistful nostalgic"),
    (-0.5, "tired bored nervous uneasy homesick embarrassed unmotivated drained restless insecure weary jittery self-conscious moody grumpy cranky gloomy glum tense apprehensive envious regretful blah meh listless sorry uncomfortable knackered deflated flat"),
    (-0.6, "sad upset angry mad annoyed irritated frustrated anxious worried scared afraid stressed lonely disappointed hurt ashamed guilty jealous unhappy exhausted overwhelmed discouraged disheartened bummed frightened dismayed resentful bitter cross troubled distressed rattled shaken spooked low down downhearted dejected despondent demoralised demoralized dispirited isolated unappreciated offended insulted unloved unwanted rejected betrayed heartsick sadder lonelier angrier miffed livid peeved irate disgusted appalled gutted shattered pissed terrible awful rotten crappy lousy horrible frazzled paranoid petrified inadequate useless worthless"),
    (-0.8, "furious terrified devastated heartbroken depressed miserable hopeless crushed desperate horrified enraged outraged seething mortified humiliated distraught wretched despairing inconsolable broken bereft traumatised traumatized panicked panicky suicidal"),
)  # fmt: skip
"""What one is or feels: adjectives and participles."""

OWN_VERBS: Mapping[str, float] = _table(
    (0.7, "rejoice adore treasure relish celebrate"),
    (0.5, "enjoy appreciate unwind"),
    (-0.5, "miss regret envy fret"),
    (-0.6, "worry fear mourn grieve resent stress despair sulk brood ache panic agonise agonize"),
    (-0.8, "hate dread loathe detest despise"),
)  # fmt: skip
"""Verbs whose subject feels."""

DONE_VERBS: Mapping[str, float] = _table(
    (0.7, "delight thrill excite inspire overjoy enchant"),
    (0.6, "cheer comfort reassure amuse uplift touch encourage console soothe please relieve calm energise energize flatter"),
    (-0.4, "puzzle unnerve confuse"),
    (-0.6, "worry scare upset annoy hurt depress stress exhaust drain frustrate irritate bug bother overwhelm unsettle intimidate humiliate embarrass disappoint offend exasperate sadden distress discourage dishearten demoralise demoralize shame insult trouble alarm haunt daunt pain irk tire rattle spook crush"),
    (-0.7, "infuriate enrage terrify frighten freak devastate horrify anger madden petrify disgust appal appall sicken torment shatter gut kill"),
)  # fmt: skip
"""Verbs whose object feels ("it worries me")."""

NOUNS: Mapping[str, float] = _table(
    (0.9, "euphoria bliss ecstasy elation"),
    (0.7, "joy happiness pride excitement delight gratitude"),
    (0.5, "relief hope calm contentment comfort peace satisfaction"),
    (-0.5, "boredom nerves embarrassment unease guilt regret envy fatigue exhaustion homesickness awkwardness restlessness jitters"),
    (-0.6, "sadness anxiety worry fear stress anger frustration disappointment loneliness shame jealousy hurt pain resentment irritation apprehension bitterness emptiness burnout disgust nervousness"),
    (-0.8, "dread panic grief despair heartbreak rage fury terror horror misery hatred agony depression"),
)  # fmt: skip
"""Names of feelings; a person's state only as "I feel …", "full of …", "such a …", "my …"."""
