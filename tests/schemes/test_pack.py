"""The second pack of schemes: recorded answers of other programs (../shared/schemes-2, read there), with the known
differences; and cases of our own."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from support.checks import check_normal_form, noted
from support.schemes2 import vectors
from support.seeds import draws, seeded

import urlsm
from urlsm.schemes.hostlist import HostList, HostPort

ID = "0123456789abcdef" * 4
V0 = "QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR"
V1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"

Answer = dict[str, object]


def parts_or_none(text: str) -> Answer | None:
    try:
        return dict(urlsm.parts(text))
    except urlsm.SchemeError:
        return None


def database(text: str, wanted: Answer | None) -> tuple[Answer | None, Answer | None]:
    """Return SQLAlchemy's answer, and ours in its terms."""
    found = parts_or_none(text)
    if found is None or wanted is None:
        return found, wanted
    query: dict[str, list[str]] = {}
    for name, value in found["query_params"]:  # type: ignore[attr-defined]
        if value is not None:
            query.setdefault(name, []).append(value)
    name = found.get("database", found.get("dataset", found.get("file_path")))
    host = found.get("host", found.get("project"))
    ours: Answer = {
        "username": found.get("username"),
        "password": found.get("password"),
        "host": f"{host}\\{found['instance']}" if found.get("instance") else host,
        "port": found.get("port"),
        "database": f"{name}/{found['schema']}" if found.get("schema") and "catalog" not in found else name or "",
        "query": {name: values[0] if len(values) == 1 else values for name, values in query.items()},
    }
    if "driver" in found:  # postgresql, which is libpq's
        assert (found["driver"] or "") == str(wanted["driver"]).partition("+")[2]
    else:
        ours |= {name: wanted[name] for name in ("host", "port")}
    theirs = {**{name: wanted[name] for name in ours}, "database": wanted["database"] or ""}
    return ours, {**theirs, "database": "" if theirs["database"] == ":memory:" else theirs["database"]}


def hub(text: str, wanted: Answer | None) -> tuple[Answer | None, Answer | None]:
    found = parts_or_none(text)
    if found is not None:
        path = found.pop("path")
        found = {**found, "path_in_repo": path, "uri": urlsm.normalize(text)}
    return found, wanted


def one_time_password(text: str, wanted: Answer | None) -> tuple[Answer | None, Answer | None]:
    found = parts_or_none(text)
    if found is not None:
        names = ("type", "issuer", "account", "digits", "period", "counter")
        found = {"name" if name == "account" else name: found[name] for name in names}
    return found, wanted


def repository(text: str, wanted: Answer | None) -> tuple[Answer | None, Answer | None]:
    found = parts_or_none(text)
    if found is None or wanted is None:
        return found, wanted
    return {name: found[name] for name in ("url", "revision")}, {name: wanted[name] for name in ("url", "revision")}


# the file, the function of our answer in the program's terms, and the differing texts with the reasons
LIVE: dict[str, tuple[Callable[[str, Answer | None], tuple[Answer | None, Answer | None]], dict[str, str]]] = {
    "sqlalchemy-live.json": (
        database,
        {
            "mysql+pymysql://u:p@ss@h/db": "RFC 3986: an @ of a password is escaped",
            "mysql://u:p/w@h/db": "RFC 3986: a / ends the authority",
            "mysql://u:p#w@h/db": "RFC 3986: a # begins the fragment",
            "mysql://u:p?w@h/db": "RFC 3986: a ? begins the query",
            "mysql://h:/d": "RFC 3986: a port may be empty",
            "clickhouse+native://h1,h2:9001/db": "two hosts: each of them may be asked",
            "sqlite:///C:\\x.db": "RFC 3986: a backslash is escaped",
            "sqlite:///a#b.db": "RFC 3986: a # begins the fragment",
        },
    ),
    "hf-live.json": (
        hub,
        {
            "hf://models/a/b@a%2520b/f": "to_uri escapes no %, so that its URI has another revision",
            "HF://a/b": "a scheme has no case; a warning",
            "gpt2": "not a URL",
        },
    ),
    "otpauth-live.json": (
        one_time_password,
        {
            "otpauth://totp/ACME%3Abob?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP": "the format: %3A divides a label, too",
            "otpauth://totp/A:%20b?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP": "the format: %20 may precede an account",
            "otpauth://hotp/x?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP": "the format: hotp requires a counter",
            "otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=B": "common: a warning",
            "otpauth://TOTP/x?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP": "RFC 3986: a host has no case",
            "otpauth://totp/?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP": "the format: an account is required",
        },
    ),
    "pip-vcs-live.json": (
        repository,
        {
            "git+https://h/@u/r.git": "a path that begins with @ is a repository's",
            "git+https://h/r@feat%2Fx": "a revision is decoded",
            "git+ssh://git@h:a/b.git@v": "RFC 3986: a port is a number",
        },
    ),
}


