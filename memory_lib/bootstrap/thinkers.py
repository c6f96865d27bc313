"""Who reads messages and answers questions: the rules, or a model with the rules behind it."""

from __future__ import annotations

from memory_lib.adapters.heads.shipped import shipped_worth_model
from memory_lib.adapters.llm.asking import ModelThinker
from memory_lib.adapters.llm.model_reasoner import ModelReasoner
from memory_lib.adapters.llm.openai_client import OpenAIModel
from memory_lib.adapters.llm.placement_judge import ModelPlacementJudge
from memory_lib.errors import DependencyDown
from memory_lib.ports.clock import Clock
from memory_lib.ports.ledger import ModelBook
from memory_lib.ports.parser import Parser
from memory_lib.ports.placement_judge import PlacementJudge
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.thinker import Thinker
from memory_lib.reasoning.extraction.offline_reasoner import OfflineReasoner
from memory_lib.reasoning.jobs.job import OfflineThinker
from memory_lib.reasoning.judging.heads import WorthModel
from memory_lib.settings import Settings


def thinker_of(settings: Settings, book: ModelBook, clock: Clock) -> Thinker:
    """Who does the jobs: the model that the settings name, with the rules behind it, or the rules alone."""
    if settings.model.base_url is None:
        return OfflineThinker()
    model = OpenAIModel(settings.model)
    return ModelThinker(model, book, clock, params=settings.model, budget=settings.model_budget)


def judge_of(settings: Settings, thinker: Thinker) -> PlacementJudge | None:
    """Who is asked about open placements: the model, where that is wanted."""
    if isinstance(thinker, OfflineThinker) or not settings.model.places:
        return None
    return ModelPlacementJudge(thinker, params=settings.jobs.place)


def _worth() -> WorthModel | None:
    """The judge of worth; where its file is missing everything is worth remembering."""
    try:
        return shipped_worth_model()
    except DependencyDown:
        return None


def reasoner_of(settings: Settings, parser: Parser, thinker: Thinker) -> Reasoner:
    """Who reads messages: the same."""
    offline = OfflineReasoner(params=settings.mentions, parser_version=parser.version, worth=_worth())
    if isinstance(thinker, OfflineThinker):
        return offline
    return ModelReasoner(thinker, offline, params=settings.mentions, characters=settings.model.characters)
