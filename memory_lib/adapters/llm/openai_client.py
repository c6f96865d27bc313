"""A model behind an OpenAI-compatible server, through the ``openai`` SDK (extra ``llm``).

One request a call: the SDK's own retries are off, redirects are not followed and the environment's proxies not used, so that
what a person said goes to the address in the settings and nowhere else. The response is read up to a limit and decoded here;
whatever goes wrong becomes an error of this project without a word of what was sent or came back.
"""

from __future__ import annotations

import json
import logging
import math
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from memory_lib.adapters.llm.params import ModelParams, ReasoningEffort
from memory_lib.errors import (
    BadAnswer,
    Cancelled,
    DependencyDown,
    MissingExtra,
    ModelBusy,
    ModelRefused,
    SelfImprintError,
    UnknownSetting,
)
from memory_lib.ports.model import Cancel, ModelAnswer, ModelRequest
from memory_lib.reasoning.jobs.job import OFFLINE

PART = "model"
EXTRA = "llm"
TALKATIVE = ("openai", "httpx", "httpx2", "httpcore", "httpcore2")
"""Loggers of the SDK and its transport: earlier versions wrote whole requests and headers at DEBUG."""
_POLL_S = 0.05
_CONNECT_S = 5.0
_NO_KEY = "none"
_TOO_MANY = 429
_LONGEST_NAME = 100


@dataclass(slots=True, eq=False)
class _Call:
    """A request under way in a thread of its own: who asked may leave before it ends."""

    request: ModelRequest
    deadline: float
    done: threading.Event = field(default_factory=threading.Event)
    left: bool = False
    answer: ModelAnswer | None = None
    error: SelfImprintError | None = None


class OpenAIModel:
    """Implements ``ports.model.Model``.

    A call runs in a thread of its own, so that it can be left at once when it is cancelled or takes too long; its place among
    the ``calls`` at once is free again when the server lets go of it, at the latest after its own timeout.

    Raises:
        UnknownSetting: without an address or a model's name, or with the rules' own name.
    """

    def __init__(self, params: ModelParams) -> None:
        if not params.base_url or not params.model.strip():
            raise UnknownSetting("a model needs model.base_url (with its /v1) and model.model, the name it is served under")
        if params.model.strip() == OFFLINE:
            raise UnknownSetting(f"model.model may not be {OFFLINE!r}: what the rules found is written under that name")
        self._params = params
        self._places = threading.BoundedSemaphore(params.calls)
        self._guard = threading.Lock()
        self._client: tuple[int, Any] | None = None

    @property
    def name(self) -> str:
        return self._params.model[:_LONGEST_NAME]

    def ask(self, request: ModelRequest, *, cancel: Cancel | None = None) -> ModelAnswer:
        self._opened()  # a second's import, once a process, is not the server's time
        deadline = time.monotonic() + min(request.timeout_s, self._params.timeout_s)
        self._take_place(deadline, cancel)
        call = _Call(request, deadline)
        try:
            threading.Thread(target=self._run, args=(call,), name="model call", daemon=True).start()
        except BaseException:
            self._places.release()
            raise
        while not call.done.wait(max(0.0, min(_POLL_S if cancel is not None else math.inf, deadline - time.monotonic()))):
            if cancel is not None and cancel.is_set():
                call.left = True
                raise Cancelled("the question to the model was withdrawn")
            if time.monotonic() >= deadline:
                call.left = True
                raise DependencyDown(PART, "no answer in time")
        if call.error is not None:
            raise call.error
        assert call.answer is not None
        return call.answer

    def close(self) -> None:
        with self._guard:
            client, self._client = self._client, None
        if client is not None and client[0] == os.getpid():
            client[1].close()

    def _take_place(self, deadline: float, cancel: Cancel | None) -> None:
        while not self._places.acquire(timeout=max(0.0, min(_POLL_S, deadline - time.monotonic()))):
            if cancel is not None and cancel.is_set():
                raise Cancelled("the question to the model was withdrawn")
            if time.monotonic() >= deadline:
                raise DependencyDown(PART, "all its places are taken")

    def _run(self, call: _Call) -> None:
        try:
            call.answer = self._answered(call)
        except SelfImprintError as error:
            call.error = error
        except Exception as error:  # noqa: BLE001 - whatever a driver raises may hold what was sent: only its kind goes on
            call.error = DependencyDown(PART, f"the call failed ({type(error).__name__})")
        finally:
            self._places.release()
            call.done.set()

    def _answered(self, call: _Call) -> ModelAnswer:
        import openai  # noqa: PLC0415 - an extra, and a second to import

        client = self._opened()
        try:
            with client.chat.completions.with_streaming_response.create(**self._body(call)) as response:
                data = self._read(response, call)
        except openai.APITimeoutError:
            raise DependencyDown(PART, "no answer in time") from None
        except openai.APIConnectionError:
            raise DependencyDown(PART, "its server cannot be reached") from None
        except openai.APIStatusError as error:
            raise _of_status(error.status_code, error.response.headers) from None
        return _decoded(data)

    def _body(self, call: _Call) -> dict[str, Any]:
        request, params = call.request, self._params
        messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.data}]
        if request.note:
            # ours, and apart from the data, so that no data can pass for it
            messages[0]["content"] += f" Your last answer could not be used: {request.note}."
        body: dict[str, Any] = {
            "model": params.model,
            "messages": messages,
            "temperature": 0,
            "max_tokens": min(request.max_tokens, params.max_tokens),
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": request.job, "strict": True, "schema": dict(request.schema)},
            },
            "timeout": self._timeout(max(0.001, call.deadline - time.monotonic())),
        }
        if params.reasoning_effort is not ReasoningEffort.UNSET:
            body["reasoning_effort"] = params.reasoning_effort.value
        return body

    @staticmethod
    def _timeout(seconds: float) -> Any:
        import openai  # noqa: PLC0415 - as above

        return openai.Timeout(seconds, connect=min(seconds, _CONNECT_S))

    def _read(self, response: Any, call: _Call) -> bytes:
        """The body up to the limit; what a server drips for longer than the call may last is left."""
        pieces: list[bytes] = []
        size = 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > self._params.max_bytes:
                raise BadAnswer("too_large")
            if call.left or time.monotonic() >= call.deadline:
                raise DependencyDown(PART, "no answer in time")
            pieces.append(piece)
        return b"".join(pieces)

    def _opened(self) -> Any:
        try:
            import openai  # noqa: PLC0415 - as above
        except ImportError:
            raise MissingExtra("openai", EXTRA) from None
        with self._guard:
            if self._client is not None and self._client[0] == os.getpid():
                return self._client[1]
            for name in TALKATIVE:
                logging.getLogger(name).setLevel(logging.WARNING)
            key = self._params.api_key
            client = openai.OpenAI(
                base_url=self._params.base_url,
                api_key=_NO_KEY if key is None else key.get_secret_value(),
                max_retries=0,
                http_client=openai.DefaultHttpxClient(trust_env=False, follow_redirects=False),
            )
            # read from the environment by the SDK, and nobody's business here
            client.organization = client.project = None
            self._client = (os.getpid(), client)
            return client


