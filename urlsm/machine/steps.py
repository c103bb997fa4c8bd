"""The name of each step of the machine, and the component that it is about."""

from __future__ import annotations

__all__ = ["STEPS", "step_name"]

# A row for each member of enum Step (log.pxd), in its order: its name in the URL Standard; its name in the draft, or
# what the RFCs would call it; the component at fault in violations that the step records ("url": all of the text).
STEPS: tuple[tuple[str, str, str], ...] = (
    ("scheme start state", "", "url"),
    ("scheme state", "consume scheme", "scheme"),
    ("no scheme state", "no scheme", "scheme"),
    ("special relative or authority state", "", "scheme"),
    ("path or authority state", "", "url"),
    ("relative state", "", "path"),
    ("relative slash state", "", "authority"),
    ("special authority slashes state", "", "scheme"),
    ("special authority ignore slashes state", "", "scheme"),
    ("authority state", "consume user-info", "userinfo"),
    ("host state", "consume host", "host"),
    ("hostname state", "", "host"),
    ("port state", "consume port", "port"),
    ("file state", "file state", "path"),
    ("file slash state", "file slash state", "authority"),
    ("file host state", "file host state", "host"),
    ("path start state", "", "path"),
    ("path state", "consume path", "path"),
    ("opaque path state", "", "path"),
    ("query state", "consume query", "query"),
    ("fragment state", "consume fragment", "fragment"),
    ("", "consume slash characters", "authority"),
)


def step_name(number: int, dialect: str = "whatwg") -> str:
    """Return the name of a step of the machine."""
    standard, draft, _ = STEPS[number]
    return standard or draft if dialect == "whatwg" else draft or standard
