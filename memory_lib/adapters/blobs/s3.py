"""Blobs in an object store that speaks S3.

A write is conditional (``If-None-Match`` where the path must be free, ``If-Match`` where certain content must be there), its
SHA-256 is checked by the store on arrival and kept beside it as metadata, which ``get`` compares. From ``multipart_bytes`` on a
blob goes up in parts; an upload that fails is aborted, and one that was killed is found by ``residue``, ``purge`` and ``reap``.
Versions and markers of deletion that a versioned bucket keeps go with what is deleted.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from memory_lib.adapters.blobs.params import S3Params
from memory_lib.adapters.blobs.paths import checked_path, checked_prefix
from memory_lib.adapters.blobs.s3_errors import (
    Meaning,
    client_errors,
    error_of,
    meaning_of,
    meaning_of_answer,
    name_of,
    store_errors,
)
from memory_lib.errors import MissingExtra, SealBroken, UnknownSetting
from memory_lib.ports.blobs import BlobInfo

_HASH: Final = "sha256"
_CALL: Final = "put-by"
"""Metadata: the content's SHA-256 in hex, and the chance number of the call that put it."""
_DELETED_AT_ONCE: Final = 1000
"""The most that one DeleteObjects takes (S3 API reference)."""
_ROUNDS: Final = 5
"""A purge looks again, for what was finished while it went; so often at most."""


@dataclass(frozen=True, slots=True)
class _Version:
    """One version of an object, or one marker of its deletion."""

    key: str
    version: str
    kind: str
    newest: bool
    at: datetime


