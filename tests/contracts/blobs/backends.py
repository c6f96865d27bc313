"""The stores of blobs that the suites run over: one row each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from memory_lib.adapters.blobs.params import S3Params
from memory_lib.adapters.blobs.s3 import S3Blobs
from memory_lib.ports.blobs import Blobs

PART_BYTES = 5 * 1024 * 1024
"""The smallest part that the S3 API takes of an upload that goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlobBackend:
    """``open`` gives an empty store in a folder, or a new bucket of a server. ``damage`` changes what lies at a path without
    telling. ``keeps_versions``: what was replaced there is kept until it is purged.
    """

    name: str
    open: Callable[[Path, Any], AbstractContextManager[Blobs]]
    damage: Callable[[Blobs, str, Callable[[bytes], bytes]], None]
    service: str | None = None
    server: str | None = None
    keeps_versions: bool = False


def damage_file(blobs: Blobs, path: str, change: Callable[[bytes], bytes]) -> None:
    assert isinstance(blobs, DirectoryBlobs)
    file = blobs._root / path
    file.write_bytes(change(file.read_bytes()))


def s3_params(server: Any, bucket: str, **changed: Any) -> S3Params:
    """The settings of a client of this test server, in one bucket."""
    values = {
        "bucket": bucket,
        "prefix": "people/",
        "endpoint": server.endpoint,
        "region": server.region,
        "access_key": SecretStr(server.access_key),
        "secret_key": SecretStr(server.secret_key),
        "multipart_bytes": 8 * 1024 * 1024,
        "part_bytes": PART_BYTES,
        "connect_timeout_s": 2.0,
        "read_timeout_s": 20.0,
        "attempts": 2,
        "connections": 8,
    }
    return S3Params(**(values | changed))


@contextmanager
def opened_s3(_folder: Path, server: Any, **changed: Any) -> Any:
    with server.fresh() as bucket:
        blobs = S3Blobs(s3_params(server, bucket, **changed))
        yield blobs
        blobs.close()


def damage_object(blobs: Blobs, path: str, change: Callable[[bytes], bytes]) -> None:
    """Other bytes with the metadata of those that were there, as of a store that rots."""
    assert isinstance(blobs, S3Blobs)
    place = {"Bucket": blobs._bucket, "Key": blobs._params.prefix + path}
    found = blobs._client.get_object(**place)
    with found["Body"] as body:
        data = body.read()
    blobs._client.put_object(**place, Body=change(data), Metadata=found["Metadata"])


BACKENDS = (
    BlobBackend(
        name="directory", open=lambda folder, _server: nullcontext(DirectoryBlobs(folder / "blobs")), damage=damage_file
    ),
    BlobBackend(
        name="s3",
        open=opened_s3,
        damage=damage_object,
        service="s3",
        server="s3_server",
        keeps_versions=True,
    ),
)
