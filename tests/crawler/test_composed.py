"""Profiles composed to follow courlan and url-normalize: how far they agree, and the reason of each difference.

ural is left out: its answers are IRIs, decoded as far as possible, or follow rules of single sites.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest

from urlsm.crawler import Profile, profile, try_canonicalize

TRACKERS = (
    *("dclid", "fbclid", "gclid", "twclid", "yclid", "ysclid", "clickid", "gbraid", "msclkid", "igshid", "partnerid"),
    *("ad_*", "ads_*", "mc_*", "ga*", "gs_*", "itm_*", "mkt_*", "ml_*", "mtm_*", "oly_*", "pk_*", "utm_*", "vero_*"),
    *("wbraid", "aff*", "campaign*", "cid*", "clid*", "eid*", "gl*", "kwd*", "keyword*", "medium*", "ref*", "session*"),
    *("source*", "uid*", "xtor*"),
)
COURLAN = profile("w3lib").replace(
    trim="none",
    backslashes="keep",
    path_params_schemes=(),
    brackets="paired",
    ports="any",
    userinfo="keep",
    idna="none",
    ipv6="keep",
    port="drop-default",
    no_authority="urllib-3.11",
    path_decode="none",
    path_safe="/%!=:,-",
    empty_path="slash-before-special-query",
    dot_segments="none",
    merge_slashes=True,
    blank_values="drop",
    sort_params="names",
    remove_params=TRACKERS,
    fragment="keep",
    fragment_safe="/%!=:,-",
)
_SAFE = "!$&'()*+,;=:@/~"
URL_NORMALIZE = profile("w3lib").replace(
    default_scheme="https",
    backslashes="keep",
    path_params_schemes=(),
    ports="any",
    userinfo="keep",
    idna="uts46",
    dots="trailing",
    ipv6="keep",
    port="drop-default",
    path_keep="%/;?:@&=+$,![]*'()#",
    path_safe=_SAFE + "[]",
    merge_slashes=True,
    params_reading="raw",
    sort_params="none",
    query_decode="unreserved",
    query_safe=_SAFE + "?[]",
    fragment="keep",
    fragment_safe=_SAFE + "?%#",
)
# kind of reason -> its texts
COURLAN_DIFFERS = {
    "a second scheme, or digits, where a port is": r"https?://[^/]*:(?!\d+(?:/|$))|https?://[^/]*:0",
    "a host in Unicode, not in Punycode": r"https?://[^/]*(?:xn--|[^\x00-\x7f])",
    "trackers in fragments go": r".*#.*=",
    "an expression finds trackers in the middle of names": r".*\?.*_(?:source|affiliate)=",
    "'..' at the beginning of a path go": r"https?://[^/]*/\.\./",
    "queries are decoded as UTF-8": r".*%[89A-Fa-f]",
    "entities of HTML are decoded": r".*\?.*&(?:amp|quot)",
}
URL_NORMALIZE_DIFFERS = {
    "escapes of delimiters in a query are decoded": r"[^#]*\?[^#]*%(?:2[1-9A-Fa-f]|3[A-Ca-cF-f]|40|5[BDbd])",
    "a second '=' of a field is encoded": r"[^#]*\?[^#&]*=[^&#]*=|[^#]*\?[^#]*&[^&#=]*=[^&#]*=",
    "empty user information goes": r"https?://:?@",
    "a fragment of the old AJAX form becomes a field": r".*#!",
    "a port that is not a number stays": r"https?://[^/]*:[a-z]",
    "'\\' is encoded": r".*\\",
    "spaces at the end are encoded": r".* $",
    "fragments are encoded otherwise": r".*#",
    "text is composed (NFC)": r".*[^\x00-\x7f]",
    "a '%' that is not an escape is encoded": r".*%(?![0-9A-Fa-f]{2})",
}


@pytest.mark.parametrize(
    ("name", "function", "how", "reasons", "share"),
    [
        ("courlan", "normalize_url", COURLAN, COURLAN_DIFFERS, 0.93),
        ("url-normalize", "url_normalize", URL_NORMALIZE, URL_NORMALIZE_DIFFERS, 0.78),
    ],
)
def test_composed_profiles_follow_a_peer(
    name: str,
    function: str,
    how: Profile,
    reasons: dict[str, str],
    share: float,
    peers_rows: Callable[[str], list[dict]],
):
    rows = [row for row in peers_rows(name) if row["function"] == function and row["options"] == {}]
    rows = [row for row in rows if re.match(r"https?://[^/]", row["input"] or "")]
    kinds: Counter[str] = Counter()
    for row in rows:
        if try_canonicalize(row["input"], how) != row["expected"]:
            found = [kind for kind, texts in reasons.items() if re.match(texts, row["input"], re.DOTALL)]
            kinds[found[0] if found else "unexplained"] += 1
    assert sum(kinds.values()) <= (1 - share) * len(rows), (len(rows), kinds)
    assert kinds["unexplained"] <= 0.01 * len(rows), (len(rows), kinds)