@pytest.mark.parametrize("name", LIVE)
def test_what_live_programs_answer(name):
    in_their_words, others = LIVE[name]
    different = set()
    for row in vectors(name):
        ours, theirs = in_their_words(row["url"], row["parts"])
        if ours != theirs:
            different.add(row["url"])
    assert different - others.keys() == set() and others.keys() - different <= {"gpt2"}


def test_places_as_scp_and_git_write_them():
    handler = urlsm.handler("ssh")
    for row in vectors("git-live.json"):
        diagnosis = row["diag"]
        if "://" in row["url"]:
            continue
        if diagnosis is None or diagnosis["protocol"] != "ssh":
            with pytest.raises(ValueError):
                handler.from_scp(row["url"])
            continue
        found = urlsm.parts(handler.from_scp(row["url"]))
        user = "" if found.username is None else f"{found.username}@"
        assert (f"{user}{found.host}", str(found.port or "NONE")) == (diagnosis["userandhost"], diagnosis["port"])
        path = found.path.removeprefix("/~/") if not diagnosis["path"].startswith(("/", "~")) else found.path
        assert path.removeprefix("/") == diagnosis["path"].removeprefix("/")


@pytest.mark.parametrize("text", ["-x:r", "u@-x:r", "-u@h:r", "[-h:2]:r", "/a:b", "h", "h:", "ssh://h:r", ""])
def test_what_is_no_place_on_another_host(text):
    with pytest.raises(ValueError):
        urlsm.handler("ssh").from_scp(text)


def test_the_examples_of_rfcs_are_valid():
    for row in vectors("rfc-examples.json"):
        assert [found for found in urlsm.validate(row["url"], dialect="rfc3986") if found.severity == "error"] == [], (
            row
        )
        assert urlsm.parts(row["url"]) == urlsm.parts(urlsm.normalize(row["url"])) or row["scheme"] not in ("nih",)


