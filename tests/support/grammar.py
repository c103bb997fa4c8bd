"""The RFCs' grammars as regular expressions, rule by rule under the RFC's own names: an oracle that shares nothing with
the handlers, and the source of valid strings."""

from __future__ import annotations

import re

# --- RFC 3986 appendix A ---

PCT = "%[0-9A-Fa-f]{2}"
UNRESERVED = r"[A-Za-z0-9\-._~]"
SUB = r"[!$&'()*+,;=]"
PCHAR = rf"(?:{UNRESERVED}|{PCT}|{SUB}|[:@])"
H16 = "[0-9A-Fa-f]{1,4}"
OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = rf"{OCTET}(?:\.{OCTET}){{3}}"
LS32 = f"(?:{H16}:{H16}|{IPV4})"
IPV6 = "(?:" + "|".join(
    [
        f"(?:{H16}:){{6}}{LS32}",
        f"::(?:{H16}:){{5}}{LS32}",
        f"(?:{H16})?::(?:{H16}:){{4}}{LS32}",
        f"(?:(?:{H16}:){{0,1}}{H16})?::(?:{H16}:){{3}}{LS32}",
        f"(?:(?:{H16}:){{0,2}}{H16})?::(?:{H16}:){{2}}{LS32}",
        f"(?:(?:{H16}:){{0,3}}{H16})?::{H16}:{LS32}",
        f"(?:(?:{H16}:){{0,4}}{H16})?::{LS32}",
        f"(?:(?:{H16}:){{0,5}}{H16})?::{H16}",
        f"(?:(?:{H16}:){{0,6}}{H16})?::",
    ]
) + ")"  # fmt: skip
IPVFUTURE = rf"[vV][0-9A-Fa-f]+\.(?:{UNRESERVED}|{SUB}|:)+"
REG_NAME = f"(?:{UNRESERVED}|{PCT}|{SUB})*"
HOST = rf"(?:\[(?:{IPV6}|{IPVFUTURE})\]|{REG_NAME})"
USERINFO = f"(?:{UNRESERVED}|{PCT}|{SUB}|:)*"
PORT = "(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[0-5]?[0-9]{0,4})"  # the limit is ours
AUTHORITY = f"(?:{USERINFO}@)?{HOST}(?::{PORT})?"
ABEMPTY = f"(?:/{PCHAR}*)*"
ABSOLUTE = f"/(?:{PCHAR}+(?:/{PCHAR}*)*)?"
ROOTLESS = f"{PCHAR}+(?:/{PCHAR}*)*"
NOSCHEME = f"(?:{UNRESERVED}|{PCT}|{SUB}|@)+(?:/{PCHAR}*)*"
TAIL = rf"(?:\?(?:{PCHAR}|[/?])*)?(?:#(?:{PCHAR}|[/?])*)?"
SCHEME = "[zZ][zZ][A-Za-z0-9+.-]*"  # possible schemes without a handler
URI_3986 = f"{SCHEME}:(?://{AUTHORITY}{ABEMPTY}|{ABSOLUTE}|{ROOTLESS}|){TAIL}"
RELATIVE_3986 = f"(?://{AUTHORITY}{ABEMPTY}|{ABSOLUTE}|{NOSCHEME}|){TAIL}"
REFERENCE_3986 = f"(?:{URI_3986}|{RELATIVE_3986})"

# --- RFC 2396 appendix A ---

