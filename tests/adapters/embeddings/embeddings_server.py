"""A scripted server with OpenAI's ``/embeddings`` on loopback: what it answers is a list of steps, then it answers properly."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

DIMENSION = 8

Answer = Callable[[list[str]], Any]
"""The texts of a request → the body, or (status, headers, body)."""


def numbers(text: str, dimension: int = DIMENSION) -> list[float]:
    """Not of unit length; a text's numbers are its own."""
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
    return [float(value) for value in 3.0 * np.random.default_rng(seed).normal(size=dimension)]


def item(place: int, embedding: Any) -> dict[str, Any]:
    return {"object": "embedding", "index": place, "embedding": embedding}


def proper(texts: list[str]) -> dict[str, Any]:
    return {"object": "list", "data": [item(place, numbers(text)) for place, text in enumerate(texts)], "model": "m"}


def in_base64(texts: list[str]) -> dict[str, Any]:
    rows = [base64.b64encode(np.array(numbers(text), "<f4").tobytes()).decode() for text in texts]
    return {"data": [item(place, row) for place, row in enumerate(rows)]}


@dataclass
class Server:
    """``requests``: (headers by lower-case name, body) of each; ``steps``: answers still to be given before the proper ones."""

    url: str
    steps: list[Answer] = field(default_factory=list)
    requests: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)
    always: Answer = proper
    hanging: threading.Event = field(default_factory=threading.Event)

    @property
    def asked(self) -> list[list[str]]:
        return [body["input"] for _, body in self.requests]


@contextmanager
def served(steps: Sequence[Answer] = ()) -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(({name.lower(): value for name, value in self.headers.items()}, {**body, "path": self.path}))
            answer = (server.steps.pop(0) if server.steps else server.always)(body["input"])
            status, headers, content = answer if isinstance(answer, tuple) else (200, {}, answer)
            sent = content if isinstance(content, bytes) else json.dumps(content).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None: ...

    class Listening(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Whoever asked has left: that is what a test of time-outs does."""

    listening = Listening(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{listening.server_port}/v1", list(steps))
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.hanging.set()
        listening.shutdown()
        listening.server_close()
        thread.join()