# --- normal forms, violations and parts of our own -------------------------------------------------


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("MYSQL+PyMySQL://U:p@H.Ex:3306/Db?a=b", "mysql+pymysql://U:p@h.ex/Db?a=b"),
        ("mysql://h/a/../b", "mysql://h/a/../b"),
        ("clickhouse+http://h:8123/", "clickhouse+http://h/"),
        ("clickhouse+native://h:8123/", "clickhouse+native://h:8123/"),
        ("bigquery://My-Project/ds", "bigquery://My-Project/ds"),
        ("SNOWFLAKE://U@AB12.eu/DB", "snowflake://U@AB12.eu/DB"),
        ("sqlite:///./a/../b.db", "sqlite:///./a/../b.db"),
        ("hf://a/b@refs%2Fpr%2F1/x/../y", "hf://models/a/b@refs/pr/1/x/../y"),
        ("abfss://Data@Acc.DFS.core.windows.net/a%20b//./c", "abfss://Data@acc.dfs.core.windows.net/a%20b//./c"),
        ("az://Cont/a/./b", "az://Cont/a/./b"),
        ("s3a://b/a#b?c", "s3a://b/a#b?c"),
        (f"ipfs://{V0}/A/./b", f"ipfs://{V0}/A/./b"),
        (f"ipfs://{V1.upper()}", f"ipfs://{V1}"),
        ("ipns://Docs.Ipfs.Tech/A", "ipns://docs.ipfs.tech/A"),
        ("git+https://User@GitHub.com/A/b.git@V1/../x", "git+https://User@github.com/A/b.git@V1/../x"),
        (
            "otpauth://TOTP/a?secret=abcdefgh%3D%3D&digits=6&period=30&algorithm=sha1",
            "otpauth://totp/a?secret=ABCDEFGH",
        ),
        ("otpauth://totp/A+B:c?secret=AA&issuer=A+B", "otpauth://totp/A+B:c?secret=AA&issuer=A%2BB"),
        ("did:Web:A", "did:Web:A"),
        ("DID:web:Ex.com%3a1", "did:web:Ex.com%3a1"),
        ("nih:3;532690-57e12f-e2b74b-a07c89-2560a2;f", "nih:sha-256-120;53269057e12fe2b74ba07c892560a2;f"),
        ("AAA://H:03868;transport=tcp", "aaa://h;transport=tcp"),
        ("iax:u@H:4569/1?c", "iax:u@h/1?c"),
        ("acct:A%40b@H.Ex", "acct:A%40b@h.ex"),
        ("tag:A@b.c,2001:%61", "tag:A@b.c,2001:%61"),
        ("pkcs11:id=%69%95;object=a", "pkcs11:id=%69%95;object=a"),
        ("COAP+WS://H:80?%61", "coap+ws://h/?a"),
        ("MQTTS+WS://U@H:443/A/../b", "mqtts+ws://U@h/A/../b"),
        ("smb://W;u%3bx@H:445/S/a/../b", "smb://W;u%3Bx@h/S/b"),
        ("jar:HTTPS://Ex.org:443/a.jar!/B/../c", "jar:https://ex.org/a.jar!/B/../c"),
        ("zip://A::S3://b/k", "zip://A::s3://b/k"),
        ("docker://Alpine.Example/a:1", "docker://alpine.example/a:1"),
        ("docker://Host/a", "docker://Host/a"),
        ("docker-daemon:alpine", "docker-daemon:docker.io/library/alpine"),
        ("docker-archive:/T/a.tar:alpine", "docker-archive:/T/a.tar:docker.io/library/alpine"),
        ("oci:/T/a:B", "oci:/T/a:B"),
        ("vers:NPM/=1.%30|>=2.0", "vers:npm/1.0|>=2.0"),
        (
            "GITOID:blob:sha1:261eeb9e9f8b2b4b0d119366dda99c6fd7d35c64",
            "gitoid:blob:sha1:261eeb9e9f8b2b4b0d119366dda99c6fd7d35c64",
        ),
        ("android-app://com.Ex.app/HTTPS/H/./a", "android-app://com.Ex.app/HTTPS/H/./a"),
        ("clickhouse+http://A:8123,b:1/D", "clickhouse+http://a,b:1/D"),
        ("NATS://U:p@A:4222,B:04223,tls://C", "nats://U:p@a,nats://b:4223,tls://c"),
        ("dbfs:/Volumes/A/./b", "dbfs:/Volumes/A/./b"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mysql://h/d?local_infile=1", [("mysql-local-infile", 12)]),
        ("mssql://h\\i:1/d?odbc_connect=x", [("mssql-instance-and-port", 8), ("mssql-odbc-connect", 16)]),
        ("oracle://h/sid?service_name=x", [("oracle-service-and-sid", 15)]),
        ("bigquery://p/d", [("bigquery-project-invalid", 11)]),
        (
            "neo4j+x://u@h/?a=1&a=2",
            [("neo4j-transport-unknown", 6), ("userinfo-not-allowed", 10), ("parameter-duplicate", 19)],
        ),
        ("sqlite:/a.db", [("database-path-ambiguous", 7)]),
        ("sqlite://h/a", [("database-host-not-allowed", 9)]),
        ("hf://dataset/a/b", [("hf-type-singular", 5)]),
        ("hf://a", [("hf-id-missing", 5)]),
        ("hf://a/b:c", [("hf-id-invalid", 5)]),
        ("hf://a/b@", [("hf-revision-empty", 9)]),
        ("hf://buckets/a/b@v", [("hf-bucket-revision", 16)]),
        ("hf://a/b/c//d", [("hf-segment-empty", 11)]),
        ("hf://a/b//d", [("hf-segment-empty", 9)]),
        *(
            (f"hf://{name}", [("hf-id-invalid", 5)])
            for name in ("a/-b", "a./b", "a/b--c", "a..b/c", "a/b.git", "a/" + 97 * "b")
        ),
        ("abfss:///k", [("azure-container-missing", 8), ("azure-account-missing", 8)]),
        ("abfss://A@b_c/k", [("azure-container-invalid", 8), ("azure-account-invalid", 11)]),
        ("abfss://abc@h.example/k", [("azure-endpoint-unknown", 12)]),
        ("abfss://abc@ac.dfs.core.windows.net/k", [("azure-account-invalid", 12)]),
        ("abfss://abc@ac-count.dfs.core.windows.net/k", [("azure-account-invalid", 12)]),
        ("abfss://abc@account-secondary.dfs.core.windows.net/k", []),
        ("abfss://My%20Space@onelake.dfs.fabric.microsoft.com/Lake.Lakehouse/Files/a", []),
        ("oss://a/k", [("bucket-name-invalid", 6)]),
        ("ipfs://qmbwqxbekc3p8tqskc98xmwnzrzdtrlmimpl8wbutgsmnr", [("cid-lower-cased", 7)]),
        ("ipfs://example.com", [("cid-invalid", 7)]),
        ("git+https://h", [("vcs-repository-missing", 13)]),
        ("git+https:///a", [("host-missing", 12)]),
        ("git+file:///a", []),
        ("bzr+lp:project@1.0", []),
        ("git+https:a", [("authority-missing", 10)]),
        ("git+https://h/a@-x#egg=a", [("vcs-revision-option", 16), ("vcs-egg-deprecated", 19)]),
        ("git+https://h/a@", [("vcs-revision-empty", 16)]),
        (
            "otpauth://x/?secret=1&digits=x&algorithm=a",
            [
                ("otp-type-unknown", 10),
                ("otp-account-missing", 12),
                ("otp-secret-not-base32", 20),
                ("parameter-value-invalid", 29),
                ("otp-algorithm-unknown", 41),
            ],
        ),
        ("otpauth://totp/a?secret=AA&issuer=A+B", [("otp-plus", 35)]),
        (
            "otpauth://hotp/A:b?secret=A&issuer=B&digits=9",
            [("otp-issuer-mismatch", 35), ("otp-digits-out-of-range", 44), ("otp-counter-missing", 45)],
        ),
        ("otpauth://totp/a?period=0", [("otp-period-out-of-range", 24), ("parameter-missing", 25)]),
        ("did:A:b", [("did-method-invalid", 4)]),
        ("did:a:", [("did-id-missing", 6)]),
        ("did:web:a%3Ab", [("did-web-host-invalid", 8)]),
        ("ni:///sha-256", [("digest-missing", 13)]),
        ("ni:///sha-256;AA", [("digest-length", 14)]),
        ("ni:///md9;A", [("digest-algorithm-unknown", 6), ("digest-invalid", 10)]),
        ("nih:sha-256-32;53269057;c", [("check-digit-wrong", 24)]),
        ("aaa://h;transport=x", [("aaa-value-unknown", 18)]),
        ("bitcoin:?label=a", [("bitcoin-payment-missing", 8)]),
        ("bitcoin:a-b", [("bitcoin-address-invalid", 8), ("character-not-allowed", 9)]),
        (
            "bitcoin:?bc=tb1&amount=1,5&req-x=1&pop=https:x",
            [
                ("bitcoin-address-network", 12),
                ("bitcoin-amount-invalid", 23),
                ("bitcoin-required-unknown", 27),
                ("bitcoin-pop-web", 39),
                ("authority-missing", 45),
            ],
        ),
        ("ethereum:x?value=1.5", [("ethereum-target-invalid", 9), ("ethereum-value-invalid", 17)]),
        ("payto://iban/x?amount=5", [("payto-amount-invalid", 22)]),
        ("intent:x", [("intent-begin-missing", 8)]),
        ("intent:#Intent;", [("intent-end-missing", 15)]),
        (
            "intent:#Intent;S.browser_fallback_url=javascript:x;SEL;component=a;x.y=1;end",
            [
                ("intent-fallback-not-web", 38),
                ("intent-selector", 51),
                ("intent-component", 55),
                ("intent-field-unknown", 67),
            ],
        ),
        ("swh:1:cnt:A", [("swhid-invalid", 10)]),
        ("swh:1:cnt:" + "a" * 40 + ";origin=file:/etc", [("swhid-origin-not-web", 58)]),
        (
            "git+https://ghp_0123456789abcdefghijABCDEFGHIJ012345@h/a",
            [("vcs-token-in-user", 12), ("userinfo-deprecated", 12)],
        ),
        ("nats://a,tls://b,http://c:x", [("nats-list", 8), ("nats-server-scheme", 17), ("port-invalid", 26)]),
        ("nats://a,", [("nats-list", 8), ("host-missing", 9)]),
        ("mqtt://h/a/+", [("mqtt-topic-wildcard", 11)]),
        ("mqtt://h/%23", [("mqtt-topic-wildcard", 9)]),
        ("smb://W;u:p@h", [("smb-domain", 6), ("smb-share-missing", 13)]),
        ("jar:file:/a", [("archive-separator-missing", 11)]),
        ("jar:/a!/b/%2E./c", [("archive-target-invalid", 4), ("archive-entry-dots", 10)]),
        ("zip://../a::s3://b/k", [("archive-entry-dots", 6), ("bucket-name-invalid", 17)]),
        ("docker:a", [("authority-missing", 7)]),
        ("docker://A", [("image-reference-invalid", 9)]),
        ("docker://a:-", [("image-tag-invalid", 11)]),
        ("docker://a@sha256:" + "a" * 63, [("image-digest-invalid", 11)]),
        ("docker://a:1@sha256:" + "a" * 64, [("image-tag-ignored", 11)]),
        ("docker-archive::alpine", [("image-path-missing", 15)]),
        ("oci://a", [("image-reference-invalid", 6)]),
        ("oci:", [("image-path-missing", 4)]),
        ("oci:a:-", [("image-tag-invalid", 6)]),
        ("containers-storage:[]a", [("image-store-invalid", 19)]),
        ("containers-storage:[relative/path]a", [("image-store-invalid", 19)]),
        ("containers-storage:[@/root]a", [("image-store-invalid", 19)]),
        ("containers-storage:[overlay@]a", [("image-store-invalid", 19)]),
        ("containers-storage:[overlay@/r+run]a", [("image-store-invalid", 19)]),
        ("containers-storage:[/root", [("image-store-invalid", 19), ("image-reference-invalid", 25)]),
        ("containers-storage:[/a b]a", [("character-not-allowed", 22)]),
        ("containers-storage:", [("image-reference-invalid", 19)]),
        ("containers-storage:A@" + ID, [("image-reference-invalid", 19)]),
        ("containers-storage:busybox@ab", [("image-digest-invalid", 27)]),
        ("containers-storage:busybox@@" + ID, [("image-digest-invalid", 27)]),
        ("containers-storage:busybox@ab@" + ID, [("image-digest-invalid", 27)]),
        ("containers-storage:@sha256:" + ID, [("image-reference-invalid", 19)]),
        ("gitoid:blob:sha256:" + "a" * 40, [("gitoid-length", 19)]),
        ("gitoid:a:sha1", [("name-section-invalid", 7), ("name-section-missing", 13)]),
        ("vers:npm", [("vers-scheme-invalid", 8)]),
        (
            "vers:npm/1|>1|<|*|>=a=b",
            [
                ("vers-version-duplicate", 11),
                ("vers-version-missing", 15),
                ("vers-star", 16),
                ("vers-version-invalid", 21),
            ],
        ),
        ("android-app://a/b_c/d", [("android-package-invalid", 14), ("android-scheme-invalid", 16)]),
        ("spiffe://a*b/", [("spiffe-trust-domain-invalid", 10), ("spiffe-segment-empty", 13)]),
        ("spiffe://a/./%41", [("spiffe-segment-dot", 11), ("spiffe-escape", 13)]),
        ("doi:11.1/a", [("name-section-invalid", 4)]),
        ("spiffe://" + "a" * 256, [("spiffe-too-long", 9)]),
        ("acct:a", [("name-section-missing", 6)]),
        ("tag:a,1:b", [("name-section-invalid", 6)]),
        (
            "pkcs11:library-version=x;type=y;pin-value=1",
            [("pkcs11-library-version-invalid", 23), ("pkcs11-type-unknown", 30), ("pkcs11-pin-in-path", 32)],
        ),
        ("pkcs11:?pin-source=|ls&pin-value=1", [("pkcs11-pin-command", 19), ("pkcs11-pin-twice", 23)]),
    ],
)
def test_violations(text, found):
    assert noted(text) == found


