"""Animals people keep, Russian and English lemmas."""

from __future__ import annotations

PETS = frozenset(
    """
    cat kitten dog puppy parrot hamster rabbit bunny turtle pup doggo beagle labrador corgi poodle lizard snake ferret
    goldfish gecko кот кошка котенок котёнок собака щенок пес пёс попугай попугайчик хомяк хомячок кролик черепаха такса
    лабрадор корги овчарка
    """.split()
)
