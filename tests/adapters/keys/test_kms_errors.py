from __future__ import annotations

import botocore.exceptions
import botocore.session
import pytest
from botocore.exceptions import ClientError

from memory_lib.adapters.keys.kms_errors import CLASSES, CODES, Reaction, translated
from memory_lib.errors import DependencyDown, KeyMissing

OPERATIONS = ("Encrypt", "Decrypt", "GenerateDataKey", "ScheduleKeyDeletion")


def service_codes():
    model = botocore.session.get_session().get_service_model("kms")
    return sorted(
        {
            shape.metadata.get("error", {}).get("code") or shape.name
            for operation in OPERATIONS
            for shape in model.operation_model(operation).error_shapes
        }
    )


def answer(code, status=400):
    return ClientError(
        {"Error": {"Code": code, "Message": "секретные слова"}, "ResponseMetadata": {"HTTPStatusCode": status}}, "Decrypt"
    )


@pytest.mark.parametrize("code", service_codes())
def test_every_error_of_the_service_model_is_in_the_table(code):
    assert code in CODES
    error = translated(answer(code))
    assert isinstance(error, DependencyDown if CODES[code] is Reaction.WAIT else KeyMissing)
    assert code in str(error)
    assert "секретные" not in str(error)


def test_every_exception_of_the_sdk_has_a_reaction():
    classes = [
        each
        for each in vars(botocore.exceptions).values()
        if isinstance(each, type)
        and issubclass(each, Exception)
        and not issubclass(each, Warning)
        and each.__module__ == botocore.exceptions.__name__
    ]
    assert len(classes) > 50
    unmapped = [
        each.__name__
        for each in classes
        if not issubclass(each, ClientError) and not any(base.__name__ in CLASSES for base in each.__mro__)
    ]
    assert unmapped == []


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("ThrottlingException", DependencyDown),
        ("DependencyTimeoutException", DependencyDown),
        ("AccessDeniedException", KeyMissing),
        ("NotFoundException", KeyMissing),
        ("InvalidCiphertextException", KeyMissing),
        ("KMSInvalidStateException", KeyMissing),
    ],
)
def test_what_passes_is_told_from_what_stays(code, kind):
    assert type(translated(answer(code))) is kind


def test_a_code_that_nobody_has_heard_of_may_pass_where_it_is_the_servers_fault():
    assert isinstance(translated(answer("NewlyInvented", 503)), DependencyDown)
    assert isinstance(translated(answer("NewlyInvented", 400)), KeyMissing)


def test_a_way_that_does_not_lead_there_is_transient():
    for error in (
        botocore.exceptions.EndpointConnectionError(endpoint_url="x"),
        botocore.exceptions.ConnectTimeoutError(endpoint_url="x"),
        botocore.exceptions.ReadTimeoutError(endpoint_url="x"),
        botocore.exceptions.ConnectionClosedError(endpoint_url="x"),
        botocore.exceptions.SSLError(endpoint_url="x", error="y"),
    ):
        assert isinstance(translated(error), DependencyDown)
    assert isinstance(translated(botocore.exceptions.NoCredentialsError()), KeyMissing)


def test_an_error_of_our_own_making_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        translated(ZeroDivisionError())
