"""The name of each step of the machine, and the component that it reads."""

from __future__ import annotations

__all__ = ["STEPS", "step_name"]

# A row for each member of the enum Step (log.pxd), in the same order: the step's name in the URL Standard; its name in
# Barth's draft, or one like those of the draft; and the component for which its violations are reported ("url": the
# whole text). A name is "" if there is none.
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
    """Return the name of a step of the machine in a dialect."""
    standard, draft, _ = STEPS[number]
    return standard or draft if dialect == "whatwg" else draft or standard
