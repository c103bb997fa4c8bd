"""The names of parameters and fields whose values are secret. It is the only such table, for repr, errors, logs,
telemetry, pages, pictures and the shell (urlsm.errors.secrets defines what else is secret).

In the names of this table, and of `urlsm.logging.MaskURLs(secrets=...)`, a "_" matches "_", "-", "." or nothing:
`api_key` also matches "api-key" and "apiKey". A "*" matches any characters, and a "_" next to it matches "_", "-" or
".". A "#" matches any number of digits. "!" before a name removes it from the table again. Case is ignored. Blanks and
control characters around a name are ignored, because many programs strip them.

After a change, run tools/tables.py. It writes secret_names.h, which lets C code prove that most texts contain none of
these names.
"""

from collections import namedtuple

__all__ = ["AS_OF", "BESIDE", "EVERYDAY", "NAMES", "SECRETS", "SQLALCHEMY", "TABLE", "TOKEN_USERS", "Name"]

AS_OF = "2026-11-26"

# A row has the name, its source, and two conditions. everyday: the name is also a word of running text, where "code=3"
# is no parameter of a URL; in such text it counts only after "?", "&", "#" or ";". beside: the name is secret only in a
# URL that also has a parameter of this other name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Name(NamedTuple):
        """A row of TABLE."""

        name: str
        source: str
        everyday: bool = False
        beside: str = ""

else:  # typing takes longer to load than everything else here
    Name = namedtuple("Name", ("name", "source", "everyday", "beside"), defaults=(False, ""))

_PAGES = ("page", "next", "continuation", "sync", "skip", "start", "resume", "cursor")

TABLE: tuple[Name, ...] = (
    Name("*password#", "libpq, JDBC drivers, forms"),
    Name("*password_confirm#", "forms of Rails"),
    Name("*password_confirmation#", "forms of Rails"),
    Name("pwd", "ODBC's keyword"),
    Name("*_pwd", "Snowflake: private_key_file_pwd"),
    Name("pass", "forms, FFmpeg's and IPTV players' links", everyday=True),
    Name("*_pass", "forms"),
    Name("*passwd", "forms, RFC 2617's vocabulary"),
    Name("*passphrase", "libssh, SRT (draft-sharabayko-srt)"),
    Name("passcode", "Zoom, telephone conferences"),
    Name("otp", "one-time passwords (RFC 6238)", everyday=True),
    # OAuth 2.0 (RFC 6749, 7521, 7636, 8628), OpenID Connect, OAuth 1.0 (RFC 5849), SAML 2.0's bindings
    Name("code", "RFC 6749 section 4.1.2, Authorization Response", everyday=True, beside="state"),
    Name("code_verifier", "RFC 7636 section 4.5"),
    Name("device_code", "RFC 8628 section 3.4"),
    Name("client_assertion", "RFC 7521 section 4.2"),
    Name("id_token_hint", "OpenID Connect RP-Initiated Logout 1.0"),
    Name("oauth_verifier", "RFC 5849 section 2.2"),
    Name("saml_response", "SAML 2.0, HTTP POST binding"),
    Name("saml_art", "SAML 2.0, HTTP Artifact binding"),
    # RFC 6750's access_token, OpenID Connect's id_token, GitLab's private_token, Alibaba's security-token ...
    Name("*token", "most APIs"),
    *[Name(f"!*{word}_token", "where a list goes on") for word in _PAGES],
    Name("jwt", "RFC 7519; Zoom, Jitsi"),
    Name("*_jwt", "RFC 7519"),
    Name("secret", "otpauth, Stripe, webhooks"),
    Name("*_secret", "RFC 6749 section 2.3.1"),
    Name("authorization", "RFC 9110's field as a parameter"),
    Name("urlauth", "IMAP's URLAUTH (RFC 4467)"),
    Name("authmechanismproperties", "MongoDB's connection options"),
    Name("scram_client_key", "libpq"),
    Name("scram_server_key", "libpq"),
    Name("*api_key", "most APIs"),
    Name("*secret_key", "object stores"),
    Name("*access_key", "object stores; Azure: SharedAccessKey"),
    Name("*access_key_id", "AWS and Alibaba, version 2: AWSAccessKeyId, OSSAccessKeyId"),
    Name("google_access_id", "Google Cloud Storage, V2 signed URLs"),
    Name("account_key", "Azure Storage"),
    Name("auth_key", "APIs, CDNs"),
    Name("private_key", "APIs"),
    Name("*subscription_key", "Azure API Management"),
    Name("functions_key", "Azure Functions"),
    # signatures: anyone who has such a URL can use it until it expires
    Name("x_amz_*", "AWS Signature Version 4, query string authentication"),
    Name("x_goog_credential", "Google Cloud Storage, V4 signed URLs"),
    Name("x_oss_credential", "Alibaba OSS, V4 signatures"),
    Name("sig", "Azure Storage, shared access signatures", everyday=True),
    Name("signature", "AWS version 2, CloudFront, OpenTelemetry's list", everyday=True),
    Name("*_signature", "X-Goog-Signature, x-oss-signature, q-signature (Tencent), oauth_signature"),
    Name("shared_access_signature", "Azure"),
    Name("hmac", "APIs, CDNs", everyday=True),
    Name("hdnea", "Akamai's tokens of URLs"),
    Name("hdnts", "Akamai's tokens of URLs"),
)  # fmt: skip
NAMES = frozenset([row.name for row in TABLE if not row.beside])
BESIDE = {row.name: row.beside for row in TABLE if row.beside}
EVERYDAY = frozenset([row.name for row in TABLE if row.everyday])

# The trait `secrets` of the built-in handlers, which read it from here. So the names count even before the handler is
# loaded, and for URLs of these schemes within a text.
SECRETS: dict[str, tuple[str, ...]] = {
    "otpauth": ("secret",),
    "pkcs11": ("pin_value", "pin_source", "!token"),  # "token" is not secret: it is the label of the token
}
TOKEN_USERS = frozenset(("nats",))  # schemes in which a user name without a password is a token
# schemes of databases whose URLs SQLAlchemy reads: a password may contain "/", even after digits
_DATABASES = """
access awsathena bigquery bolt cassandra clickhouse clickhouses cockroachdb couchbase couchbases crate databricks db2
doris dremio druid duckdb elasticsearch exa firebird hana hive ibm_db_sa impala influxdb mariadb monetdb mssql mysql
mysqlx neo4j opensearch oracle pinot postgres postgresql presto redshift risingwave singlestoredb snowflake sqlite
sqlserver starrocks sybase teradatasql trino vertica ydb
"""
SQLALCHEMY = tuple(_DATABASES.split())
ABOUT = {  # for urlsm.about
    "secret parameters": {
        "tables": "TABLE",
        "source": "the document that each row names",
        "date": AS_OF,
        "used_by": "repr, errors, MaskURLs, URL.masked",
    },
    "dialects of SQLAlchemy": {
        "tables": "SQLALCHEMY",
        "source": "SQLAlchemy, Dialects and External Dialects",
        "url": "https://docs.sqlalchemy.org/en/21/dialects/",
        "version": "2.1",
        "date": AS_OF,
        "used_by": "repr, errors, MaskURLs, URL.masked",
    },
}
