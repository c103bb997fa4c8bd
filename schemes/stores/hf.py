"""hf: repositories and buckets on the Hugging Face Hub, as huggingface_hub 2.4.0 reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import PCHAR, UNRESERVED, Characters
from urlsm.schemes.generic import after_scheme
from urlsm.schemes.stores.store import Store, escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Hf", "HfParts"]

_TYPES = {"models": "model", "datasets": "dataset", "spaces": "space", "kernels": "kernel", "buckets": "bucket"}
_PLURALS = {kind: plural for plural, kind in _TYPES.items()}
_PLAIN_REVISION = re.compile(r"refs/(?:pr/[0-9]+|convert/[^/]+)")
_REVISION_IN_PATH = re.compile(r"(refs/(?:pr/[0-9]+|convert/[^/]+))(?=/|\Z)")
_REVISION = UNRESERVED + "!$&'()*+,;=:@"
_NAME = r"\w(?:[\w.-]{0,94}\w)?"
_ID = re.compile(rf"(?!.*(?:--|\.\.|\.git\Z)){_NAME}/{_NAME}", re.ASCII)
_WEB = {"model": "", "dataset": "datasets/", "space": "spaces/", "kernel": "kernels/", "bucket": "buckets/"}
ABOUT = {  # for urlsm.about
    "types of repositories": {
        "tables": "_TYPES _WEB",
        "source": "huggingface_hub, HF URIs",
        "url": "https://huggingface.co/docs/huggingface_hub/en/package_reference/hf_uris",
        "date": "2026-11-23",
        "licence": "Apache-2.0",
        "used_by": "handler of hf",
    },
}


class HfParts(Parts):
    """A file on the Hugging Face Hub.

    Attributes:
        type: the repository type: "model", "dataset", "space", "kernel" or "bucket"
        id: the repository, as "owner/name"
        revision: a branch, tag or commit, decoded; None if absent
        path: the path in the repository, as written; "" if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("hf://datasets/acme/words@main/train.csv", "hf").revision
        'main'
    """

    type: str = "model"
    id: str = ""
    revision: str | None = None
    path: str = ""


class Hf(Store[HfParts]):
    """ "hf://" [ type "s/" ] owner "/" name [ "@" revision ] [ "/" path ]. It has neither a host nor a query."""

    names: ClassVar[tuple[str, ...]] = ("hf",)
    title = "Model, dataset or bucket on the Hugging Face Hub"
    reference = "huggingface_hub, HF URIs"
    reference_date = "2026-11-21"
    example = "hf://datasets/my-org/my-dataset@main/train/data.csv"
    host_case = "keep"
    literal = "path"
    joined: ClassVar[tuple[str, ...]] = ("//{id}@{revision}/{path}",)
    rules: ClassVar[dict[str, str]] = {
        "hf-type-singular": "the type must be models, datasets, spaces, kernels or buckets",
        "hf-id-invalid": 'a name must be at most 96 letters, digits and . - _, without "--", ".." and ".git"',
        "hf-id-missing": "the repository must be owner/name",
        "hf-revision-empty": 'the revision after "@" is missing',
        "hf-bucket-revision": "a bucket cannot have a revision",
        "hf-segment-empty": "a segment of the path is empty",
    }

    def read_parts(self, components: Components) -> HfParts:
        if components.host is None:
            raise self.refusal(components, "authority-missing", "authority", after_scheme(components))
        kind, owner, name, revision, path = _cut(components.rest[2:])
        return HfParts(kind, f"{owner}/{name}" if name else owner, None if revision is None else decode(revision), path)

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        start = after_scheme(components)
        if components.host is None:
            yield self.violation("authority-missing", "authority", start)
            return
        capital = re.search("[A-Z]", components.scheme or "")
        if capital is not None:
            message = "huggingface_hub does not recognise the URI if the scheme has an upper-case letter"
            yield self.violation("character-not-allowed", "scheme", capital.start(), "warning", message)
        start += len("//")
        rest = components.rest[2:]
        kind, owner, name, revision, path = _cut(rest)
        typed = len(rest.partition("/")[0]) + 1 if rest.partition("/")[0] in _TYPES else 0
        at = start + typed
        if not typed and rest.partition("/")[0] in _PLURALS:
            yield self.violation("hf-type-singular", "path", start)
        elif not owner or not name:
            yield self.violation("hf-id-missing", "path", at)
        elif "@" in owner if kind == "bucket" else not _ID.fullmatch(f"{owner}/{name}"):
            yield self.violation("hf-id-invalid", "path", at)
        mark = at + len(owner) + 1 + len(name)
        end = mark if revision is None else mark + 1 + len(revision)
        yield from self.faults(components, "path", start, end, PCHAR + "/")
        yield from self.key_violations(components, len(components.text) - len(path))
        if revision == "":
            yield self.violation("hf-revision-empty", "path", mark + 1)
        elif revision is not None and kind == "bucket":
            yield self.violation("hf-bucket-revision", "path", mark)
        empty = f"/{path}".find("//")
        if empty >= 0:
            yield self.violation("hf-segment-empty", "path", len(components.text) - len(path) + empty)

    def normalize(self, components: Components) -> Components:
        """Normalise: always write the type, and write the revision as huggingface_hub does. The path does not
        change."""
        if components.scheme is None:
            return components
        scheme = lower(components.scheme)
        if any(violation.severity == "error" for violation in self.violations(components)):
            return components.replace(scheme=scheme)
        return split(f"{scheme}:{self.write_parts(self.read_parts(components))}", dialect=components.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        return self.normalize(a).rest == self.normalize(b).rest

    def write_parts(self, parts: Any) -> str:
        written = f"//{_PLURALS.get(parts.type or 'model', parts.type)}/{parts.id or ''}"
        if parts.revision is not None:
            plain = _PLAIN_REVISION.fullmatch(parts.revision)
            written += "@" + (_REVISION + "/" if plain else _REVISION).encode(parts.revision)
        return written + (f"/{parts.path}" if parts.path else "")

    def web_url(self, parts: Any) -> str | None:
        if not parts.id or "/" not in parts.id:
            return None
        path = escaped(parts.path)
        if path is None:
            return None
        url = f"https://huggingface.co/{_WEB.get(parts.type, '')}{parts.id}"
        if not parts.path and parts.revision is None:
            return url
        kind = "blob" if parts.path else "tree"
        return f"{url}/{kind}/{Characters(_REVISION.allowed + '/').encode(parts.revision or 'main')}" + (
            f"/{path}" if path else ""
        )


def _cut(rest: str) -> tuple[str, str, str, str | None, str]:
    """Return the type, owner, name, revision and path, as written. The revision is None if there is no "@" after the
    name."""
    first, _, after = rest.partition("/")
    kind = "model"
    if first in _TYPES:
        kind, rest = _TYPES[first], after
    owner, _, after = rest.partition("/")
    name, _, path = after.partition("/")
    name, at, revision = name.partition("@")
    if not at:
        return kind, owner, name, None, path
    special = _REVISION_IN_PATH.match(f"{revision}/{path}" if path else revision)
    if special is not None:  # a revision with "/" in it
        revision, path = special[1], f"{revision}/{path}"[special.end() + 1 :]
    return kind, owner, name, revision, path