@pytest.mark.parametrize("name", ["bitcoin.json", "ethereum.json"])
def test_the_examples_of_payments(name):
    for row in vectors(name):
        wrong = [found for found in urlsm.validate(row["url"], dialect="rfc3986") if found.severity == "error"]
        assert (wrong == []) is (row["valid"] is not False), (row, wrong)  # null: a URI, but not to be followed


def test_parts_of_payments():
    found = urlsm.parts("BITCOIN:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?AMOUNT=20.3&Label=Luke-Jr")
    assert (found.amount, found.label) == (Decimal("20.3"), "Luke-Jr")
    assert urlsm.parts("ethereum:0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359?value=2.014e18").value == 2014 * 10**15
    assert urlsm.parts("payto://iban/DE75?amount=EUR:1").segments == ("DE75",)
    text = "intent://scan/#Intent;scheme=zxing;package=a.b;i.n=1;S.browser_fallback_url=https%3A%2F%2Fz.org;end"
    found = urlsm.parts(text)
    assert (found.data, found.data_scheme, found.fallback) == ("//scan/", "zxing", "https://z.org")
    assert found.extras == (("i.n", 1),)


def test_secrets_are_masked():
    for text, secret in (
        ("otpauth://totp/a?secret=JBSWY3DP", "JBSWY3DP"),
        ("mysql://u:s3cret@h/d", "s3cret"),
        ("git+https://u:s3cret@h/a", "s3cret"),
        ("pkcs11:?pin-value=s3cret", "s3cret"),
        ("databricks://token:s3cret@h", "s3cret"),
        ("cassandra://u:s3cret@h1,h2", "s3cret"),
        ("smb://W;u:s3cret@h/a", "s3cret"),
        ("mqtt://u:s3cret@h/a", "s3cret"),
        ("nats://h,u:s3cret@h", "s3cret"),
        ("jar:https://u:s3cret@h/a!/b", "s3cret"),
        ("git+https://ghp_0123456789abcdefghijABCDEFGHIJ012345@h/a", "ghp_01"),
    ):
        assert secret not in repr(urlsm.parts(text)), text