class S3Blobs:
    """Implements ``ports.blobs.Blobs`` in ``params.bucket``. Connects at the first use; safe between threads.

    Raises:
        UnknownSetting: no bucket is named.
    """

    def __init__(self, params: S3Params) -> None:
        if params.bucket is None:
            raise UnknownSetting("s3.bucket is not set; name the bucket, or leave far files in the local directory")
        self._params = params
        self._bucket = params.bucket

    @cached_property
    def _client(self) -> Any:
        try:
            import boto3  # noqa: PLC0415 - an extra
            from botocore.config import Config  # noqa: PLC0415
        except ImportError:
            raise MissingExtra("boto3", "s3") from None
        params = self._params
        config = Config(
            connect_timeout=params.connect_timeout_s,
            read_timeout=params.read_timeout_s,
            retries={"mode": "standard", "total_max_attempts": params.attempts},
            max_pool_connections=params.connections,
            s3={"addressing_style": "auto" if params.endpoint is None else "path"},
        )
        with client_errors():
            # a session of our own: boto3's default one is shared by everybody and not safe between threads
            return boto3.session.Session().client(
                "s3",
                endpoint_url=params.endpoint,
                region_name=params.region,
                aws_access_key_id=None if params.access_key is None else params.access_key.get_secret_value(),
                aws_secret_access_key=None if params.secret_key is None else params.secret_key.get_secret_value(),
                config=config,
            )

    def close(self) -> None:
        """Close its connections; the next call opens new ones."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    def put(self, path: str, data: bytes, *, replacing: str | None = None) -> BlobInfo:
        client, key = self._client, self._params.prefix + checked_path(path)
        call = secrets.token_hex(16)
        there = {"Bucket": self._bucket, "Key": key}
        condition = {"IfNoneMatch": "*"} if replacing is None else {"IfMatch": f'"{replacing}"'}
        metadata = {_HASH: hashlib.sha256(data).hexdigest(), _CALL: call}
        from botocore.exceptions import ClientError  # noqa: PLC0415 - an extra

        with store_errors(path):
            try:
                if len(data) < self._params.multipart_bytes:
                    done = client.put_object(**there, **condition, Body=data, ChecksumSHA256=_sha256(data), Metadata=metadata)
                else:
                    done = self._put_in_parts(there, condition, data, metadata)
            except ClientError as error:
                if meaning_of(error) not in (Meaning.STALE, Meaning.ABSENT):
                    raise
                # the answer to a write that went through may be lost: the driver's next attempt then finds our own content
                etag = self._etag_if_ours(key, call)
                if etag is not None:
                    return BlobInfo(path, len(data), etag)
                if name_of(error) == "NoSuchUpload":
                    raise
                # where nothing is there to be replaced, the store says so with 404
                raise error_of(Meaning.STALE, path, name_of(error)) from None
        return BlobInfo(path, len(data), _bare(done["ETag"]))

    def get(self, path: str) -> bytes | None:
        key = self._params.prefix + checked_path(path)
        client = self._client
        from botocore.exceptions import ClientError  # noqa: PLC0415 - an extra

        with store_errors(path):
            try:
                found = client.get_object(Bucket=self._bucket, Key=key, ChecksumMode="ENABLED")
            except ClientError as error:
                if meaning_of(error) is Meaning.ABSENT:
                    return None
                raise
            with found["Body"] as body:
                data: bytes = body.read()
        if found["Metadata"].get(_HASH) != hashlib.sha256(data).hexdigest():
            raise SealBroken(f"file {path} is not what was put there; restore it from a backup")
        return data

    def list(self, prefix: str) -> tuple[BlobInfo, ...]:
        pages = self._pages("list_objects_v2", prefix)
        found = [
            BlobInfo(self._path(each["Key"]), each["Size"], _bare(each["ETag"]))
            for page in pages
            for each in page.get("Contents", [])
        ]
        return tuple(sorted(found, key=lambda info: info.path))

    def delete(self, paths: Sequence[str]) -> None:
        for path in paths:
            key = self._params.prefix + checked_path(path)
            self._remove([each for each in self._versions(path) if each.key == key], path)

    def purge(self, prefix: str) -> Mapping[str, int]:
        checked_prefix(prefix)
        gone: Counter[str] = Counter()
        for _round in range(_ROUNDS):
            # uploads first: one that is finished in between shows as a version
            taken = Counter({"uploads": self._abort(prefix, None)})
            versions = list(self._versions(prefix))
            self._remove(versions, prefix)
            taken.update(each.kind for each in versions)
            gone += taken
            if not +taken:
                break
        return dict(gone)

    def residue(self, prefix: str) -> Mapping[str, int]:
        checked_prefix(prefix)
        found = Counter(each.kind for each in self._versions(prefix))
        found["uploads"] = sum(1 for _ in self._uploads(prefix))
        return dict(+found)

    def reap(self, *, older_than: datetime) -> int:
        return self._abort("", older_than)

    # -- writing --

    def _put_in_parts(
        self, there: Mapping[str, str], condition: Mapping[str, str], data: bytes, metadata: Mapping[str, str]
    ) -> Mapping[str, Any]:
        client = self._client
        upload = {
            **there,
            "UploadId": client.create_multipart_upload(**there, ChecksumAlgorithm="SHA256", Metadata=metadata)["UploadId"],
        }
        try:
            parts = []
            for number, start in enumerate(range(0, len(data), self._params.part_bytes), 1):
                part = data[start : start + self._params.part_bytes]
                checksum = _sha256(part)
                sent = client.upload_part(**upload, PartNumber=number, Body=part, ChecksumSHA256=checksum)
                parts.append({"PartNumber": number, "ETag": sent["ETag"], "ChecksumSHA256": checksum})
            done: Mapping[str, Any] = client.complete_multipart_upload(**upload, **condition, MultipartUpload={"Parts": parts})
        except BaseException:
            # what cannot be aborted now is aborted by reap
            with suppress(Exception):
                client.abort_multipart_upload(**upload)
            raise
        return done

    def _etag_if_ours(self, key: str, call: str) -> str | None:
        """The etag of what lies there, where this call put it."""
        with suppress(Exception):
            head = self._client.head_object(Bucket=self._bucket, Key=key)
            if head["Metadata"].get(_CALL) == call:
                return _bare(head["ETag"])
        return None

    # -- taking away --

    def _remove(self, versions: Sequence[_Version], path: str) -> None:
        # oldest first: taken away, a newest one would bring the one before it back to light
        versions = sorted(versions, key=lambda each: (each.newest, each.at))
        for first in range(0, len(versions), _DELETED_AT_ONCE):
            some = versions[first : first + _DELETED_AT_ONCE]
            objects = [{"Key": each.key, "VersionId": each.version} for each in some]
            with store_errors(path):
                done = self._client.delete_objects(Bucket=self._bucket, Delete={"Objects": objects, "Quiet": True})
            for error in done.get("Errors", []):
                meaning = meaning_of_answer(str(error.get("Code", "")), None)
                if meaning is not Meaning.ABSENT:
                    raise error_of(meaning, path, "not deleted")

    def _abort(self, prefix: str, older_than: datetime | None) -> int:
        aborted = 0
        from botocore.exceptions import ClientError  # noqa: PLC0415 - an extra

        for upload in list(self._uploads(prefix)):
            if older_than is not None and upload["Initiated"] >= older_than:
                continue
            with store_errors(prefix):
                try:
                    self._client.abort_multipart_upload(Bucket=self._bucket, Key=upload["Key"], UploadId=upload["UploadId"])
                except ClientError as error:
                    # finished or aborted by its writer in between
                    if meaning_of(error) is not Meaning.ABSENT:
                        raise
                    continue
            aborted += 1
        return aborted

    # -- looking --

    def _pages(self, operation: str, prefix: str) -> Iterator[Mapping[str, Any]]:
        client, whole = self._client, self._params.prefix + checked_prefix(prefix)
        with store_errors(prefix):
            yield from client.get_paginator(operation).paginate(Bucket=self._bucket, Prefix=whole)

    def _versions(self, prefix: str) -> Iterator[_Version]:
        for page in self._pages("list_object_versions", prefix):
            for each in page.get("Versions", []):
                newest = each["IsLatest"]
                kind = "content" if newest else "versions"
                yield _Version(each["Key"], each["VersionId"], kind, newest, each["LastModified"])
            for each in page.get("DeleteMarkers", []):
                yield _Version(each["Key"], each["VersionId"], "markers", each["IsLatest"], each["LastModified"])

    def _uploads(self, prefix: str) -> Iterator[Mapping[str, Any]]:
        from botocore.exceptions import ClientError  # noqa: PLC0415 - an extra

        client, where = self._client, {"Bucket": self._bucket, "Prefix": self._params.prefix + checked_prefix(prefix)}
        marker: dict[str, str] = {}
        while True:
            with store_errors(prefix):
                try:
                    page = client.list_multipart_uploads(**where, **marker)
                except ClientError as error:
                    if name_of(error) != "InvalidArgument" or "UploadIdMarker" not in marker:
                        raise
                    # versitygw 1.8.0 refuses its own marker where that upload is the last one of its key
                    page = client.list_multipart_uploads(**where, KeyMarker=marker["KeyMarker"])
            yield from page.get("Uploads", [])
            if not page.get("IsTruncated"):
                return
            marker = {"KeyMarker": page["NextKeyMarker"], "UploadIdMarker": page["NextUploadIdMarker"]}

    def _path(self, key: str) -> str:
        return key.removeprefix(self._params.prefix)


def _sha256(data: bytes) -> str:
    return base64.b64encode(hashlib.sha256(data).digest()).decode("ascii")


def _bare(etag: str) -> str:
    return etag.strip('"')
