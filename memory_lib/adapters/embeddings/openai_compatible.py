"""Any server with OpenAI's ``/embeddings``: TEI, vLLM, llama.cpp, or the company's own.

What a server says is checked before it becomes a vector: order by ``index``, size, finite numbers, a length. A text whose
answer is none is asked for alone once more; where that fails too the call ends in ``UnusableVector``, and whoever called has
the other texts' vectors by asking for each (``embedded_apart``). A server that is away, refuses, or speaks otherwise ends the
call in ``DependencyDown``, and is not asked again for a moment, so that recall does not wait for it message after message.
Texts go into requests and nowhere else: no exception and no log line of ours has one, and the client's debug log is kept off.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.embeddings.fitted_mean import FittedMean
from memory_lib.adapters.embeddings.params import EmbeddingsServerParams
from memory_lib.adapters.embeddings.prepared_text import prepared
from memory_lib.errors import DependencyDown, MissingExtra, UnknownSetting, UnusableVector

if TYPE_CHECKING:
    from openai import OpenAI

EXTRA = "llm"
PART = "embedder"
_NOTHING = "."
"""Stands for a text without a word: many servers refuse an empty one."""
_OF_THE_TEXT = {400, 413, 422}
"""Refusals that may be about one text among many: too long, an odd character."""
_LARGEST = 1e30
"""Whatever is longer, or infinite, or not a number, no model means."""
_FOR_THE_MOMENT = {408, 409, 425, 429}


class OpenAiCompatibleEmbedder:
    """Implements ``Embedder`` over HTTP. Connects when it is first asked; may be shared between threads.

    ``count``: counts a text's tokens (CONTRACTS: the default embedder's tokenizer whatever the embedder). ``means``: folder of
    the fitted mean.

    Raises:
        UnknownSetting: url, model or dimension is missing.
    """

    def __init__(
        self,
        *,
        params: EmbeddingsServerParams,
        max_characters: int,
        count: Callable[[str], int],
        means: Path,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not params.url or not params.model or not params.dimension:
            raise UnknownSetting(
                "embedder=openai needs embeddings_server.url, embeddings_server.model and embeddings_server.dimension"
            )
        self._params = params
        self._dimension = params.dimension
        self._max_characters = max_characters
        self._count = count
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self._down: DependencyDown | None = None
        self._down_until = 0.0
        prefix = f"/{hashlib.sha256(params.prefix.encode()).hexdigest()[:8]}" if params.prefix else ""
        revision = f"@{params.revision}" if params.revision else ""
        self._fingerprint = f"openai/{params.model}{revision}/{params.dimension}{prefix}"[:200]
        self._mean = FittedMean(means, fingerprint=self._fingerprint, dimension=self._dimension)

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def mean(self) -> NDArray[np.float32]:
        return self._mean.get(self.embed)

    def count_tokens(self, text: str) -> int:
        return self._count(text)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the port. Each request has at most ``batch`` texts, each cut to ``max_characters``."""
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        wrong: dict[int, str] = {}
        for start in range(0, len(texts), self._params.batch):
            batch = [self._sent(text) for text in texts[start : start + self._params.batch]]
            for place, found in enumerate(self._several(batch)):
                if isinstance(found, str):
                    wrong[start + place] = found
                else:
                    vectors[start + place] = found
        if wrong:
            place, reason = next(iter(wrong.items()))
            raise UnusableVector(
                PART, f"the server has no usable vector for {len(wrong)} of {len(texts)} texts (number {place}: {reason})"
            )
        return vectors

    def _sent(self, text: str) -> str:
        cut = prepared(text, max_characters=self._max_characters)
        return self._params.prefix + (cut if cut.strip() else _NOTHING)

    def _several(self, batch: Sequence[str]) -> list[NDArray[np.float32] | str]:
        """Each text's vector, or why it has none: what went wrong among others is asked for alone."""
        found = self._asked(batch)
        if len(batch) == 1:
            return found
        return [self._asked([text])[0] if isinstance(each, str) else each for text, each in zip(batch, found, strict=True)]

    def _asked(self, batch: Sequence[str]) -> list[NDArray[np.float32] | str]:
        answer = self._answer(batch)
        if isinstance(answer, str):
            return [answer] * len(batch)
        found: list[NDArray[np.float32] | str] = ["it is missing in the answer"] * len(batch)
        seen: set[int] = set()
        for item in answer:
            place = item.get("index") if isinstance(item, Mapping) else None
            if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(batch):
                raise self._unreadable("an item without a place among the texts")
            found[place] = "it comes twice in the answer" if place in seen else _vector(item.get("embedding"), self._dimension)
            seen.add(place)
        return found

    # -- asking -------------------------------------------------------------------------

    def _answer(self, batch: Sequence[str]) -> list[Any] | str:
        """The items of the answer, or why the server refused these texts.

        Raises:
            DependencyDown: no answer within the tries, a refusal for good, or an answer of another shape.
        """
        with self._lock:
            if self._down is not None and self._clock() < self._down_until:
                raise DependencyDown(self._down.part, self._down.reason)
        client = self._connected()
        import openai  # noqa: PLC0415 - an extra, there by now

        wait, reason = self._params.retry_wait_s, "the server was not asked"
        for left in range(self._params.tries - 1, -1, -1):
            asked: float | None = None
            try:
                return self._items(client, batch)
            except openai.APIStatusError as error:
                status = int(error.status_code)
                reason = f"the server answered {status}"
                if status in _OF_THE_TEXT:
                    return f"refused with {status}"
                if status not in _FOR_THE_MOMENT and status < 500:
                    break
                asked = _asked_to_wait(error.response.headers.get("retry-after"))
            except openai.APITimeoutError:
                reason = f"the server did not answer within {self._params.timeout_s:g} s"
            except openai.APIConnectionError:
                reason = "the server cannot be reached"
            pause = wait if asked is None else asked
            if not left or pause > self._params.longest_wait_s:
                break
            self._sleep(pause)
            wait *= 2
        raise self._unavailable(reason)

    def _items(self, client: OpenAI, batch: Sequence[str]) -> list[Any]:
        # raw: the client's own reading of vectors believes what it is sent
        response = client.embeddings.with_raw_response.create(
            model=str(self._params.model), input=list(batch), encoding_format=self._params.encoding.value
        )
        try:
            items = json.loads(response.content)["data"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self._unreadable("no JSON object with data") from None
        if not isinstance(items, list):
            raise self._unreadable("data that is no list")
        return items

    def _connected(self) -> OpenAI:
        with self._lock:
            if self._client is None:
                try:
                    from openai import OpenAI  # noqa: PLC0415 - an extra
                except ImportError:
                    raise DependencyDown(PART, str(MissingExtra("openai", EXTRA))) from None
                # its debug log prints whole requests, and those are what people said
                logging.getLogger("openai").setLevel(logging.INFO)
                key = self._params.api_key
                self._client = OpenAI(
                    base_url=self._params.url,
                    # never the key of another server, which the client would take from the environment
                    api_key="none" if key is None else key.get_secret_value(),
                    timeout=self._params.timeout_s,
                    max_retries=0,
                )
            return self._client

    def _unreadable(self, what: str) -> DependencyDown:
        return self._unavailable(f"the server's answer is not OpenAI's: {what}")

    def _unavailable(self, reason: str) -> DependencyDown:
        with self._lock:
            self._down, self._down_until = DependencyDown(PART, reason), self._clock() + self._params.pause_s
            return self._down


def _vector(given: object, dimension: int) -> NDArray[np.float32] | str:
    """A unit vector, or why there is none."""
    try:
        if isinstance(given, str):
            values = np.frombuffer(base64.b64decode(given, validate=True), dtype="<f4").astype(np.float64)
        elif isinstance(given, list):
            values = np.array(given, np.float64)
        else:
            return "null" if given is None else "no list of numbers"
    except (ValueError, TypeError, OverflowError, binascii.Error):
        return "no list of numbers"
    if values.shape != (dimension,):
        return f"{values.size} numbers instead of {dimension}"
    if not (np.abs(values) < _LARGEST).all():
        return "not a number inside"
    length = float(np.linalg.norm(values))
    if length < 1e-6:
        return "all zeros"
    unit: NDArray[np.float32] = (values / length).astype(np.float32)
    return unit


def _asked_to_wait(header: str | None) -> float | None:
    """Seconds of a Retry-After, which may be a date; None where there is none that can be read."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(header)
    except (ValueError, TypeError):
        return None
    return max(0.0, (until.astimezone(UTC) - datetime.now(UTC)).total_seconds())