@pytest.mark.parametrize(
    ("text", "nested"),
    [
        ("git+https://u@h/a.git@v1?x#subdirectory=y", "https://u@h/a.git?x"),
        ("did:web:ex.com%3A8443:u", "https://ex.com:8443/u/did.json"),
        ("did:key:z6Mk", None),
        ("pkcs11:?pin-source=file:/etc/pin", "file:/etc/pin"),
        ("mysql://h/d", None),
        ("view-source:http://h/a#b", "http://h/a"),
        ("blob:https://h:1/40a5fb5a-d56d-4a33-b4e2-0acf6a8e5f64", "https://h:1"),
        ("blob:null/40a5fb5a-d56d-4a33-b4e2-0acf6a8e5f64", None),
        ("jdbc:postgresql://h/d", "postgresql://h/d"),
        ("jdbc:oracle:thin:@h", None),
        ("bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?pop=app%3Ax", "app:x"),
        ("intent:x#Intent;scheme=http;end", "http:x"),
        ("jar:https://h/a.jar!/b", "https://h/a.jar"),
        ("zip://a.csv::s3://b/k.zip", "s3://b/k.zip"),
        ("jar:file:/a", None),
        ("android-app://a.b/https/h/p", "https://h/p"),
        ("android-app://a.b/https", None),
    ],
)
def test_the_url_within(text, nested):
    found = urlsm.handler(text.partition(":")[0]).nested(urlsm.split(text, dialect="rfc3986"))
    assert list(found) == ([] if nested is None else [nested])