def _of_status(status: int, headers: Mapping[str, str]) -> SelfImprintError:
    if status == _TOO_MANY:
        return ModelBusy(retry_after_s=_seconds(headers.get("retry-after")))
    if status >= 500:
        return (
            ModelBusy(retry_after_s=_seconds(headers.get("retry-after")))
            if status == 503
            else DependencyDown(PART, f"its server failed (HTTP {status})")
        )
    if status == 408:
        return DependencyDown(PART, "no answer in time")
    return ModelRefused(status)


def _seconds(told: str | None) -> float | None:
    """A Retry-After header: seconds, or a date."""
    if told is None:
        return None
    try:
        seconds = float(told)
    except ValueError:
        try:
            when = parsedate_to_datetime(told)
        except (ValueError, TypeError):
            return None
        seconds = (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _decoded(data: bytes) -> ModelAnswer:
    """The one choice of a finished completion."""
    try:
        body = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise BadAnswer("unreadable_response") from None
    usage = body.get("usage") if isinstance(body, dict) else None
    prompt_tokens, answer_tokens = _tokens(usage, "prompt_tokens"), _tokens(usage, "completion_tokens")

    def bad(code: str) -> BadAnswer:
        return BadAnswer(code, prompt_tokens=prompt_tokens, answer_tokens=answer_tokens)

    choices = body.get("choices") if isinstance(body, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise bad("no_choice")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise bad("no_message")
    finish = choices[0].get("finish_reason")
    if message.get("refusal") or finish == "content_filter":
        raise bad("refused")
    if finish == "length":
        raise bad("truncated")
    if finish != "stop":
        raise bad("unfinished")
    text = message.get("content")
    if not isinstance(text, str) or not text.strip():
        raise bad("empty")
    return ModelAnswer(text=text, prompt_tokens=prompt_tokens, answer_tokens=answer_tokens)


def _tokens(usage: object, name: str) -> int:
    count = usage.get(name) if isinstance(usage, dict) else None
    return min(count, 2**31) if isinstance(count, int) and not isinstance(count, bool) and count > 0 else 0
