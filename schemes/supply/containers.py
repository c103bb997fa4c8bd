"""Container images: docker, docker-daemon, containers-storage, oci and archives. A reference names an image."""

from __future__ import annotations

import re
from collections.abc import Iterator

from urlsm.components.parts import Parts, lower
from urlsm.components.value import Components, split
from urlsm.errors.rules import Violation
from urlsm.octets.records import NamedTuple
from urlsm.schemes.characters import PCHAR
from urlsm.schemes.generic import Scheme, after_scheme, is_ip_literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

    from typing_extensions import TypeVar

__all__ = [
    "ContainersStorage",
    "Docker",
    "DockerDaemon",
    "ImageArchive",
    "ImageArchiveParts",
    "ImageParts",
    "ImageStoreParts",
    "Oci",
    "OciParts",
]

_HUB = "docker.io"
_NAME = re.compile(r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?")
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")
_DIGEST = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[+._-][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}")
_DIGITS = {"sha256": 64, "sha384": 96, "sha512": 128}
_IDENTIFIER = re.compile("[0-9a-f]{64}")


class _Reference(NamedTuple):
    """A reference, name [ ":" tag ] [ "@" digest ], split as in distribution/reference. It includes the positions of
    the tag and the digest."""

    registry: str | None
    repository: str
    tag: str | None
    digest: str | None
    tag_at: int
    digest_at: int


def _cut(text: str) -> _Reference:
    name, at, digest = text.partition("@")
    slash = name.rfind("/") + 1
    colon = name.find(":", slash)
    name, tag = (name, None) if colon < 0 else (name[:colon], name[colon + 1 :])
    first, slash_found, rest = name.partition("/")
    named = bool(slash_found) and (bool(re.search("[.:]", first)) or first == "localhost" or lower(first) != first)
    registry, repository = (first, rest) if named else (None, name)
    return _Reference(registry, repository, tag, digest if at else None, colon + 1, len(text) - len(digest))


def _folded(found: _Reference) -> str | None:
    """Return the registry in lower case. Its case does not change if only the capitals show that it is a registry
    ("Host/a")."""
    lowered = lower(found.registry or "")
    return lowered if lowered == "localhost" or re.search("[.:]", lowered) else found.registry


def _is_registry(text: str) -> bool:
    host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    host = host if colon else text
    if colon and not (port.isascii() and port.isdigit()):
        return False
    return is_ip_literal(host) if host.startswith("[") else all(map(_LABEL.fullmatch, host.split(".")))


def _fault(found: _Reference) -> tuple[str, int] | None:
    """Return the code and the position of the first fault in a reference; None if there is none."""
    if found.registry is not None and not _is_registry(found.registry):
        return "image-reference-invalid", 0
    if len(found.repository) > 255 or not all(map(_NAME.fullmatch, found.repository.split("/"))):
        return "image-reference-invalid", 0 if found.registry is None else len(found.registry) + 1
    if found.tag is not None and not _TAG.fullmatch(found.tag):
        return "image-tag-invalid", found.tag_at
    if found.digest is not None:
        algorithm, _, digits = found.digest.partition(":")
        if not _DIGEST.fullmatch(found.digest) or len(digits) != _DIGITS.get(algorithm, len(digits)):
            return "image-digest-invalid", found.digest_at
    elif found.registry is None and found.tag is None and _IDENTIFIER.fullmatch(found.repository):
        return "image-reference-invalid", 0  # it is the identifier of an image, not a name
    return None


class ImageParts(Parts):
    """A container image.

    Attributes:
        registry: the registry with its port; "docker.io" if the reference names none; None for oci: or if there is no
            reference
        repository: the repository, including the implied prefix "library/"
        tag: the tag; None if absent
        digest: the digest, such as "sha256:..."; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("docker://registry.example:5000/team/app:1.2", "docker").tag
        '1.2'
    """

    registry: str | None = None
    repository: str = ""
    tag: str | None = None
    digest: str | None = None


class ImageArchiveParts(ImageParts):
    """A container image in a tar file.

    If there is no reference, the repository is "".

    Attributes:
        file_path: the path of the file, as written

    Example:
        >>> import urlsm
        >>> urlsm.parts("docker-archive:/tmp/images.tar:alpine:3.20", "docker-archive").file_path
        '/tmp/images.tar'
    """

    file_path: str = ""


if TYPE_CHECKING:
    G = TypeVar("G", bound=Parts, default=ImageParts, covariant=True)
else:
    G = ImageParts


class _Image(Scheme[G]):
    """The base class for image schemes; it parses the reference."""

    reference = "distribution/reference; containers-transports(5)"
    reference_date = "2026-11-23"
    hierarchical = False
    in_text = "absolute"
    rules: ClassVar[dict[str, str]] = {
        "image-reference-invalid": "an image name must be lower-case letters and digits, separated by . _ - or /",
        "image-tag-invalid": 'a tag must be at most 128 letters, digits and _ . -, and must not begin with "." or "-"',
        "image-digest-invalid": 'a digest must be an algorithm and hex digits, such as "sha256:" and 64 digits',
        "image-tag-ignored": "the tag has no effect if there is a digest",
        "image-path-missing": "the path of the archive is missing",
    }

    def place(self, components: Components) -> int | None:
        """Return where the reference begins in c.text; None if there is no reference."""
        return after_scheme(components)

    def end(self, components: Components) -> int:
        """Return where the reference ends in c.text."""
        return len(components.text)

    def read_parts(self, components: Components) -> G:
        start = self.place(components)
        found = _cut(components.text[start : self.end(components)])
        fault = _fault(found)
        readable = found.tag is None and "/" in found.repository and "/" not in (found.digest or "")
        if fault is not None and not (readable and fault[0] == "image-digest-invalid"):
            # what looks like a tag, or like "@" and a digest, may be "password@host", which must not stand in the parts
            raise self.refusal(components, fault[0], "path", (start or 0) + fault[1])
        return ImageParts(*self._named(found), found.tag, found.digest)  # type: ignore[return-value]

    def _named(self, found: _Reference) -> tuple[str | None, str]:
        registry = _folded(found)
        if registry in (None, _HUB, "index.docker.io"):
            return _HUB, found.repository if "/" in found.repository else f"library/{found.repository}"
        return registry, found.repository

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from self.scheme_violations(components)
        start = self.place(components)
        if start is None:
            return
        found = _cut(components.text[start : self.end(components)])
        fault = _fault(found)
        if fault is not None:
            yield self.violation(fault[0], "path", start + fault[1])
        elif found.tag is not None and found.digest is not None:
            yield self.violation("image-tag-ignored", "path", start + found.tag_at, "warning")

    def normalize(self, components: Components) -> Components:
        """Normalise: write the full name, such as docker.io/library/alpine for "alpine". If there is no valid
        reference, only the scheme is lowercased."""
        if components.scheme is None:
            return components
        if any(found.severity == "error" for found in self.violations(components)):
            return components.replace(scheme=lower(components.scheme))
        written = self.write_parts(self.read_parts(components))
        return split(f"{lower(components.scheme)}:{written}", dialect=components.dialect)

    def equivalent(self, a: Components, b: Components) -> bool:
        return self.normalize(a).rest == self.normalize(b).rest

    def write_parts(self, parts: Any) -> str:
        written = "" if parts.registry is None else f"{parts.registry}/"
        written += parts.repository or ""
        written += "" if parts.tag is None else f":{parts.tag}"
        return written if parts.digest is None else f"{written}@{parts.digest}"


class Docker(_Image):
    """ "docker://" reference: an image in a registry"""

    names: ClassVar[tuple[str, ...]] = ("docker",)
    title = "Image in a registry"
    example = "docker://registry.example.org:5000/team/app:1.2"
    authority = "required"

    def place(self, components: Components) -> int | None:
        return after_scheme(components) + 2 if components.text.startswith("//", after_scheme(components)) else None

    def read_parts(self, components: Components) -> ImageParts:
        if self.place(components) is None:
            raise self.refusal(components, "authority-missing", "authority", after_scheme(components))
        return super().read_parts(components)

    def violations(self, components: Components) -> Iterator[Violation]:
        if self.place(components) is None:
            yield self.violation("authority-missing", "authority", after_scheme(components))
        yield from super().violations(components)

    def from_reference(self, text: str) -> str:
        """Return the URL for an image from a reference, as docker pull accepts it.

        Args:
            text: the reference.

        Raises:
            SchemeError: the text is not a valid reference.

        Example:
            >>> import urlsm
            >>> urlsm.handler("docker").from_reference("alpine:3.20")
            'docker://docker.io/library/alpine:3.20'
        """
        return self.build(**dict(self.read_parts(split(f"{self.names[0]}://{text}", dialect="rfc3986"))))

    def write_parts(self, parts: Any) -> str:
        return f"//{super().write_parts(parts)}"


class DockerDaemon(_Image):
    """ "docker-daemon:" ( reference | algorithm ":" digits ): an image in the local store of the Docker daemon"""

    names: ClassVar[tuple[str, ...]] = ("docker-daemon",)
    title = "Image in the Docker daemon"
    example = "docker-daemon:docker.io/library/alpine:3.20"
    authority = "forbidden"
    in_text = "segments"

    def place(self, components: Components) -> int | None:
        return None if _DIGEST.fullmatch(components.text, after_scheme(components)) else after_scheme(components)

    def read_parts(self, components: Components) -> ImageParts:
        if self.place(components) is None:  # the text is the identifier of an image
            return ImageParts(digest=components.text[after_scheme(components) :])
        return super().read_parts(components)

    def write_parts(self, parts: Any) -> str:
        return super().write_parts(parts) if parts.repository else parts.digest or ""


class ImageArchive(_Image[ImageArchiveParts]):
    """transport ":" path [ ":" reference ]"""

    names: ClassVar[tuple[str, ...]] = ("docker-archive", "oci-archive")
    title = "Image in a file"
    example = "docker-archive:/tmp/images.tar:docker.io/library/alpine:3.20"
    authority = "forbidden"

    def place(self, components: Components) -> int | None:
        colon = components.text.find(":", after_scheme(components))
        return None if colon < 0 else colon + 1

    def _path(self, c: Components) -> str:
        start = self.place(c)
        return c.text[after_scheme(c) :] if start is None else c.text[after_scheme(c) : start - 1]

    def read_parts(self, components: Components) -> Any:
        path = self._path(components)
        if self.place(components) is None:
            return ImageArchiveParts(file_path=path)
        return ImageArchiveParts(**dict(super().read_parts(components)), file_path=path)

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        start, path = after_scheme(components), self._path(components)
        if not path:
            yield self.violation("image-path-missing", "path", start)
        yield from self.faults(components, "path", start, start + len(path), PCHAR + "/" - ":")

    def write_parts(self, parts: Any) -> str:
        return (parts.file_path or "") + (f":{super().write_parts(parts)}" if parts.repository else "")


class ImageStoreParts(ImageParts):
    """A container image in local storage.

    Attributes:
        driver: the storage driver, such as "overlay"; None if absent
        root: the folder that contains the storage; None if absent
        run_root: the folder for run-time state; None if absent
        options: the options for the driver
        image_id: the ID of an image, in full or shortened; None if absent

    Example:
        >>> import urlsm
        >>> urlsm.parts("containers-storage:[overlay@/var/lib/storage]alpine:3.20", "containers-storage").driver
        'overlay'
    """

    driver: str | None = None
    root: str | None = None
    run_root: str | None = None
    options: tuple[str, ...] = ()
    image_id: str | None = None


_IMAGE_ID = re.compile("@([0-9a-f]{3,64})")  # for a store, the first digits of an identifier are enough, three or more
_STORE = re.compile(r"\[(?:([^]@]+)@)?(/[^]@+:]*)(?:\+(/[^]@+:]*))?(?::([^]]*))?\]")


class ContainersStorage(_Image[ImageStoreParts]):
    """ "containers-storage:" [ "[" [ driver "@" ] root [ "+" run root ] [ ":" options ] "]" ] ( image id | reference [
    "@" image id ] ). A shortened id without "@" is read as a name, because only the store can distinguish them."""

    names: ClassVar[tuple[str, ...]] = ("containers-storage",)
    title = "Image in a local container store"
    reference = "containers-transports(5)"
    example = "containers-storage:[overlay@/var/lib/containers/storage]docker.io/library/alpine:3.20"
    authority = "forbidden"
    in_text = r"\[?[A-Za-z0-9/][A-Za-z0-9._-]{0,255}[@:/.][A-Za-z0-9/]"
    rules: ClassVar[dict[str, str]] = {
        "image-store-invalid": "a storage specifier must be [driver@root+run-root:options], with absolute paths",
    }

    def _after_store(self, c: Components) -> int:
        start = after_scheme(c)
        return c.text.find("]", start) + 1 or len(c.text) if c.text.startswith("[", start) else start

    def _id_at(self, c: Components) -> int:
        """Return where the image identifier, or the "@" before it, begins; -1 if there is none."""
        start = self._after_store(c)
        if _IDENTIFIER.fullmatch(c.text, start):
            return start
        at = c.text.rfind("@", start)
        return at if at >= 0 and _IMAGE_ID.fullmatch(c.text, at) else -1

    def place(self, components: Components) -> int | None:
        start = self._after_store(components)
        return None if self._id_at(components) == start else start

    def end(self, components: Components) -> int:
        at = self._id_at(components)
        return len(components.text) if at < 0 else at

    def read_parts(self, components: Components) -> Any:
        start, text, at = after_scheme(components), components.text, self._id_at(components)
        store = _STORE.match(text, start)
        if store is None and text.startswith("[", start):
            raise self.refusal(components, "image-store-invalid", "path", start)
        named = ImageParts() if self.place(components) is None else super().read_parts(components)
        driver, root, run_root, options = (None, None, None, None) if store is None else store.groups()
        return ImageStoreParts(
            **dict(named),
            driver=driver,
            root=root,
            run_root=run_root,
            options=() if options is None else tuple(options.split(",")),
            image_id=None if at < 0 else text[at:].lstrip("@"),
        )

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        start, end = after_scheme(components), self._after_store(components)
        if components.text.startswith("[", start):
            if not _STORE.fullmatch(components.text, start, end):
                yield self.violation("image-store-invalid", "path", start)
            yield from self.faults(components, "path", start + 1, max(start + 1, end - 1), PCHAR + "/")

    def write_parts(self, parts: Any) -> str:
        store = "" if parts.driver is None else f"{parts.driver}@"
        store += parts.root or ""
        store += "" if parts.run_root is None else f"+{parts.run_root}"
        store += ":" + ",".join(parts.options) if parts.options else ""
        named = super().write_parts(parts) if parts.repository else ""
        return (f"[{store}]" if store else "") + named + ("" if parts.image_id is None else f"@{parts.image_id}")


class OciParts(ImageParts):
    """A chart or image in an OCI registry, or an image in a folder.

    For an image in a folder, the only other field is the tag.

    Attributes:
        file_path: the path of the folder, as written; None for a registry

    Example:
        >>> import urlsm
        >>> urlsm.parts("oci:/tmp/image:1.2", "oci").file_path
        '/tmp/image'
    """

    file_path: str | None = None


class Oci(_Image[OciParts]):
    """ "oci://" registry "/" repository ..., as Helm and ORAS use it; or "oci:" path [ ":" tag ], where the path is a
    folder"""

    names: ClassVar[tuple[str, ...]] = ("oci",)
    title = "Artifact in a registry, or image in a folder"
    reference = "Helm, OCI registries; containers-transports(5)"
    example = "oci://registry.example.org/charts/app:1.2.3"

    def place(self, components: Components) -> int | None:
        return after_scheme(components) + 2 if components.text.startswith("//", after_scheme(components)) else None

    def read_parts(self, components: Components) -> Any:
        if self.place(components) is not None:
            return OciParts(**dict(super().read_parts(components)))
        path, colon, tag = components.text[after_scheme(components) :].partition(":")
        if colon and not _TAG.fullmatch(tag):
            place = after_scheme(components) + len(path) + 1
            raise self.refusal(components, "image-tag-invalid", "path", place)
        return OciParts(tag=tag if colon else None, file_path=path)

    def _named(self, found: _Reference) -> tuple[str | None, str]:
        return _folded(found), found.repository

    def violations(self, components: Components) -> Iterator[Violation]:
        yield from super().violations(components)
        start, text = after_scheme(components), components.text
        if self.place(components) is not None:
            if _cut(text[start + 2 :]).registry is None:
                yield self.violation("image-reference-invalid", "path", start + 2, message="the registry is missing")
            return
        path, colon, tag = text[start:].partition(":")
        if not path:
            yield self.violation("image-path-missing", "path", start)
        yield from self.faults(components, "path", start, start + len(path), PCHAR + "/" - ":")
        if colon and not _TAG.fullmatch(tag):
            yield self.violation("image-tag-invalid", "path", start + len(path) + 1)

    def write_parts(self, parts: Any) -> str:
        if parts.file_path is None:
            return f"//{super().write_parts(parts)}"
        return f"{parts.file_path}:{parts.tag}" if parts.tag is not None else f"{parts.file_path}"
