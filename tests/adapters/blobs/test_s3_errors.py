"""Every error of the driver, and every code that our operations declare, has a meaning here."""

from __future__ import annotations

import inspect

import pytest

from memory_lib.adapters.blobs import s3_errors
from memory_lib.adapters.blobs.s3_errors import ADVICE, CLASSES, CODES, Meaning, error_of, meaning_of, name_of, store_errors
from memory_lib.errors import DependencyDown, Permanent, SealBroken, StaleRead, StoreBusy, Transient

OPERATIONS = (
    "PutObject",
    "GetObject",
    "HeadObject",
    "ListObjectsV2",
    "ListObjectVersions",
    "DeleteObjects",
    "CreateMultipartUpload",
    "UploadPart",
    "CompleteMultipartUpload",
    "AbortMultipartUpload",
    "ListMultipartUploads",
)

exceptions = pytest.importorskip("botocore.exceptions")


def classes() -> set[str]:
    return {
        name for name, each in vars(exceptions).items() if inspect.isclass(each) and issubclass(each, exceptions.BotoCoreError)
    }


def test_every_class_of_the_driver_is_mapped() -> None:
    assert classes() == set(CLASSES)


def test_every_code_that_our_operations_declare_is_mapped() -> None:
    from botocore.session import Session

    model = Session().get_service_model("s3")
    declared = {shape.error_code or shape.name for name in OPERATIONS for shape in model.operation_model(name).error_shapes}
    assert declared
    assert declared <= set(CODES)


def test_the_operations_are_those_that_are_called() -> None:
    source = inspect.getsource(__import__("memory_lib.adapters.blobs.s3", fromlist=["s3"]))
    from botocore import xform_name
    from botocore.session import Session

    known = {xform_name(name): name for name in Session().get_service_model("s3").operation_names}
    called = {name for snake, name in known.items() if f".{snake}(" in source or f'"{snake}"' in source}
    assert called == set(OPERATIONS)


def answer(code: str, status: int | None = None):
    return exceptions.ClientError(
        {
            "Error": {"Code": code, "Message": "their words"},
            "ResponseMetadata": {} if status is None else {"HTTPStatusCode": status},
        },
        "PutObject",
    )


@pytest.mark.parametrize(
    ("code", "status", "kind"),
    [
        ("PreconditionFailed", 412, StaleRead),
        ("412", 412, StaleRead),
        ("ConditionalRequestConflict", 409, StoreBusy),
        ("SlowDown", 503, StoreBusy),
        ("503", 503, DependencyDown),
        ("InternalError", 500, DependencyDown),
        ("SomethingOfTheirOwn", 599, DependencyDown),
        ("SomethingOfTheirOwn", 418, Permanent),
        ("SomethingOfTheirOwn", None, Permanent),
        ("AccessDenied", 403, Permanent),
        ("403", 403, Permanent),
        ("NoSuchUpload", 404, DependencyDown),
        ("BadDigest", 400, SealBroken),
        ("QuotaExceeded", 403, Permanent),
    ],
)
def test_a_code_or_a_status_decides(code: str, status: int | None, kind: type[Exception]) -> None:
    with pytest.raises(kind) as raised, store_errors("ab/core"):
        raise answer(code, status)
    assert type(raised.value) is kind
    assert "ab/core" in str(raised.value)
    assert "their words" not in str(raised.value)
    assert "OfTheirOwn" not in str(raised.value)
    assert raised.value.__cause__ is None


def test_a_class_decides_where_there_was_no_answer() -> None:
    with pytest.raises(DependencyDown), store_errors("ab/core"):
        raise exceptions.ReadTimeoutError(endpoint_url="http://nowhere")
    with pytest.raises(Permanent), store_errors("ab/core"):
        raise exceptions.NoCredentialsError

    class Newer(exceptions.ConnectionClosedError):
        """A class of a newer driver."""

    assert meaning_of(Newer(endpoint_url="http://nowhere")) is Meaning.DOWN
    assert name_of(exceptions.NoRegionError()) == "NoRegionError"


def test_every_meaning_has_its_advice_and_its_error() -> None:
    assert set(ADVICE) == set(Meaning)
    for meaning in Meaning:
        error = error_of(meaning, "ab/core", "Code")
        waits = meaning in (Meaning.STALE, Meaning.BUSY, Meaning.DOWN, Meaning.ABSENT)
        assert isinstance(error, Transient) is waits
    assert set(s3_errors.STATUSES.values()) <= set(Meaning)
