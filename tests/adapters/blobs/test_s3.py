"""The object store's own ways: uploads in parts, versions and markers, lost answers, and what it says when it refuses."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from pydantic import SecretStr

from memory_lib.adapters.blobs.params import S3Params
from memory_lib.adapters.blobs.s3 import S3Blobs
from memory_lib.adapters.blobs.s3_errors import store_errors
from memory_lib.errors import DependencyDown, MissingExtra, Permanent, SealBroken, StaleRead, StoreBusy, UnknownSetting
from tests.adapters.blobs.half_upload import DATA, PATH
from tests.contracts.blobs.backends import s3_params

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.s3


@pytest.fixture
def params(s3_server, s3_bucket: str) -> S3Params:
    return s3_params(s3_server, s3_bucket)


@pytest.fixture
def blobs(params: S3Params) -> Iterator[S3Blobs]:
    store = S3Blobs(params)
    yield store
    store.close()


@pytest.mark.slow
def test_an_upload_killed_half_way_is_nowhere_but_in_the_residue_until_it_is_reaped(blobs: S3Blobs, params: S3Params) -> None:
    values = dataclasses.asdict(params) | {
        "access_key": params.access_key.get_secret_value(),
        "secret_key": params.secret_key.get_secret_value(),
    }
    command = [sys.executable, "-m", "tests.adapters.blobs.half_upload", json.dumps(values)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert blobs.get(PATH) is None
    assert blobs.list("") == ()
    assert blobs.residue("ab/ab12/") == {"uploads": 1}
    assert blobs.residue("ab/ab13/") == {}
    assert blobs.reap(older_than=datetime.now(UTC) - timedelta(hours=1)) == 0
    assert blobs.reap(older_than=datetime.now(UTC) + timedelta(hours=1)) == 1
    assert blobs.residue("") == {}
    blobs.put(PATH, DATA)
    assert blobs.get(PATH) == DATA


def test_a_purge_aborts_pending_uploads_of_its_prefix_only(blobs: S3Blobs, params: S3Params) -> None:
    for path in (PATH, "ab/ab13/1/vectors"):
        blobs._client.create_multipart_upload(Bucket=params.bucket, Key=params.prefix + path)
    assert blobs.purge("ab/ab12/") == {"uploads": 1}
    assert blobs.residue("") == {"uploads": 1}


@pytest.mark.parametrize("call", ["upload_part", "complete_multipart_upload"])
def test_an_upload_that_fails_is_aborted(blobs: S3Blobs, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    from botocore.exceptions import EndpointConnectionError

    def down(**_arguments: object) -> None:
        raise EndpointConnectionError(endpoint_url="http://nowhere")

    with monkeypatch.context() as patch:
        patch.setattr(blobs._client, call, down)
        with pytest.raises(DependencyDown, match="does not answer"):
            blobs.put(PATH, DATA)
    assert blobs.residue("") == {}


def test_an_upload_that_comes_too_late_is_aborted(blobs: S3Blobs) -> None:
    first = blobs.put(PATH, b"first")
    for replacing in (None, "0" * 32):
        with pytest.raises(StaleRead):
            blobs.put(PATH, DATA, replacing=replacing)
    assert blobs.residue("") == {"content": 1}
    blobs.put(PATH, DATA, replacing=first.etag)
    assert blobs.residue("") == {"content": 1, "versions": 1}


@pytest.mark.parametrize(("call", "data"), [("put_object", b"small"), ("complete_multipart_upload", DATA)])
def test_a_write_whose_answer_was_lost_is_known_again(
    blobs: S3Blobs, monkeypatch: pytest.MonkeyPatch, call: str, data: bytes
) -> None:
    once = getattr(blobs._client, call)

    def lost(**arguments: object) -> object:
        once(**arguments)
        return once(**arguments)  # as the driver does after a time-out

    with monkeypatch.context() as patch:
        patch.setattr(blobs._client, call, lost)
        info = blobs.put(PATH, data)
    assert blobs.list(PATH) == (info,)
    assert blobs.get(PATH) == data


def test_the_store_checks_what_arrives(blobs: S3Blobs, params: S3Params) -> None:
    import base64

    wrong = base64.b64encode(bytes(32)).decode()
    with pytest.raises(SealBroken), store_errors(PATH):
        blobs._client.put_object(Bucket=params.bucket, Key=params.prefix + PATH, Body=b"x", ChecksumSHA256=wrong)
    assert blobs.get(PATH) is None


def test_versions_and_markers_that_others_left_go_with_a_purge(blobs: S3Blobs, params: S3Params) -> None:
    place = {"Bucket": params.bucket, "Key": params.prefix + PATH}
    for _ in range(3):
        blobs._client.put_object(**place, Body=b"x")
    blobs._client.delete_object(**place)
    assert blobs.residue("ab/") == {"versions": 3, "markers": 1}
    assert blobs.list("") == ()
    assert blobs.purge("ab/") == {"versions": 3, "markers": 1}
    assert blobs.residue("") == {}


def test_many_pages_are_walked(blobs: S3Blobs, params: S3Params, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [f"ab/ab12/1/part.{number}" for number in range(5)]
    for path in paths:
        info = blobs.put(path, b"first")
        blobs.put(path, b"second", replacing=info.etag)
    for path in (*paths[:3], paths[0]):
        blobs._client.create_multipart_upload(Bucket=params.bucket, Key=params.prefix + path)
    get_paginator = blobs._client.get_paginator

    class Small:
        def __init__(self, operation: str) -> None:
            self._pages = get_paginator(operation)

        def paginate(self, **arguments: object) -> object:
            return self._pages.paginate(**arguments, PaginationConfig={"PageSize": 2})

    monkeypatch.setattr(blobs._client, "get_paginator", Small)
    list_uploads = blobs._client.list_multipart_uploads
    monkeypatch.setattr(blobs._client, "list_multipart_uploads", lambda **where: list_uploads(**where, MaxUploads=2))
    monkeypatch.setattr("memory_lib.adapters.blobs.s3._DELETED_AT_ONCE", 3)
    assert [info.path for info in blobs.list("")] == paths
    assert blobs.residue("ab/") == {"content": 5, "versions": 5, "uploads": 4}
    assert blobs.purge("ab/") == {"content": 5, "versions": 5, "uploads": 4}
    assert blobs.residue("") == {}


def test_nothing_beside_the_prefix_is_seen_or_touched(blobs: S3Blobs, params: S3Params) -> None:
    beside = {"Bucket": params.bucket, "Key": "somebody-elses/ab/ab12/core"}
    blobs._client.put_object(**beside, Body=b"x")
    blobs._client.create_multipart_upload(**beside)
    assert blobs.list("") == ()
    assert blobs.purge("") == {}
    assert blobs.reap(older_than=datetime.now(UTC) + timedelta(hours=1)) == 0
    assert blobs._client.get_object(**beside)["Body"].read() == b"x"


# -- what does not work --


def broken(params: S3Params, **changed: object) -> S3Blobs:
    return S3Blobs(dataclasses.replace(params, attempts=1, connect_timeout_s=0.5, **changed))


def outcomes(blobs: S3Blobs) -> list[Exception]:
    """What every method says."""
    raised = []
    for call in (
        lambda: blobs.put(PATH, b"x"),
        lambda: blobs.put(PATH, b"x", replacing="0" * 32),
        lambda: blobs.put(PATH, DATA),
        lambda: blobs.get(PATH),
        lambda: blobs.list("ab/"),
        lambda: blobs.delete([PATH]),
        lambda: blobs.purge("ab/"),
        lambda: blobs.residue("ab/"),
        lambda: blobs.reap(older_than=datetime.now(UTC)),
    ):
        with pytest.raises((DependencyDown, Permanent)) as error:
            call()
        raised.append(error.value)
    blobs.close()
    return raised


def test_a_store_that_is_down_is_transient_everywhere(params: S3Params) -> None:
    assert all(isinstance(error, DependencyDown) for error in outcomes(broken(params, endpoint="http://127.0.0.1:9")))


def test_wrong_credentials_are_for_an_operator_and_are_not_repeated(params: S3Params) -> None:
    for error in outcomes(broken(params, secret_key=SecretStr("not-the-secret"))):
        assert type(error) is Permanent
        assert "credentials" in str(error)
        assert "not-the-secret" not in str(error)


def test_a_bucket_that_is_not_there_is_for_an_operator(params: S3Params) -> None:
    for error in outcomes(broken(params, bucket="nobody-made-this-bucket")):
        assert type(error) is Permanent
        assert "bucket" in str(error)


def test_a_refused_deletion_inside_an_answer_is_an_error(blobs: S3Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    blobs.put(PATH, b"x")

    for code, kind in (("AccessDenied", Permanent), ("SlowDown", StoreBusy), ("InternalError", DependencyDown)):
        answer = {"Errors": [{"Key": PATH, "Code": code, "Message": "no"}]}
        monkeypatch.setattr(blobs._client, "delete_objects", partial(dict, answer))
        with pytest.raises(kind):
            blobs.delete([PATH])


def test_without_a_bucket_there_is_no_store(params: S3Params) -> None:
    with pytest.raises(UnknownSetting, match="bucket"):
        S3Blobs(dataclasses.replace(params, bucket=None))


def test_a_missing_driver_names_its_extra(params: S3Params, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(MissingExtra, match="s3"):
        S3Blobs(params).get(PATH)