OLD_UNRESERVED = r"[A-Za-z0-9\-_.!~*'()]"
URIC = rf"(?:[;/?:@&=+$,]|{OLD_UNRESERVED}|{PCT})"
OLD_PCHAR = rf"(?:{OLD_UNRESERVED}|{PCT}|[:@&=+$,])"
SEGMENT = f"{OLD_PCHAR}*(?:;{OLD_PCHAR}*)*"
PATH_SEGMENTS = f"{SEGMENT}(?:/{SEGMENT})*"
OLD_REG_NAME = rf"(?:{OLD_UNRESERVED}|{PCT}|[$,;:@&=+])+"
ABS_PATH = f"/{PATH_SEGMENTS}"
NET_PATH = f"//(?:{OLD_REG_NAME})?(?:{ABS_PATH})?"  # server: each of its strings is a reg_name, or empty
OPAQUE = rf"(?:{OLD_UNRESERVED}|{PCT}|[;?:@&=+$,]){URIC}*"
REL_PATH = rf"(?:{OLD_UNRESERVED}|{PCT}|[;@&=+$,])+(?:{ABS_PATH})?"
# a path that begins with "//" is a net_path's; "?y" and "" have no path: section 4 and appendix C
REFERENCE_2396 = (
    rf"(?:{SCHEME}:(?:(?:{NET_PATH}|/(?!/){PATH_SEGMENTS})(?:\?{URIC}*)?|{OPAQUE})"
    rf"|(?:{NET_PATH}|/(?!/){PATH_SEGMENTS}|{REL_PATH}|)(?:\?{URIC}*)?)(?:#{URIC}*)?"
)

# --- RFC 1738 section 5 ---

UCHAR = rf"(?:[A-Za-z0-9$\-_.+!*'(),]|{PCT})"
XCHAR = rf"(?:{UCHAR}|[;/?:@&=])"
LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
OLD_HOST = rf"(?:(?:{LABEL}\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?|[0-9]+(?:\.[0-9]+){{3}})"
USER = f"(?:{UCHAR}|[;?&=])*"
LOGIN = f"(?:{USER}(?::{USER})?@)?{OLD_HOST}(?::(?=[0-9]){PORT})?"
HOSTPORT = f"{OLD_HOST}(?::(?=[0-9]){PORT})?"
HSEGMENT = f"(?:{UCHAR}|[;:@&=])*"
FSEGMENT = rf"(?:{UCHAR}|[?:@&=])*"
FPATH = f"{FSEGMENT}(?:/{FSEGMENT})*"
GROUP = r"[A-Za-z][A-Za-z0-9\-.+_]*"
ARTICLE = rf"(?:{UCHAR}|[;/?:&=])+@{OLD_HOST}"
DATABASE = f"{UCHAR}*"
PSEGMENT = rf"(?:{UCHAR}|[?:@&=])*"
FIELD = rf"(?:{UCHAR}|[?:@&])*"
# a selector "may contain any octets except 09 hexadecimal" (section 3.4.1), so that the first "%09" ends it
BUT_TAB = f"(?:(?!%09){XCHAR})"
RFC_1738 = {
    "zzz": f"{XCHAR}*",
    "http": rf"//{HOSTPORT}(?:/{HSEGMENT}(?:/{HSEGMENT})*(?:\?{HSEGMENT})?)?",
    "ftp": f"//{LOGIN}(?:/{FPATH}(?:;type=[AIDaid])?)?",
    "file": f"//(?:{OLD_HOST}|localhost)?/{FPATH}",
    "gopher": f"//{HOSTPORT}(?:/(?:{BUT_TAB}+(?:%09{HSEGMENT}(?:%09{XCHAR}*)?)?)?)?",
    "mailto": f"{XCHAR}+",
    "news": rf"(?:\*|{GROUP}|{ARTICLE})",
    "nntp": f"//{HOSTPORT}/{GROUP}(?:/[0-9]+)?",
    "telnet": f"//{LOGIN}/?",
    "wais": rf"//{HOSTPORT}/{DATABASE}(?:\?{HSEGMENT}|/{DATABASE}/{DATABASE})?",
    "prospero": f"//{HOSTPORT}/{PSEGMENT}(?:/{PSEGMENT})*(?:;{FIELD}={FIELD})*",
}


def matches(grammar: str, text: str) -> bool:
    return re.fullmatch(grammar, text) is not None