@pytest.mark.parametrize(
    ("text", "web"),
    [
        ("hf://a/b", "https://huggingface.co/a/b"),
        ("hf://spaces/a/b@refs/pr/1/x.py", "https://huggingface.co/spaces/a/b/blob/refs/pr/1/x.py"),
        ("hf://a/b@v1", "https://huggingface.co/a/b/tree/v1"),
        ("abfss://cont@acc.dfs.core.windows.net/k", "https://acc.dfs.core.windows.net/cont/k"),
        ("az://cont/k", None),
        ("doi:10.1000/182", "https://doi.org/10.1000/182"),
        ("ipns://docs.ipfs.tech/a", "https://ipfs.io/ipns/docs.ipfs.tech/a"),
        ("did:web:ex.com", "https://ex.com/.well-known/did.json"),
        ("http://a/", None),
    ],
)
def test_where_the_public_finds_it(text, web):
    assert urlsm.handler(text.partition(":")[0]).web_url(urlsm.parts(text)) == web


def test_who_owns_a_plus_b():
    assert urlsm.handler("mysql+https").names == ("mysql", "mariadb")
    assert urlsm.handler("clickhouse+http").names == ("clickhouse", "clickhouses")
    assert "git+https" in urlsm.handler("git+https").names
    assert urlsm.handler("x+https").names == ("https",)
    assert urlsm.parts("oracle+cx_oracle://h/d").driver == "cx_oracle"  # no scheme of RFC 3986, but SQLAlchemy's


def test_build_of_parts_that_say_the_same_in_other_words():
    assert urlsm.handler("mysql").build(driver="pymysql", host="h", database="d") == "mysql+pymysql://h/d"
    assert urlsm.handler("oracle").build(host="h", sid="x") == "oracle://h/x"
    assert urlsm.handler("oracle").build(host="h", service_name="x") == "oracle://h/?service_name=x"
    assert urlsm.handler("snowflake").build(host="a", database="d", schema="s") == "snowflake://a/d/s"
    assert urlsm.handler("mssql").build(host="h", instance="i") == "mssql://h\\i"
    assert (
        urlsm.handler("otpauth").build(type="totp", issuer="A", account="b", secret="AA")
        == "otpauth://totp/A:b?secret=AA&issuer=A"
    )
    assert urlsm.handler("git+https").build(url="https://h/a", revision="v@1") == "git+https://h/a@v%401"


# --- texts that are not URLs, and hosts that stand elsewhere ---------------------------------------


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("alpine", "docker://docker.io/library/alpine"),
        ("team/app:1.2", "docker://docker.io/team/app:1.2"),
        ("Reg.example:5000/a@sha256:" + "a" * 64, "docker://reg.example:5000/a@sha256:" + "a" * 64),
        ("localhost/a", "docker://localhost/a"),
        ("index.docker.io/a", "docker://docker.io/library/a"),
        ("[::1]:5000/a__b", "docker://[::1]:5000/a__b"),
    ],
)
def test_references_of_images(text, url):
    assert urlsm.handler("docker").from_reference(text) == url


@pytest.mark.parametrize(
    "text",
    ["", "A", "a/", "/a", "a//b", "a:", "a:-x", "a@sha256:1", "-x", "a..b", "a___b", "x" * 256, "f" * 64, "h:x/a"],
)
def test_what_is_no_reference_of_an_image(text):
    with pytest.raises(urlsm.SchemeError):
        urlsm.handler("docker").from_reference(text)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("scott/ti@ger@//db.ex:1522/sales.ex", "oracle://scott:ti%40ger@db.ex:1522/?service_name=sales.ex"),
        ("db.ex", "oracle://db.ex"),
        ("u@[::1]:1/s", "oracle://u@[::1]:1/?service_name=s"),
    ],
)
def test_easy_connect(text, url):
    assert urlsm.handler("oracle").from_easy_connect(text) == url


@pytest.mark.parametrize("text", ["", "@h", "h1,h2/s", "tcps://h/s", "h/s:dedicated", "h/s?x=y", "h/s/i", "a b", "h:x"])
def test_what_the_url_of_oracle_has_no_place_for(text):
    with pytest.raises(ValueError):
        urlsm.handler("oracle").from_easy_connect(text)


