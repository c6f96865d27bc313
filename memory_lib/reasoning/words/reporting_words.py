"""Verbs by which a claim becomes somebody's: of saying, of opinion, of hearsay. English and Russian lemmas."""

from __future__ import annotations

SAYING = frozenset(
    """
    say tell claim report mention announce insist swear argue complain explain suggest state declare warn promise assure
    remind confess admit whisper shout yell joke deny predict estimate reply answer add repeat write post text quote note
    remark hint brag boast gossip rumour rumor allege maintain testify comment moan grumble mutter call ask recommend advise
    сказать говорить рассказать рассказывать сообщить сообщать написать писать обещать пообещать утверждать заявить заявлять
    уверять уверить заверить заверять настаивать жаловаться пожаловаться твердить доказывать намекать намекнуть хвастаться
    хвалиться клясться поклясться признаться признаваться объяснить объяснять объявить объявлять предупредить предупреждать
    предсказать ворчать бубнить повторять повторить ответить отвечать добавить кричать крикнуть шептать шепнуть шутить
    пошутить советовать посоветовать рекомендовать обвинять обвинить упрекать болтать судачить трубить ляпнуть заметить
    передать отметить подтвердить напомнить спросить спрашивать просить цитировать любить_повторять пожаловаться поделиться
    """.split()
)
"""Of saying: what follows is the sayer's claim."""

OPINION = frozenset(
    """
    think believe reckon suppose guess assume suspect feel consider figure imagine find fear hope doubt know decide conclude
    think_of
    думать подумать считать полагать верить решить бояться подозревать находить предполагать надеяться уверен уверенный
    убежден убеждён убежденный казаться сомневаться счесть воображать
    """.split()
)
"""Of opinion: with somebody else as the subject, what follows is their view."""

HEARSAY = frozenset("hear read overhear слышать услышать прочитать прочесть читать вычитать".split())
"""Of hearsay: even with the speaker as the subject, what follows is somebody else's claim."""
