"""Database URLs beside SQLAlchemy's make_url, also with "_" in the names of dialects and drivers."""

from __future__ import annotations

from itertools import product

import pytest
from support.seeds import seeded

import urlsm
from urlsm.errors.masking import secret_spans
from urlsm.meaning.within import hosts_within

make_url = pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed").engine.make_url

# dialects with a driver or none, of SQLAlchemy's own page and of its page of external dialects
_NAMES = """
access+pyodbc awsathena awsathena+rest clickhouse+native clickhouse+clickhouse_connect cockroachdb+psycopg2 crate
databricks+x_y db2+ibm_db doris+pymysql dremio+flight druid exa+websocket firebird firebird+firebird hana+hdbcli
hive+hive_x ibm_db_sa ibm_db_sa+pyodbc impala mariadb+mariadbconnector monetdb mssql+pymssql mssql+aioodbc mysql
mysql+mysqlconnector mysql+asyncmy mysql+cy_mysql oracle oracle+cx_oracle oracle+oracledb_async pinot presto
postgresql postgresql+psycopg2 postgresql+psycopg_async postgres+pg8000 redshift+redshift_connector risingwave
singlestoredb starrocks sybase+pyodbc teradatasql trino vertica+vertica_python ydb+ydb_async
"""
NAMES = _NAMES.split()
FORMS = (
    "//u:p@h:1521/db",
    "//u:p%40q@h/db?a=x&b=1%2C2",
    "//h.example/db",
    "//u@[::1]:5/db",
    "//u:p@h",
    "//:p@h:1/db",
)


def theirs(text):
    found = make_url(text)
    query = {name: list(value) if isinstance(value, tuple) else [value] for name, value in found.query.items()}
    password = None if found.password is None else str(found.password)
    return found.drivername, found.username or None, password, found.host, found.port, found.database or None, query


def ours(text):
    found = urlsm.parts(text)
    host, port = (found.hosts[0].host, found.hosts[0].port) if hasattr(found, "hosts") else (found.host, found.port)
    query: dict[str, list[str | None]] = {}
    for name, value in found.query_params:
        query.setdefault(name, []).append(value)
    driver = getattr(found, "driver", None)
    name = text.partition(":")[0].partition("+")[0] + ("" if driver is None else f"+{driver}")
    return name, found.username or None, found.password, host, port, found.database or None, query


@pytest.mark.parametrize("name", NAMES)
def test_make_url_reads_the_same(name):
    """200 forms and more (PrefectHQ/prefect#15490, pydantic/pydantic#11915)."""
    for form in FORMS:
        if name.startswith("postgres") and "+" not in name and "?" in form:
            form = form.partition("?")[0]  # libpq has its own options
        text = f"{name}:{form}"
        assert ours(text) == theirs(text), text


def test_there_are_200_forms():
    assert len(NAMES) * len(FORMS) > 200 and len(set(NAMES)) == len(NAMES)
    assert sum("_" in name for name in NAMES) > 10


@pytest.mark.parametrize(("name", "form"), [pair for pair in product(NAMES, FORMS) if "_" in pair[0]])
def test_texts_with_an_underscore_are_read_everywhere(name, form):
    """In parts, extract, audit, columns and logs."""
    from urlsm.errors.masking import without_secrets

    text = f"{name}:{form}"
    (match,) = urlsm.documents.extract_urls(f"x {text} y")
    assert (match.text, match.url.host) == (text, urlsm.split(text, dialect="rfc3986").host)
    assert [v.severity for v in urlsm.validate(text) if v.position < len(name)] == ["warning"]
    hazards = {
        hazard.code
        for hazard in urlsm.security.audit(text.replace("@h", "@127.0.0.1").replace("h.example", "127.0.0.1"))
    }
    assert "loopback-address" in hazards
    assert ("credentials" in hazards) is ("@" in form)
    for shown in (without_secrets(text), without_secrets(f"a {text} b", whole=False), repr(urlsm.parts(text))):
        assert "p@" not in shown and "p%40q" not in shown and "'p'" not in shown
    assert urlsm.normalize(urlsm.normalize(text)) == urlsm.normalize(text)
    assert urlsm.parts(urlsm.handler(name).build(scheme=name, **urlsm.parts(text))) == urlsm.parts(text)


@pytest.mark.parametrize("name", ["teradatasql", "awsathena", "dremio", "firebird", "access"])
def test_they_have_a_database(name):
    assert urlsm.parts(f"{name}://u:p@h/shop").database == "shop"


@pytest.mark.parametrize("text", ["x_y://h/d", "mysql_x://h/d", "oracle_+x://h/d", "http_x://h/", "redis_x://h/"])
def test_no_other_scheme_holds_an_underscore(text):
    with pytest.raises(urlsm.SchemeError):
        urlsm.parts(text)
    assert [match.text for match in urlsm.documents.extract_urls(text)] in ([], [text[text.index("_") + 1 :]])


def test_trino_and_presto_have_a_catalog_and_a_schema():
    for name in ("trino", "presto", "trino+rest"):
        found = urlsm.parts(f"{name}://u@h:8080/hive/web%2Fx")
        assert (found.catalog, found.schema, found.database) == ("hive", "web/x", "hive/web/x")
    handler = urlsm.handler("trino")
    assert handler.build(host="h", catalog="a/b", schema="c") == "trino://h/a%2Fb/c"
    assert handler.build(host="h", catalog="a") == "trino://h/a"
    assert handler.build(**urlsm.parts("trino://u@h/hive/web")) == "trino://u@h/hive/web"
    assert urlsm.parts("trino://h").catalog is None


def test_a_password_with_a_slash():
    """audit hears of the host behind it, and the masks cover it."""
    rng, seen = seeded("slash"), 0
    pieces = ("u", "1", ":", "/", "@", "h", ".", "[::1]", ",")
    for _ in range(5000):
        text = "mysql://" + "".join(rng.choices(pieces, k=rng.randint(3, 14)))
        try:
            read = make_url(text)
        except Exception:  # a port that is no number, or what SQLAlchemy calls an ArgumentError
            continue
        if "/" in (read.password or "") and "@" not in (read.username or ""):
            seen += 1
            start = text.index(":", 8) + 1
            end = start + len(read.password)
            assert any(first <= start and end <= last for first, last in secret_spans(text)), text
            assert not read.host or read.host in [host.strip("[]") for _, host in hosts_within(text)], text
    assert seen > 50