@pytest.mark.parametrize(
    ("text", "servers"),
    [
        ("postgresql://a:1,b/db", [("a", 1), ("b", 5432)]),
        ("postgresql://u@/db?host=a:1&host=b", [("a", 1), ("b", 5432)]),
        ("postgresql:///db?host=a,b&port=1,2", [("a", 1), ("b", 2)]),
        ("postgresql://x/db?host=/tmp&port=7", [("/tmp", 7)]),
        ("postgresql:///db?host=%5B::1%5D:5&host=/tmp/a:b", [("::1", 5), ("/tmp/a:b", 5432)]),
    ],
)
def test_the_hosts_that_a_client_of_postgresql_tries(text, servers):
    found = urlsm.handler("postgresql").servers(urlsm.parts(text))
    assert [(one.host, one.port) for one in found] == servers


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("busybox", ("library/busybox", None, None, None)),
        ("busybox:1@" + ID, ("library/busybox", "1", None, ID)),
        ("busybox@sha256:" + ID, ("library/busybox", None, "sha256:" + ID, None)),
        ("h.ex/a:1@sha256:" + ID + "@" + ID, ("a", "1", "sha256:" + ID, ID)),
        ("sha256:" + ID, ("library/sha256", ID, None, None)),  # a name and its tag
        ("@" + ID, ("", None, None, ID)),
        (ID, ("", None, None, ID)),
        ("a@abc", ("library/a", None, None, "abc")),
    ],
)
def test_images_in_a_store(text, seen):
    for store, place in (
        ("", (None, None, None, ())),
        ("[/r]", (None, "/r", None, ())),
        ("[overlay@/r+/run:a=b,c]", ("overlay", "/r", "/run", ("a=b", "c"))),
        ("[btrfs@/r:x]", ("btrfs", "/r", None, ("x",))),
    ):
        found = urlsm.parts(f"containers-storage:{store}{text}")
        assert (found.repository, found.tag, found.digest, found.image_id) == seen
        assert (found.driver, found.root, found.run_root, found.options) == place
        written = urlsm.handler("containers-storage").build(**found)
        assert written == urlsm.normalize(f"containers-storage:{store}{text}") and urlsm.parts(written) == found


def test_databases_with_several_hosts():
    found = urlsm.parts("cassandra://u:p@A:1,[::1],b/ks?x=y+z")
    assert [(one.host, one.port) for one in found.hosts] == [("a", 1), ("::1", None), ("b", None)]
    assert (found.host, found.port, found.database, found.query_params) == ("a", 1, "ks", (("x", "y z"),))
    build = urlsm.handler("clickhouse").build
    assert build(host="h", port=1, driver="native") == "clickhouse+native://h:1"
    assert build(hosts=[("a", None), ("b", 2)], database="d") == "clickhouse://a,b:2/d"
    assert urlsm.equivalent("mysqlx://a:33060,b/d", "mysqlx://a,B/d")


def test_a_url_within_an_archive_is_normal_and_may_be_an_archive():
    assert urlsm.parts("zip://a.csv::s3://b/k.zip").separator == "::"
    deep = "jar:" * 50_000 + "file:/a" + "!/b" * 50_000
    assert urlsm.normalize(deep) == deep and urlsm.parts(deep).entry == "b"
    assert urlsm.normalize("jar:HTTP://A/%7Eb!/%7E") == "jar:http://a/~b!/%7E"
    assert urlsm.handler("war").build(scheme="war", target="file:/a", entry="b", separator="*/") == "war:file:/a*/b"


@pytest.mark.parametrize(
    ("text", "target", "entry"),
    [
        ("jar:zip:https://h/a!/b!/c/d", "zip:https://h/a!/b", "c/d"),
        ("jar:jar:jar:file:/a!/b!/c!/d", "jar:jar:file:/a!/b!/c", "d"),
        ("jar:https://h/a!/b!/c", "https://h/a", "b!/c"),  # one archive, and an entry with a "!"
        ("zip:war:file:/a*/b!/c", "war:file:/a*/b", "c"),
        ("war:jar:file:/a!/b*/c", "jar:file:/a!/b", "c"),
        ("jar:zip://x::file:/a!/b", "zip://x::file:/a", "b"),
        ("jar:jar:file:/a!/b", "jar:file:/a", "b"),
    ],
)
def test_an_archive_within_an_archive_ends_at_its_own_separator(text, target, entry):
    found = (
        urlsm.parts(text)
        if target != "jar:file:/a"
        else urlsm.handler("jar").read_parts(urlsm.split(text, dialect="rfc3986"))
    )
    assert (found.target, found.entry) == (target, entry)
    assert [hazard.code for hazard in urlsm.security.audit("jar:jar:http://127.0.0.1/x!/y!/z")] == ["loopback-address"]


def test_of_an_intents_repeated_field_the_last_counts_and_a_selector_is_another_intent():
    found = urlsm.parts("intent:#Intent;action=a;category=x;category=y;action=b;SEL;action=c;category=z;end")
    assert (found.action, found.categories, found.selector) == ("b", ("x", "y"), (("action", "c"), ("category", "z")))
    again = urlsm.handler("intent").build(action="b", selector=(("action", "c"),))
    assert again == "intent:#Intent;action=b;SEL;action=c;end"
    assert noted("intent:#Intent;type=a;category=x;category=y;type=b;SEL;type=c;end") == [
        ("parameter-duplicate", 44),
        ("intent-selector", 51),
    ]


