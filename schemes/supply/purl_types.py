"""The types of package URLs, as purl-spec defines them. Written by tools/purl_types.py.

TYPES has for each type: whether a namespace is "required", "optional" or "prohibited"; which of namespace, name,
version and subpath have no significant case; the patterns that a name and a version must match, or None; the required
qualifiers; and the default registry, or None.
"""

from __future__ import annotations

__all__ = ["DATE", "TYPES"]

DATE = "2026-08-21"  # the day of the commit in purl-spec

TYPES: dict[str, tuple[str, str, str | None, str | None, str, str | None]] = {
    "alpm": ("required", "namespace name", None, None, "", None),
    "apk": ("required", "namespace name", None, None, "", None),
    "bazel": ("prohibited", "", None, None, "", "https://bcr.bazel.build"),
    "bitbucket": ("required", "namespace name", None, None, "", "https://bitbucket.org"),
    "bitnami": ("prohibited", "name", None, None, "", "https://downloads.bitnami.com/files/stacksmith"),
    "brew": ("optional", "namespace name", None, None, "", "https://formulae.brew.sh/"),
    "cargo": ("prohibited", "", None, None, "", "https://crates.io/"),
    "chrome-extension": (
        "prohibited",
        "name",
        "^[a-p]{32}$",
        r"^\d+(\.\d+){0,3}$",
        "",
        "https://chromewebstore.google.com/",
    ),
    "cocoapods": ("prohibited", "", None, None, "", "https://cdn.cocoapods.org/"),
    "composer": ("required", "namespace name", None, None, "", "https://packagist.org"),
    "conan": ("optional", "", None, None, "", "https://center.conan.io"),
    "conda": ("prohibited", "", None, None, "", "https://repo.anaconda.com"),
    "cpan": ("optional", "", None, None, "", "https://www.cpan.org/"),
    "cran": ("prohibited", "", None, None, "", "https://cran.r-project.org"),
    "deb": ("required", "namespace name", None, None, "", None),
    "docker": ("optional", "", None, None, "", "https://hub.docker.com"),
    "gem": ("prohibited", "", None, None, "", "https://rubygems.org"),
    "generic": ("optional", "", None, None, "", None),
    "git": ("required", "", None, None, "", None),
    "github": ("required", "namespace name", None, None, "", "https://github.com"),
    "golang": ("required", "", None, None, "", None),
    "hackage": ("prohibited", "", None, None, "", "https://hackage.haskell.org"),
    "hex": ("optional", "namespace name", None, None, "", "https://repo.hex.pm"),
    "huggingface": ("required", "version", None, None, "", None),
    "julia": ("prohibited", "", None, None, "uuid", "https://github.com/JuliaRegistries/General"),
    "luarocks": ("optional", "namespace name", None, None, "", None),
    "maven": ("required", "", None, None, "", "https://repo.maven.apache.org/maven2/"),
    "mlflow": ("prohibited", "", None, None, "", None),
    "npm": ("optional", "", None, None, "", "https://registry.npmjs.org/"),
    "nuget": ("prohibited", "", None, None, "", "https://www.nuget.org"),
    "oci": ("prohibited", "name version", None, None, "", None),
    "opam": ("prohibited", "", None, None, "", "https://opam.ocaml.org"),
    "otp": ("prohibited", "name subpath", None, None, "", None),
    "pub": ("prohibited", "name", None, None, "", "https://pub.dartlang.org"),
    "pypi": ("prohibited", "name version", None, None, "", "https://pypi.org"),
    "qpkg": ("required", "namespace", None, None, "", None),
    "rpm": ("required", "namespace", None, None, "", None),
    "swid": ("optional", "", None, None, "tag_id", None),
    "swift": ("required", "", None, None, "", None),
    "vcpkg": ("prohibited", "", None, None, "", "https://github.com/microsoft/vcpkg/"),
    "vscode-extension": (
        "required",
        "namespace name version",
        None,
        None,
        "",
        "https://marketplace.visualstudio.com/vscode-extension",
    ),
    "yocto": ("optional", "namespace", None, None, "", None),
}
ABOUT = {  # for urlsm.about
    "package types": {
        "tables": "TYPES",
        "source": "purl-spec, definitions of the types",
        "url": "https://github.com/package-url/purl-spec/tree/main/types",
        "date": DATE,
        "licence": "MIT",
        "used_by": "handler of pkg",
    },
}
