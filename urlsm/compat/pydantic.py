"""Makes URL a field type in pydantic (version 2), and therefore a parameter type in FastAPI.

    class Page(pydantic.BaseModel):
        link: urlsm.URL
        hook: Annotated[urlsm.URL, URLConstraints(allowed_schemes=("https",), public_host=True)]

A string that is not a valid URL raises a ValidationError. The type of the error is the code of the ParseError, and its
context has the position, state and reference. In Python a URL stays a URL; in JSON it becomes a string. pydantic
imports this module when it finds URL as a type. To use URLConstraints, import it yourself.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import PydanticCustomError, PydanticKnownError, core_schema

from urlsm.errors import ParseError
from urlsm.url.value import URL, parse, try_parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler

__all__ = ["URLConstraints"]


def _refusal(error: ParseError) -> PydanticCustomError:
    where = {"position": error.position, "state": error.state, "reference": error.reference}
    said = f"{error.message}, in the {error.state} at position {error.position}"
    return PydanticCustomError(error.code, said, where)


def _schema() -> core_schema.CoreSchema:
    """Return the core schema of a URL: pydantic validates with urlsm.parse, and writes href as JSON.

    The schema has an inner schema, which is the schema of pydantic's own URLs and never validates. pydantic's
    UrlConstraints writes into the inner schema, and the JSON Schema is made from it: {"type": "string", "format":
    "uri", "minLength": 1}. urlsm.parse accepts more strings than the format "uri" allows. The results of urlsm.parse
    match this format, except for characters that the URL Standard leaves unescaped.
    https://json-schema.org/draft/2020-12/json-schema-validation#name-resource-identifiers
    """
    constraints = core_schema.url_schema()

    def validated(given: Any) -> URL:
        try:
            url = parse(given)
        except ParseError as error:
            raise _refusal(error) from None
        except TypeError as error:
            raise PydanticCustomError("url_type", str(error)) from None
        return url if len(constraints) == 1 else _constrained(url, constraints)

    as_text = core_schema.to_string_ser_schema(when_used="json")
    plain = core_schema.no_info_plain_validator_function(validated, serialization=as_text)
    return cast("core_schema.CoreSchema", _Plain(plain, schema=constraints))


class _Plain(dict[str, Any]):
    """A schema that seems to have two types. pydantic itself sees a function around an inner schema, the only type that
    UrlConstraints can annotate. pydantic's core, which bypasses __getitem__, sees a plain function, which takes a sixth
    of the time."""

    def __getitem__(self, key: str) -> Any:
        return "function-wrap" if key == "type" else super().__getitem__(key)

    def copy(self) -> _Plain:
        return _Plain(self)


def _constrained(url: URL, constraints: core_schema.UrlSchema) -> URL:
    """Return `url` with the defaults of pydantic.UrlConstraints, or raise pydantic's error if `url` violates a
    constraint."""
    limit, schemes = constraints.get("max_length"), constraints.get("allowed_schemes")
    if limit is not None and len(url.href) > limit:
        raise PydanticKnownError("url_too_long", {"max_length": limit})
    if schemes is not None and url.scheme not in schemes:
        expected = [f"'{scheme}'" for scheme in schemes]
        said = ", ".join(expected[:-1]) + " or " * (len(expected) > 1) + expected[-1] if expected else ""
        raise PydanticKnownError("url_scheme", {"expected_schemes": said})
    changes: dict[str, Any] = {}
    if not url.host and "default_host" in constraints:
        changes["host"] = constraints["default_host"]
    elif not url.host and constraints.get("host_required"):
        raise PydanticKnownError("url_parsing", {"error": "empty host"})
    if url.port is None and "default_port" in constraints:
        changes["port"] = constraints["default_port"]
    if url.path in ("", "/") and "default_path" in constraints:
        changes["path"] = constraints["default_path"]
    try:
        return url.replace(**changes) if changes else url
    except ValueError as error:
        raise PydanticKnownError("url_parsing", {"error": str(error)}) from None


def __get_pydantic_core_schema__(source: Any, handler: Any) -> core_schema.CoreSchema:
    """Return URL's core schema. This function becomes URL.__get_pydantic_core_schema__."""
    return _schema()


def __get_pydantic_json_schema__(schema: Any, handler: Any) -> dict[str, Any]:
    """Return the JSON Schema for validation and serialisation. It is generated from the inner schema."""
    found: dict[str, Any] = handler(schema["schema"])
    return found


@dataclass(frozen=True)
class URLConstraints:
    """Constraints on a URL field, for `Annotated[urlsm.URL, URLConstraints(...)]`.

    The types of its errors are "url_too_long", "url_scheme", "url_host_missing", "url_host_not_public" and
    "url_not_canonical".

    Attributes:
        max_length: the maximum length of `href`, in characters.
        allowed_schemes: the schemes to accept, in lower case.
        host_required: whether the URL must have a non-empty host.
        public_host: whether the host must be public. Names and addresses for a local network, this machine or a cloud
            metadata service are not public. The DNS is not queried.
        profile: the name of a profile in `urlsm.crawler`. The field becomes the canonical form of the URL before the
            other constraints are checked.

    Raises:
        ValueError: there is no such profile.
        TypeError: `allowed_schemes` is a single str.

    Example:
        >>> import pydantic
        >>> from typing import Annotated
        >>> Link = Annotated[urlsm.URL, URLConstraints(allowed_schemes=("https",))]
        >>> pydantic.TypeAdapter(Link).validate_python("https://ex.com")
        URL('https://ex.com/')
    """

    max_length: int | None = None
    allowed_schemes: Collection[str] | None = None
    host_required: bool = False
    public_host: bool = False
    profile: str | None = None

    def __post_init__(self) -> None:
        if self.profile is not None:
            from urlsm.crawler.profiles import profile

            profile(self.profile)
        if isinstance(self.allowed_schemes, (str, bytes)):
            kind = type(self.allowed_schemes).__name__
            raise TypeError(f"allowed_schemes must be a collection of str, not {kind}")

    def __call__(self, url: Any) -> Any:
        """Return the URL, in canonical form if there is a profile, or raise an error if the URL violates a constraint.

        Args:
            url: the URL. Any other value, such as None for an optional field, is returned unchanged.
        """
        if not isinstance(url, URL):
            return url
        if self.profile is not None:
            url = _canonical(url, self.profile)
        if self.max_length is not None and len(url.href) > self.max_length:
            raise _broken("url_too_long", "the URL is longer than {max_length} characters", max_length=self.max_length)
        if self.allowed_schemes is not None and url.scheme not in self.allowed_schemes:
            expected = ", ".join(self.allowed_schemes)
            raise _broken("url_scheme", "the scheme of the URL must be one of {expected}", expected=expected)
        if self.host_required and not url.host:
            raise _broken("url_host_missing", "the URL has no host")
        if self.public_host:
            from urlsm.security.public import has_public_host

            if not has_public_host(url):
                raise _broken("url_host_not_public", "the host of the URL is not public")
        return url

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(self, handler(source))

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        found = handler(schema)
        if self.max_length is not None and found.get("type") == "string":
            found["maxLength"] = self.max_length
        return found


def _canonical(url: URL, profile: str) -> URL:
    from urlsm.crawler.canonical import try_canonicalize

    key = try_canonicalize(url, profile)
    found = None if key is None else try_parse(key)
    if found is None:
        raise _broken("url_not_canonical", "the URL has no canonical form under {profile}", profile=profile)
    return found


def _broken(kind: str, message: str, **context: Any) -> PydanticCustomError:
    return PydanticCustomError(kind, message, context or None)
