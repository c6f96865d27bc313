"""What an object store and its driver say, in our own words: one table by code, one by class.

Nothing of the original leaves this module: a server's message may name buckets, keys and accounts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Any, Final

from memory_lib.errors import DependencyDown, Permanent, SealBroken, SelfImprintError, StaleRead, StoreBusy


class Meaning(Enum):
    """What an answer asks of the caller."""

    STALE = "stale"
    BUSY = "busy"
    DOWN = "down"
    ABSENT = "absent"
    CLOCK = "clock"
    RIGHTS = "rights"
    SETTINGS = "settings"
    DAMAGED = "damaged"
    FULL = "full"
    DEFECT = "defect"


CODES: Final[Mapping[str, Meaning]] = {
    # the conditions of a write
    "PreconditionFailed": Meaning.STALE,
    "ConditionalRequestConflict": Meaning.BUSY,
    "OperationAborted": Meaning.BUSY,
    # too much, or not now
    "SlowDown": Meaning.BUSY,
    "ThrottlingException": Meaning.BUSY,
    "RequestLimitExceeded": Meaning.BUSY,
    "TooManyRequests": Meaning.BUSY,
    "InternalError": Meaning.DOWN,
    "ServiceUnavailable": Meaning.DOWN,
    "RequestTimeout": Meaning.DOWN,
    "IncompleteBody": Meaning.DOWN,
    # nothing there
    "NoSuchKey": Meaning.ABSENT,
    "NoSuchVersion": Meaning.ABSENT,
    "NoSuchUpload": Meaning.ABSENT,
    # who asks
    "AccessDenied": Meaning.RIGHTS,
    "AllAccessDisabled": Meaning.RIGHTS,
    "AccountProblem": Meaning.RIGHTS,
    "InvalidAccessKeyId": Meaning.RIGHTS,
    "XAdminUserNotFound": Meaning.RIGHTS,  # versitygw's own word for it
    "SignatureDoesNotMatch": Meaning.RIGHTS,
    "ExpiredToken": Meaning.RIGHTS,
    "InvalidToken": Meaning.RIGHTS,
    "RequestTimeTooSkewed": Meaning.CLOCK,
    "AuthorizationHeaderMalformed": Meaning.SETTINGS,
    # where it asks
    "NoSuchBucket": Meaning.SETTINGS,
    "InvalidBucketName": Meaning.SETTINGS,
    "PermanentRedirect": Meaning.SETTINGS,
    "IllegalLocationConstraintException": Meaning.SETTINGS,
    "InvalidObjectState": Meaning.SETTINGS,
    # what arrived is not what was sent
    "BadDigest": Meaning.DAMAGED,
    "InvalidDigest": Meaning.DAMAGED,
    "XAmzContentSHA256Mismatch": Meaning.DAMAGED,
    "XAmzContentChecksumMismatch": Meaning.DAMAGED,
    # no room
    "QuotaExceeded": Meaning.FULL,
    "InsufficientStorage": Meaning.FULL,
    "EntityTooLarge": Meaning.DEFECT,
    # what we asked makes no sense
    "EntityTooSmall": Meaning.DEFECT,
    "InvalidArgument": Meaning.DEFECT,
    "InvalidPart": Meaning.DEFECT,
    "InvalidPartOrder": Meaning.DEFECT,
    "InvalidRange": Meaning.DEFECT,
    "InvalidRequest": Meaning.DEFECT,
    "InvalidWriteOffset": Meaning.DEFECT,
    "TooManyParts": Meaning.DEFECT,
    "EncryptionTypeMismatch": Meaning.DEFECT,
    "KeyTooLongError": Meaning.DEFECT,
    "MalformedXML": Meaning.DEFECT,
    "MethodNotAllowed": Meaning.DEFECT,
    "MissingContentLength": Meaning.DEFECT,
    "NotImplemented": Meaning.DEFECT,
}
"""Codes of the S3 API that our operations can meet (S3 API reference, Error responses)."""

STATUSES: Final[Mapping[int, Meaning]] = {
    301: Meaning.SETTINGS,
    400: Meaning.DEFECT,
    401: Meaning.RIGHTS,
    403: Meaning.RIGHTS,
    404: Meaning.ABSENT,
    405: Meaning.DEFECT,
    409: Meaning.BUSY,
    412: Meaning.STALE,
    429: Meaning.BUSY,
    500: Meaning.DOWN,
    501: Meaning.DEFECT,
    502: Meaning.DOWN,
    503: Meaning.DOWN,
    504: Meaning.DOWN,
    507: Meaning.FULL,
}
"""Where a server gives no code, or one of its own; an answer to HEAD has no body and so no code."""

CLASSES: Final[Mapping[str, Meaning]] = {
    # the network and the server
    "ConnectionError": Meaning.DOWN,
    "EndpointConnectionError": Meaning.DOWN,
    "ConnectionClosedError": Meaning.DOWN,
    "ConnectTimeoutError": Meaning.DOWN,
    "ReadTimeoutError": Meaning.DOWN,
    "ProxyConnectionError": Meaning.DOWN,
    "ResponseStreamingError": Meaning.DOWN,
    "IncompleteReadError": Meaning.DOWN,
    "HTTPClientError": Meaning.DOWN,
    "SSLError": Meaning.SETTINGS,
    "CapacityNotAvailableError": Meaning.BUSY,
    # credentials
    "NoCredentialsError": Meaning.RIGHTS,
    "PartialCredentialsError": Meaning.RIGHTS,
    "CredentialRetrievalError": Meaning.RIGHTS,
    "NoAuthTokenError": Meaning.RIGHTS,
    "TokenRetrievalError": Meaning.RIGHTS,
    "UnknownTokenProviderError": Meaning.RIGHTS,
    "UnknownCredentialError": Meaning.RIGHTS,
    "MetadataRetrievalError": Meaning.RIGHTS,
    "RefreshWithMFAUnsupportedError": Meaning.RIGHTS,
    "SSOError": Meaning.RIGHTS,
    "SSOTokenLoadError": Meaning.RIGHTS,
    "UnauthorizedSSOTokenError": Meaning.RIGHTS,
    "LoginError": Meaning.RIGHTS,
    "LoginRefreshRequired": Meaning.RIGHTS,
    "LoginInsufficientPermissions": Meaning.RIGHTS,
    "LoginTokenLoadError": Meaning.RIGHTS,
    "LoginAuthorizationCodeError": Meaning.RIGHTS,
    "InvalidIMDSEndpointError": Meaning.SETTINGS,
    "InvalidIMDSEndpointModeError": Meaning.SETTINGS,
    # settings, ours or the machine's
    "NoRegionError": Meaning.SETTINGS,
    "InvalidRegionError": Meaning.SETTINGS,
    "UnknownRegionError": Meaning.SETTINGS,
    "ServiceNotInRegionError": Meaning.SETTINGS,
    "BaseEndpointResolverError": Meaning.SETTINGS,
    "EndpointVariantError": Meaning.SETTINGS,
    "UnknownEndpointError": Meaning.SETTINGS,
    "UnknownFIPSEndpointError": Meaning.SETTINGS,
    "EndpointProviderError": Meaning.SETTINGS,
    "EndpointResolutionError": Meaning.SETTINGS,
    "UnknownEndpointResolutionBuiltInName": Meaning.SETTINGS,
    "InvalidEndpointConfigurationError": Meaning.SETTINGS,
    "InvalidEndpointDiscoveryConfigurationError": Meaning.SETTINGS,
    "InvalidHostLabelError": Meaning.SETTINGS,
    "InvalidDNSNameError": Meaning.SETTINGS,
    "InvalidS3AddressingStyleError": Meaning.SETTINGS,
    "InvalidS3UsEast1RegionalEndpointConfigError": Meaning.SETTINGS,
    "InvalidSTSRegionalEndpointsConfigError": Meaning.SETTINGS,
    "InvalidRetryConfigurationError": Meaning.SETTINGS,
    "InvalidMaxRetryAttemptsError": Meaning.SETTINGS,
    "InvalidRetryModeError": Meaning.SETTINGS,
    "InvalidProxiesConfigError": Meaning.SETTINGS,
    "InvalidDefaultsMode": Meaning.SETTINGS,
    "InvalidChecksumConfigError": Meaning.SETTINGS,
    "InvalidConfigError": Meaning.SETTINGS,
    "InfiniteLoopConfigError": Meaning.SETTINGS,
    "ProfileNotFound": Meaning.SETTINGS,
    "ConfigParseError": Meaning.SETTINGS,
    "ConfigNotFound": Meaning.SETTINGS,
    "MissingDependencyException": Meaning.SETTINGS,
    "MD5UnavailableError": Meaning.SETTINGS,
    "UnsupportedS3ArnError": Meaning.SETTINGS,
    "UnsupportedS3ControlArnError": Meaning.SETTINGS,
    "UnsupportedS3ConfigurationError": Meaning.SETTINGS,
    "UnsupportedS3ControlConfigurationError": Meaning.SETTINGS,
    "UnsupportedS3AccesspointConfigurationError": Meaning.SETTINGS,
    "UnsupportedOutpostResourceError": Meaning.SETTINGS,
    "UnsupportedSignatureVersionError": Meaning.SETTINGS,
    "UnknownSignatureVersionError": Meaning.SETTINGS,
    "UnsupportedServiceProtocolsError": Meaning.SETTINGS,
    # what arrived
    "ChecksumError": Meaning.DAMAGED,
    "FlexibleChecksumError": Meaning.DAMAGED,
    # calls that make no sense, and a driver that is not whole
    "BotoCoreError": Meaning.DEFECT,
    "DataNotFoundError": Meaning.DEFECT,
    "UnknownServiceError": Meaning.DEFECT,
    "ApiVersionNotFoundError": Meaning.DEFECT,
    "MissingParametersError": Meaning.DEFECT,
    "ValidationError": Meaning.DEFECT,
    "ParamValidationError": Meaning.SETTINGS,  # of what we send, only bucket and address come from outside
    "UnknownKeyError": Meaning.DEFECT,
    "RangeError": Meaning.DEFECT,
    "UnknownParameterError": Meaning.DEFECT,
    "AliasConflictParameterError": Meaning.DEFECT,
    "UnknownServiceStyle": Meaning.DEFECT,
    "PaginationError": Meaning.DEFECT,
    "OperationNotPageableError": Meaning.DEFECT,
    "UnseekableStreamError": Meaning.DEFECT,
    "WaiterError": Meaning.DEFECT,
    "WaiterConfigError": Meaning.DEFECT,
    "InvalidExpressionError": Meaning.DEFECT,
    "UnknownClientMethodError": Meaning.DEFECT,
    "StubResponseError": Meaning.DEFECT,
    "StubAssertionError": Meaning.DEFECT,
    "UnStubbedResponseError": Meaning.DEFECT,
    "AwsChunkedWrapperError": Meaning.DEFECT,
}
"""Every class of the driver's errors but ClientError, which is told by its code."""