@pytest.mark.parametrize(
    ("text", "web"),
    [
        ("wasbs://c-1@acc.blob.core.windows.net/what?.txt#1", "https://acc.blob.core.windows.net/c-1/what%3F.txt%231"),
        ("adl://acc.azuredatalakestore.net/a", "https://acc.azuredatalakestore.net/a"),
        ("hf://spaces/a/b@v1/why?/#.md", "https://huggingface.co/spaces/a/b/blob/v1/why%3F/%23.md"),
        ("ipns://a%2Fb%3F/c?d", "https://ipfs.io/ipns/a%2Fb%3F/c?d"),
    ],
)
def test_the_web_url_names_the_same_object(text, web):
    handler = urlsm.handler(text.partition(":")[0])
    assert handler.web_url(handler.read_parts(urlsm.split(text, dialect="rfc3986"))) == web


def test_each_generation_of_azures_storage_has_its_own_hosts():
    assert urlsm.validate(urlsm.handler("adl").example) == []
    for text in ("adl://acc.blob.core.windows.net/a", "abfss://abc@acc.azuredatalakestore.net/a"):
        assert "azure-endpoint-unknown" in [code for code, _ in noted(text)]


def test_a_cid_in_capitals_is_the_same_cid():
    lower = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"
    assert urlsm.parts(f"ipfs://{lower.upper()}").version == 1
    assert urlsm.validate(f"ipfs://{lower.upper()}/a") == []
    assert noted(f"ipfs://{lower[:-1].upper()}y") == [("cid-invalid", 7)]
    key = "k51qzi5uqu5dgutdk6i1ynyzgkqngpha5xpgia3a5qqp4jsh0u4csozksxel2r"
    assert urlsm.normalize(f"ipns://{key.upper()}") == f"ipns://{key}"


def test_a_driver_of_postgresql_is_a_part_and_has_options_of_its_own():
    text = "postgresql+asyncpg://u:p@h:5432/d?command_timeout=60"
    found = urlsm.parts(text)
    assert (found.driver, found.database, found.query_params) == ("asyncpg", "d", (("command_timeout", "60"),))
    assert urlsm.handler("postgresql").build(**found) == text
    assert urlsm.handler("postgresql").build(driver="psycopg") == "postgresql+psycopg://"
    assert "driver" not in dict(urlsm.parts("postgresql://h/d"))
    assert noted("postgresql://h/d?command_timeout=60") == [("parameter-unknown", 17)]


def test_the_brokers_of_pulsar_are_a_list():
    found = urlsm.parts("pulsar+ssl://A,b:6651,[::1]:7000/t")
    assert [(one.host, one.port) for one in found.hosts] == [("a", None), ("b", 6651), ("::1", 7000)]
    assert urlsm.normalize("pulsar+ssl://A,b:6651") == "pulsar+ssl://a,b"
    assert urlsm.normalize("pulsar://A:6650,b:6651") == "pulsar://a,b:6651"
    handler = urlsm.handler("pulsar")
    ports = [handler.default_port_of(name) for name in (*handler.names, "pulsar+x", "kafka")]
    assert (handler.default_port, ports) == (6650, [6650, 6651, None, None])
    assert noted("pulsar://u@h,") == [("userinfo-not-allowed", 9), ("host-missing", 13)]


def test_names_with_parts_of_their_own():
    assert urlsm.parts("acct:a@EX.Org").host == "ex.org"
    found = urlsm.parts("did:web:ex.org:a:b%20c?x=1&y#z")
    assert (found.segments, found.query_params, found.fragment) == (("a", "b c"), (("x", "1"), ("y", None)), "z")
    assert urlsm.handler("did").build(method="key", id="z", fragment="z") == "did:key:z#z"
    assert urlsm.parts("ethereum:pay-a-b.c-d.eth@5").address == "a-b.c-d.eth"
    assert urlsm.handler("ethereum").build(address="a-b.eth", chain_id=5) == "ethereum:pay-a-b.eth@5"
    assert noted("ethereum:a-b.eth") == [("ethereum-target-invalid", 9)]
    absolute = {path: urlsm.parts(f"sqlite:///{path}").is_absolute for path in ("C:/a", "C:a", "/a", "a")}
    assert absolute == {"C:/a": True, "C:a": False, "/a": True, "a": False}


@pytest.mark.once
def test_one_host_is_read_as_a_list_of_one():
    """Cluster.read_parts has a shorter way where one host stands there: the same as HostList's."""
    rng = seeded("cluster")
    handler = urlsm.handler("cassandra")
    pieces = [*"hH:1,@u[]/é.", "99999", "123456", "[::1]", "%2F", "%40", "%41", "?a=b"]
    for _ in range(draws(30_000)):
        c = urlsm.split("cassandra://" + "".join(rng.choices(pieces, k=rng.randrange(7))), dialect="rfc3986")
        found, wanted = handler.read_parts(c), HostList.read_parts(handler, c)
        first = wanted.hosts[0] if wanted.hosts else HostPort()
        assert (found.username, found.password) == (wanted.username, wanted.password), c.text
        assert (found.host, found.port, found.hosts) == (first.host, first.port, wanted.hosts), c.text
        assert found.query_params == wanted.query_params and (found.database or None) == wanted.database, c.text
