"""A server that answers as it is told to, on a free port of this machine: what goes wrong with models, on purpose."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """``hang``: seconds before anything is sent. ``drip``: seconds between single bytes of the body."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: float = 0.0
    drip: float = 0.0


def completion(content: Any, *, finish: str = "stop", **message: Any) -> Reply:
    """A finished completion with this content; a record is sent as its JSON."""
    text = content if isinstance(content, str) or content is None else json.dumps(content, ensure_ascii=False)
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }
    return Reply(body=json.dumps(body).encode())


@dataclass(slots=True)
class Scripted:
    """``script``: replies in turn, the last one for ever. ``asked``: the requests' bodies; ``heads``: their headers."""

    url: str
    script: deque[Reply] = field(default_factory=deque)
    asked: list[dict[str, Any]] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)
    at_once: int = 0
    most_at_once: int = 0
    guard: threading.Lock = field(default_factory=threading.Lock)

    def says(self, *replies: Reply) -> None:
        self.script = deque(replies)

    def take(self, body: dict[str, Any], heads: dict[str, str]) -> Reply:
        with self.guard:
            self.asked.append(body)
            self.heads.append(heads)
            return self.script.popleft() if len(self.script) > 1 else self.script[0]


@contextmanager
def scripted_server() -> Iterator[Scripted]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            reply = scripted.take(json.loads(self.rfile.read(length)), {k.lower(): v for k, v in self.headers.items()})
            with scripted.guard:
                scripted.at_once += 1
                scripted.most_at_once = max(scripted.most_at_once, scripted.at_once)
            try:
                scripted.stopped.wait(reply.hang)
                self.answer(reply)
            except OSError:
                pass  # whoever asked has left
            finally:
                with scripted.guard:
                    scripted.at_once -= 1

        def answer(self, reply: Reply) -> None:
            self.send_response(reply.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(reply.body)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if not reply.drip:
                self.wfile.write(reply.body)
            for byte in reply.body if reply.drip else b"":
                self.wfile.write(bytes([byte]))
                if scripted.stopped.wait(reply.drip):
                    return

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    scripted = Scripted(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield scripted
    finally:
        scripted.stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()