ADVICE: Final[Mapping[Meaning, str]] = {
    Meaning.STALE: "it is not as the writer thinks; nothing was put",
    Meaning.BUSY: "the object store has too much to do, or somebody else writes the same place; try again later",
    Meaning.DOWN: "the object store does not answer; check its endpoint, or that it runs",
    Meaning.ABSENT: "it is not there any more",
    Meaning.CLOCK: "the object store's clock and this machine's are apart; set the clock",
    Meaning.RIGHTS: "the object store refuses our credentials; check access_key, secret_key and the bucket's rights",
    Meaning.SETTINGS: "the object store is not where the settings say; check bucket, region and endpoint",
    Meaning.DAMAGED: "it did not arrive as it was sent; try again, and check the network if it stays so",
    Meaning.FULL: "the object store has no room left; free some",
    Meaning.DEFECT: "the object store does not understand what it was asked; this is a defect, report it",
}


def meaning_of(error: Exception) -> Meaning:
    """What a driver's error asks of the caller."""
    response: Mapping[str, Any] | None = getattr(error, "response", None)
    if isinstance(response, Mapping) and "Error" in response:
        return meaning_of_answer(
            str(response["Error"].get("Code", "")), response.get("ResponseMetadata", {}).get("HTTPStatusCode")
        )
    return next((CLASSES[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in CLASSES), Meaning.DEFECT)


def meaning_of_answer(code: str, status: int | None) -> Meaning:
    """What a server's answer asks of the caller, by its code, else by its status."""
    if code in CODES:
        return CODES[code]
    number = status if status is not None else int(code) if code.isdecimal() else 0
    return STATUSES.get(number, Meaning.DOWN if number >= 500 else Meaning.DEFECT)


def error_of(meaning: Meaning, path: str, name: str) -> SelfImprintError:
    """Our error. ``path``: of the file, "" where it is about none. ``name``: the driver's code or class."""
    sentence = f"{f'file {path}: ' if path else ''}{ADVICE[meaning]} ({name})"
    match meaning:
        case Meaning.STALE:
            return StaleRead(sentence)
        case Meaning.BUSY:
            return StoreBusy(sentence)
        case Meaning.DOWN | Meaning.ABSENT:
            return DependencyDown("files", f"{ADVICE[meaning]} ({name}{f' at {path}' if path else ''})")
        case Meaning.DAMAGED:
            return SealBroken(sentence)
        case _:
            return Permanent(sentence)


def name_of(error: Exception) -> str:
    """The code that the server gave, or the class of the driver's error."""
    response = getattr(error, "response", None)
    if isinstance(response, Mapping) and "Error" in response:
        code = str(response["Error"].get("Code", ""))
        return code if code in CODES or code.isdecimal() else "another code"
    return type(error).__name__


@contextmanager
def store_errors(path: str) -> Iterator[None]:
    """Translate whatever the driver raises inside. What is ours passes."""
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - an extra

    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise error_of(meaning_of(error), path, name_of(error)) from None


@contextmanager
def client_errors() -> Iterator[None]:
    """The same for the making of a client, where the driver also says ValueError of an address that is none."""
    try:
        with store_errors(""):
            yield
    except ValueError:
        raise error_of(Meaning.SETTINGS, "", "ValueError") from None
