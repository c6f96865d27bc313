"""How an object store is reached."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import SecretStr


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Params:
    """``bucket`` None: there is none, far files lie in a local directory. ``prefix``: before every path, with its slash.
    ``endpoint`` None: AWS itself; another one is spoken to by path, not by host name. ``access_key`` and ``secret_key`` None:
    as boto3 finds them (environment, profile, role). From ``multipart_bytes`` on a blob goes up in parts of ``part_bytes``.
    ``attempts``: of one request, the first included. ``connections``: kept open at most.
    """

    bucket: str | None
    prefix: str
    endpoint: str | None
    region: str | None
    access_key: SecretStr | None
    secret_key: SecretStr | None
    multipart_bytes: int
    part_bytes: int
    connect_timeout_s: float
    read_timeout_s: float
    attempts: int
    connections: int
