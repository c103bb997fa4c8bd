"""README's claim: `parse` and `URL` never rewrite an escape of a path or query, apart from dot segments."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from urlsm import URL, parse

ESCAPES = re.compile(r"%[0-9A-Fa-f]{2}|%")
# escapes of all octets in both cases of their digits, and characters that may be beside them
PIECES = st.one_of(
    st.builds("%{:02x}".format, st.integers(0, 255)),
    st.builds("%{:02X}".format, st.integers(0, 255)),
    st.sampled_from(
        ["%", "%2", "%zz", "%25", "%2525", "+", "a", "~", "=", "&", ";", "'", '"', " ", "{", "|", "\u00e9", "/"]
    ),
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)
DOT_SEGMENT = re.compile(r"(?:\.|%2e){1,2}", re.IGNORECASE)


def kept(written: str, path: bool) -> str:
    """Return a path or query as the URL Standard leaves it: only characters that must not be there are encoded."""
    unwanted = ' "<>{}`^' if path else " \"<>'"
    return "".join(
        "".join(f"%{octet:02X}" for octet in char.encode()) if char in unwanted or char > "~" else char
        for char in written
    )


@given(TEXTS, TEXTS)
def test_parse_keeps_each_escape(path, query):
    path = "/" + "/".join([segment for segment in path.split("/") if not DOT_SEGMENT.fullmatch(segment)])
    for scheme in ("https", "s3"):
        url = parse(f"{scheme}://h.example{path}?{query}")
        if scheme == "https":
            assert url.path == kept(path, True)
            assert url.query == kept(query, False)
        # the escapes that were written, in their order, among those that were made
        for written, found in ((path, url.path), (query, url.query)):
            rest = iter(ESCAPES.findall(found))
            assert all(escape in rest for escape in ESCAPES.findall(written))
        assert parse(str(url)) == url == URL(str(url))
        assert str(parse(str(url))) == str(url)
        assert (url.replace(fragment="f").path, url.replace(fragment="f").query) == (url.path, url.query)
