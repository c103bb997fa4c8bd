"""The class Paths, which checks that all programs on the way of a request see its path under the same rule."""
cimport cython
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, UPPER, lower
from urlsm.readers.steps cimport DONE, Pipeline, REDIRECTED, State, begin, end
from urlsm.url.slots cimport set_name
from urlsm.readers.steps import Step
from urlsm.server.errors import TABLE
from urlsm.server.hop_list import Hop, every_hop, hop_of, moved, octets_of
from urlsm.server.path_verdict import PathVerdict

cdef enum:
    NO_RULE = -1
    NOT_CANONICAL = -1

cdef enum:                   # the classes of octets in a canonical target
    IN_PATH = 1
    IN_QUERY = 2

cdef uint8_t[256] PLAIN
for _octet in range(256):
    PLAIN[_octet] = 0
    if CLASS[_octet] & (ALPHA | DIGIT) or _octet in b"-._~!$&'()*+,=:@":
        PLAIN[_octet] = IN_PATH | IN_QUERY
    elif _octet in b"/?;%":
        PLAIN[_octet] = IN_QUERY

# how ASGI's and WSGI's texts become a target where there is no raw one: what a path may have as it is, and "/"
cdef Pipeline QUOTED = Pipeline([Step("encode", bytes(
    octet for octet in range(0x21, 0x7F) if CLASS[octet] & (ALPHA | DIGIT) or octet in b"-._~!$&'()*+,/:;=@"))])
cdef Pipeline DECODED = Pipeline([Step("decode")])
cdef Pipeline REPLACED = Pipeline([Step("utf-8 replaced")])
cdef tuple OVERRIDES = (b"x-original-url", b"x-rewrite-url")


def refusal(code, message=""):
    """Return the verdict for a code of errors.TABLE, with its message or another one."""
    fault = next(fault for fault in TABLE if fault.code == code)
    return PathVerdict(False, codes=(fault.code,), message=message or fault.message)


cdef object FORM_INVALID = refusal("target-form-invalid", 'the request target must begin with "/"')
cdef object OVERRIDDEN = refusal("path-overridden")
cdef object NOT_CANONICAL_PATH = refusal("path-not-canonical")
cdef object REWRITTEN = refusal("not-forwarded", "the path of the request is not that of its raw target")


@cython.final
@cython.binding(False)
cdef class Paths:
    """Rules for paths, checked against what every program on the way of a request sees.

    A rule is a path. It fits the path itself and all paths below it: "/admin" fits "/admin" and "/admin/users", but not
    "/administrator". The longest rule that fits counts; of two equal ones, the protected one. A path under no rule is
    protected if only `open` is given. Below a mount (`root_path` of ASGI, SCRIPT_NAME of WSGI), rules are for what
    follows it. Methods, hosts and queries are no part of a rule, and the order in which a router
    tries its routes is not known.

    Args:
        protected: the rules of paths that need protection.
        open: the rules of paths that need none.
        hops: the programs, in the order in which the request passes them: names or Hop objects. Without it, every known
            program is asked on its own, with each value of each option, and one that refuses the request has no say.
        at: where the check stands: the index or the name of the hop that receives the text which is checked.
        canonical: whether to refuse every path that is not in canonical form: with an escape that could be written out
            or is written in lower case, a dot segment, an empty segment, a semicolon, a backslash ...
        raw: "absent" if the server gives no raw target, and the hops before it forward paths in normal form.

    Raises:
        ValueError: a rule is not a canonical path, a hop is unknown, a hop that sends nothing on is not the last one, a
            hop cannot stand before the check, because what it sends on does not tell what it has matched, `at` is not
            one of the hops, or there are no rules.
        TypeError: an argument has the wrong type.

    Example:
        >>> paths = urlsm.server.Paths(protected=["/admin"], hops=["nginx@1.22", "uvicorn", "starlette"])
        >>> verdict = paths.check("/x/..%2fadmin")
        >>> verdict.codes, verdict.message
        (('hops-disagree',), 'nginx@1.22.1 sees /admin, uvicorn@0.54.0 no rule')
    """

    cdef readonly tuple protected
    cdef readonly tuple open
    cdef readonly tuple hops
    cdef tuple reads, match, forward, verdicts
    cdef Rules rules, folded          # the second for hops that fold letter case
    cdef bytes flags                  # of each hop: bits of Flag
    cdef Py_ssize_t at
    cdef bint named, canonical, raw_absent
    cdef bint folds, text_prefix, plain  # whether a hop does so; whether none strips or puts a prefix

    def __init__(self, protected=(), open=(), *, hops=None, at=0, canonical=False, raw=None):
        if raw is not None and raw != "absent":
            raise ValueError(f"raw must be None or 'absent', not {raw!r}")
        for name, given in (("protected", protected), ("open", open), ("hops", () if hops is None else hops)):
            if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
                raise TypeError(f"{name} must be an iterable, not {type(given).__name__}")
        self.protected, self.open = tuple(protected), tuple(open)
        if not self.protected and not self.open:
            raise ValueError("Paths needs at least one rule")
        self.named = hops is not None
        if self.named:
            self.hops = after_servers([hop_of(hop, {}) for hop in hops])
            if not self.hops:
                raise ValueError("hops must not be empty")
        else:
            self.hops = tuple(every_hop())
        self.at = place_of(at, self.hops)
        for hop in self.hops[:len(self.hops) - 1] if self.named else ():
            if not hop.settings.program.forward:
                raise ValueError(f"{hop!r} sends nothing on that is known, so it must be the last of the hops")
        for hop in self.hops[:self.at]:
            if not hop.settings.is_stable:
                raise ValueError(f"{hop!r} cannot stand before the check: what it sends on does not tell what it has "
                                 "matched")
        self.canonical, self.raw_absent = canonical, raw == "absent"
        self.reads = tuple([hop.settings.reads for hop in self.hops])
        self.match = tuple([hop.settings.match for hop in self.hops])
        self.forward = tuple([hop.settings.forward for hop in self.hops])
        self.flags = bytes([
            (FOLDS if hop.settings.folds else 0) | (LINE_FEEDS if hop.settings.program.line_feeds else 0)
            | (TEXT_PREFIX if hop.text_prefix else 0) for hop in self.hops])
        self.folds = any(flags & FOLDS for flags in self.flags)
        self.text_prefix = any(flags & TEXT_PREFIX for flags in self.flags)
        self.plain = not any(hop.strip or hop.mount for hop in self.hops)
        self.make_rules()

    cdef int make_rules(self) except -1:
        cdef dict found = {}
        cdef bint default = not self.protected
        for kind, rules in ((False, self.open), (True, self.protected)):
            for rule in rules:
                found[rule_of(rule)] = (rule, kind)  # of two alike the protected one
        if self.folds:  # to hops that fold, rules that differ in case are one
            guarded = {key.lower() for key, (_, kind) in found.items() if kind}
            found = {key: (rule, kind or key.lower() in guarded) for key, (rule, kind) in found.items()}
        self.rules = Rules({key: k for k, key in enumerate(found)})
        if self.folds:
            self.folded = Rules({key.lower(): k for k, key in enumerate(found)})
        self.verdicts = tuple([PathVerdict(True, rule=rule, protected=kind) for rule, kind in found.values()]
                              + [PathVerdict(True, protected=default)])
        return 0

    def __reduce__(self):
        more = {"at": self.at, "canonical": self.canonical, "raw": "absent" if self.raw_absent else None}
        return made_of, (self.protected, self.open, self.hops if self.named else None, more)

    def __repr__(self):
        hops = f", hops={list(self.hops)!r}" if self.named else ""
        return f"Paths(protected={list(self.protected)!r}, open={list(self.open)!r}{hops})"

    def check(self, request):
        """Check the path of a request.

        Args:
            request: the request target (str or bytes), the scope of an ASGI application, or the environ of a WSGI
                application. Of the last two, `raw_path`, RAW_URI or REQUEST_URI is the target.

        Returns:
            A PathVerdict. If it is not true, its code is "hops-disagree" if two hops see the path under different
            rules; "hop-refuses" if a hop that was named refuses the target, so that it cannot have come this way, or if
            the path has a line feed and it depends on the kind of a route whether that hop's rules fit such a path;
            "not-forwarded" if a hop before the check cannot have sent this target, or does not send it on;
            "path-not-canonical" if the path is not canonical, and `canonical` was asked for; "path-overridden" if the
            request has a field X-Original-URL or X-Rewrite-URL; "target-form-invalid" if the target does not begin with
            "/" ("*", an absolute URL, "host:port").

        Raises:
            ValueError: the request has no raw target, and hops stand before the check without raw="absent".
            TypeError: the request has the wrong type, or the scope is for neither HTTP nor a WebSocket.

        Example:
            >>> paths = urlsm.server.Paths(open=["/health"], hops=["envoy", "tomcat"])
            >>> verdict = paths.check("/health/..;/users")
            >>> verdict.codes
            ('hops-disagree',)
        """
        cdef bytes target, root = b""
        if isinstance(request, (str, bytes)):
            target = octets_of(request)
        elif not hasattr(request, "get"):
            raise TypeError(f"request must be str, bytes, or a scope or environ, not {type(request).__name__}")
        elif "type" in request:
            if request["type"] not in ("http", "websocket"):
                raise TypeError(f"scope['type'] must be 'http' or 'websocket', not {request['type']!r}")
            for name, _ in request.get("headers", ()):
                if name[:2] in (b"x-", b"X-") and name.lower() in OVERRIDES:
                    return OVERRIDDEN
            target, root = self.target_in_scope(request)
        else:
            if "HTTP_X_ORIGINAL_URL" in request or "HTTP_X_REWRITE_URL" in request:
                return OVERRIDDEN
            target, root = self.target_in_environ(request)
        if target is None:
            return REWRITTEN
        return self.judged(target, root)

    cdef tuple target_in_scope(self, object scope):
        """Return the target, and the mount that its path leads to. None: a middleware has changed the path."""
        cdef bytes raw = scope.get("raw_path") or b"", query = scope.get("query_string") or b""
        cdef bytes root = octets_of(scope.get("root_path") or ""), decoded, replaced
        cdef object path = scope.get("path")
        cdef bytes said = None if path is None else octets_of(path)
        if raw:
            raw = raw.partition(b"?")[0]
            decoded = through(DECODED, raw)
            replaced = through(REPLACED, decoded)
            if said is None:
                said = replaced
            elif said not in (decoded, replaced):
                if said not in (root + decoded, root + replaced):
                    return None, b""
                root = b""  # raw_path lacks it
        else:
            self.need_no_raw()
            said = said or b"/"
            raw = through(QUOTED, said)
        if said != root and not said.startswith(root + b"/"):
            root = b""
        return raw + b"?" + query if query else raw, root

    cdef tuple target_in_environ(self, object environ):
        """Return the target, and the mount that its path leads to. None: a middleware has changed the path."""
        cdef object raw = environ.get("RAW_URI") or environ.get("REQUEST_URI")
        cdef bytes root = (environ.get("SCRIPT_NAME") or "").encode("latin-1"), target, query, path
        cdef bytes below = (environ.get("PATH_INFO") or "").encode("latin-1")
        if raw:
            target = raw.encode("latin-1")
            if target[:1] != b"/":
                return target, b""
            path = through(DECODED, target.partition(b"#")[0].partition(b"?")[0])
            forms = (path, b"/" + path.lstrip(b"/"))  # waitress leaves one of the slashes at the start
            if root + below in forms:
                return target, root
            return target if below in forms else None, b""
        self.need_no_raw()
        query = (environ.get("QUERY_STRING") or "").encode("latin-1")
        target = through(QUOTED, root + below or b"/")
        return target + b"?" + query if query else target, root

    cdef int need_no_raw(self) except -1:
        if self.at and not self.raw_absent:
            raise ValueError("the request has no raw target, so what the hops before the check have seen is unknown; "
                             "raw='absent' states that they forward paths in normal form")
        return 0

    cdef object judged(self, bytes target, bytes root):
        """Judge a target, whose path leads to the mount `root`."""
        cdef const uint8_t* p = <const uint8_t*><const char*>target
        cdef Py_ssize_t n = len(target), size, rule
        if n == 0 or p[0] != c"/":
            return FORM_INVALID
        size = canonical_path(p, n, self.folds)
        if size >= 0 and self.plain and not root:
            rule = self.rule_of(p, size, 0)
            if ((not self.text_prefix or self.rule_of(p, size, TEXT_PREFIX) == rule)
                    and (not self.folds or self.rule_of(p, size, FOLDS) == rule)
                    and (not (self.folds and self.text_prefix) or self.rule_of(p, size, FOLDS | TEXT_PREFIX) == rule)):
                return self.verdict_of(rule)
        if self.canonical and size < 0 and not is_canonical(target):
            return NOT_CANONICAL_PATH
        return self.by_named(target, root) if self.named else self.by_all(target, root)

    cdef object by_all(self, bytes target, bytes root):
        """Ask each hop on its own; a refusal is no side."""
        cdef int outcome = DONE
        cdef Py_ssize_t k, rule, seen = NO_RULE, first = -1
        for k in range(len(self.hops)):
            rule = self.seen_by(k, target, root, &outcome)
            if outcome == UNSURE:
                return self.unsure(k)
            if outcome == DONE:
                if first < 0:
                    first, seen = k, rule
                elif rule != seen:
                    return self.disagreement(first, seen, k, rule)
        return self.verdict_of(seen)

    cdef object by_named(self, bytes target, bytes root):
        """Ask the hops before the check, from the nearest one, then it and those after it."""
        cdef int outcome = DONE
        cdef Py_ssize_t k, rule, seen = NO_RULE, first = -1
        cdef bytes text = target
        cdef list order = [*range(self.at - 1, -1, -1), *range(self.at, len(self.hops))]
        for k in order:
            hop = self.hops[k]
            if k < self.at:
                text = put_back(text, hop)
                if text is None or self.sent_by(k, text) != text:
                    return refusal("not-forwarded", f"{told(hop)} cannot have sent this target")
            elif k == self.at:
                text = target
            rule = self.seen_by(k, text, root, &outcome)
            if outcome == REDIRECTED and k >= self.at:
                break  # no hop after it sees the request
            if outcome == DONE and rule == NOT_ROUTED:
                return refusal("not-forwarded", f"{told(hop)} does not send this target on")
            if outcome == UNSURE:
                return self.unsure(k)
            if outcome != DONE:
                return refusal("hop-refuses", f"{told(hop)} refuses this target")
            if first < 0:
                first, seen = k, rule
            elif rule != seen:
                return self.disagreement(first, seen, k, rule)
            if self.at <= k < len(self.hops) - 1:
                text = moved(self.sent_by(k, text), hop.strip.encode(), hop.mount.encode())
                if text is None:
                    return refusal("not-forwarded", f"{told(hop)} does not send this target on")
        return self.verdict_of(seen)

    cdef object disagreement(self, Py_ssize_t one, Py_ssize_t its, Py_ssize_t other, Py_ssize_t others):
        if one > other:
            one, its, other, others = other, others, one, its
        said = ["a path beside the mount" if rule == NOT_ROUTED else self.verdict_of(rule).rule or "no rule"
                for rule in (its, others)]
        return refusal("hops-disagree", f"{told(self.hops[one])} sees {said[0]}, {told(self.hops[other])} {said[1]}")

    cdef object unsure(self, Py_ssize_t k):
        return refusal("hop-refuses", f"some routes of {told(self.hops[k])} fit a path with a line feed, others do not")

    cdef object verdict_of(self, Py_ssize_t rule):
        """Return the verdict for a rule; the last one is that for none."""
        return self.verdicts[rule if rule >= 0 else len(self.verdicts) - 1]

    cdef bytes sent_by(self, Py_ssize_t k, bytes text):
        """Return what a hop sends on, before a prefix is stripped or put; None if it refuses or redirects the text."""
        cdef State s
        begin(&s, <const uint8_t*><const char*>text, len(text))
        try:
            if (<Pipeline>self.reads[k]).run(&s) != DONE or (<Pipeline>self.forward[k]).run(&s) != DONE:
                return None
            return s.text.p[:s.text.n]
        finally:
            end(&s)

    cdef Py_ssize_t seen_by(self, Py_ssize_t k, bytes text, bytes root, int* outcome) except -3:
        """Return the rule that a hop sees."""
        cdef State s
        cdef bytes path
        begin(&s, <const uint8_t*><const char*>text, len(text))
        try:
            outcome[0] = (<Pipeline>self.reads[k]).run(&s)
            if outcome[0] == DONE:
                outcome[0] = (<Pipeline>self.match[k]).run(&s)
            if outcome[0] != DONE:
                return NO_RULE
            if self.plain and not root:
                return self.rule_for(s.text.p, s.text.n, self.flags[k], outcome)
            # rules are written for the path at the last hop
            path = s.text.p[:s.text.n]
            for hop in self.hops[k:len(self.hops) - 1] if self.named else ():
                path = moved(path, hop.strip.encode(), hop.mount.encode())
                if path is None:
                    return NOT_ROUTED
            if root:
                if path != root and not path.startswith(root + b"/"):
                    return NOT_ROUTED
                path = path[len(root):] or b"/"
            return self.rule_for(<const uint8_t*><const char*>path, len(path), self.flags[k], outcome)
        finally:
            end(&s)

    cdef Py_ssize_t rule_for(self, const uint8_t* p, Py_ssize_t n, int flags, int* outcome) noexcept:
        """Return the rule for a path that a hop has matched on. If the path has a line feed, and it depends on the kind
        of a route whether a rule fits, the outcome is UNSURE."""
        cdef Py_ssize_t rule = self.rule_of(p, n, flags)
        if flags & LINE_FEEDS and memchr(p, c"\n", n) != NULL:
            if rule != NO_RULE or p[n - 1] == c"\n" and self.rule_of(p, n - 1, flags) != NO_RULE:
                outcome[0] = UNSURE
        return rule

    cdef Py_ssize_t rule_of(self, const uint8_t* p, Py_ssize_t n, int flags) noexcept:
        """Return the number of the longest rule that fits a path; NO_RULE if none does."""
        return (self.folded if flags & FOLDS else self.rules).longest(p, n, flags)


cdef enum Flag:
    FOLDS = 1
    LINE_FEEDS = 2           # some kinds of routes fit a path with a line feed, others do not
    TEXT_PREFIX = 4

cdef enum:
    NOT_ROUTED = -2          # the hop does not send the path on
    UNSURE = 3               # an outcome beside those of steps


cdef str told(object hop):
    """Return the name of a hop for a message, with the options that it was given."""
    cdef str given = ", ".join([f"{name}={value!r}" for name, value in hop.options.items()])
    return f"{hop.name} with {given}" if given else hop.name


def made_of(protected, open, hops, more):
    """Return what a pickle of Paths describes."""
    return Paths(protected, open, hops=hops, **more)


set_name(Paths, "urlsm.server.Paths")


@cython.final
@cython.internal
cdef class Rules:
    """Rules in the order of their octets; one search finds the longest that fits a path.

    A rule with which a path begins is not behind the path in this order, and whatever stands between the two begins
    with the rule as well. So it is the last rule that is not behind the path, or a prefix of that one.
    """
    cdef tuple texts                  # owns the octets
    cdef Rule* rules
    cdef Py_ssize_t size

    def __cinit__(self, dict numbers):
        cdef Py_ssize_t k, last = -1
        cdef bytes text
        self.texts = tuple(sorted(numbers))
        self.size = len(self.texts)
        self.rules = <Rule*>malloc(sizeof(Rule) * <size_t>self.size + 1)
        if self.rules == NULL:
            raise MemoryError
        for k in range(self.size):
            text = self.texts[k]
            while last >= 0 and not text.startswith(self.texts[last]):
                last = self.rules[last].shorter
            self.rules[k] = Rule(<const uint8_t*><const char*>text, len(text), numbers[text], last)
            last = k

    def __dealloc__(self):
        free(self.rules)

    cdef Py_ssize_t longest(self, const uint8_t* p, Py_ssize_t n, int flags) noexcept nogil:
        """Return the number of the longest rule that fits a path; NO_RULE if none does."""
        cdef Py_ssize_t low = 0, high = self.size, middle, k
        cdef int compared
        cdef const Rule* rule
        while low < high:
            middle = (low + high) // 2
            rule = &self.rules[middle]
            compared = order(rule, p, n, flags & FOLDS)
            if compared > 0 or compared == 0 and rule.n > n:
                high = middle
            else:
                low = middle + 1
        k = low - 1
        while k >= 0:
            rule = &self.rules[k]
            if rule.n <= n and order(rule, p, n, flags & FOLDS) == 0 and (
                    rule.n == n or p[rule.n] == c"/" or flags & TEXT_PREFIX):
                return rule.number
            k = rule.shorter
        return NO_RULE


cdef struct Rule:
    const uint8_t* p         # in lower case if it is for hops that fold
    Py_ssize_t n
    Py_ssize_t number
    Py_ssize_t shorter       # the place of the longest rule that is a prefix of it; -1: none is


cdef inline int order(const Rule* rule, const uint8_t* p, Py_ssize_t n, bint folds) noexcept nogil:
    """Compare a rule with the first octets of a path, as memcmp does."""
    cdef Py_ssize_t k, size = min(rule.n, n)
    if not folds:
        return memcmp(rule.p, p, size)
    for k in range(size):
        if rule.p[k] != lower(p[k]):
            return rule.p[k] - <int>lower(p[k])
    return 0


cdef Py_ssize_t canonical_path(const uint8_t* p, Py_ssize_t n, bint folds) noexcept nogil:
    """Return the length of the path of a target that every program matches on as it is (test_hops.py); -1: it may not
    be such. folds: whether a program folds letter case; then a path with capitals is not such.

    The path consists of characters that are never escaped or given a meaning, without empty and dot segments. A "?" is
    followed by a query of such characters, "/", "?", ";" and "%".
    """
    cdef Py_ssize_t k = 1, size
    while k < n:
        if PLAIN[p[k]] & IN_PATH:
            if p[k] == c"." and p[k - 1] == c"/":
                size = 2 if k + 1 < n and p[k + 1] == c"." else 1
                if k + size == n or p[k + size] == c"/" or p[k + size] == c"?":
                    return NOT_CANONICAL
            elif folds and CLASS[p[k]] & UPPER:
                return NOT_CANONICAL
        elif p[k] != c"/" or p[k - 1] == c"/":
            break
        k += 1
    if k == n:
        return n
    size = k
    if p[k] != c"?" or k + 1 == n:
        return NOT_CANONICAL
    k += 1
    while k < n:
        if not PLAIN[p[k]] & IN_QUERY:
            return NOT_CANONICAL
        k += 1
    return size


cdef bint is_canonical(bytes target) except -1:
    """Return whether the path of a target is canonical, but for escapes in normal form of characters that need them."""
    cdef bytes path = target.partition(b"?")[0], part
    cdef list parts = path.split(b"%")
    cdef bytearray bare = bytearray(parts[0]), octets = bytearray()  # the path without escapes; what they stand for
    for part in parts[1:]:
        digits = part[:2]
        if len(digits) < 2 or digits.strip(b"0123456789ABCDEF"):
            return False
        octet = int(digits, 16)
        if octet < 0x80 and octet not in b' "<>^`{|}':
            return False
        octets.append(octet)
        octets += part[2:]
        bare += b"-" + part[2:]
    if through(REPLACED, bytes(octets)) != octets:  # not UTF-8
        return False
    path = bytes(bare)
    return canonical_path(<const uint8_t*><const char*>path, len(path), False) == len(path)


cdef bytes through(Pipeline pipeline, bytes text):
    """Return what a pipeline that refuses nothing makes of a text."""
    cdef State s
    begin(&s, <const uint8_t*><const char*>text, len(text))
    try:
        pipeline.run(&s)
        return s.text.p[:s.text.n]
    finally:
        end(&s)


cdef bytes put_back(bytes text, object hop):
    """Return the target that a hop has received, for one that it sent on as it was, but for its prefixes. None: it does
    not send such."""
    cdef bytes mount = hop.mount.encode()
    if mount and not text.startswith(mount + b"/"):
        return None
    return hop.strip.encode() + text[len(mount):]


cdef bytes rule_of(object rule):
    """Return the octets of a rule, without a "/" at its end. ValueError: it is not a canonical path."""
    if not isinstance(rule, str):
        raise TypeError(f"a rule must be str, not {type(rule).__name__}")
    cdef bytes octets = octets_of(rule)
    cdef Py_ssize_t n = len(octets)
    if octets[:1] != b"/" or b"*" in octets or canonical_path(<const uint8_t*><const char*>octets, n, False) != n:
        raise ValueError('a rule must be a path such as "/admin", of characters that need no escape, without "*", '
                         f"empty and dot segments, not {rule!r}")
    return octets.rstrip(b"/")


cdef tuple after_servers(list hops):
    """Give each framework the server that stands before it."""
    cdef list found = []
    cdef str server = ""
    for hop in hops:
        if server in hop.settings.program.options.get("server", ()) and "server" not in hop.options:
            hop = Hop(hop.name, strip=hop.strip, mount=hop.mount, text_prefix=hop.text_prefix, server=server,
                      **hop.options)
        found.append(hop)
        server = hop.settings.serves
    return tuple(found)


cdef Py_ssize_t place_of(object at, tuple hops) except -1:
    """Return the index of the hop at which the check stands."""
    if isinstance(at, str):
        for k, hop in enumerate(hops):
            if at in (hop.name, hop.settings.program.name):
                return k
        raise ValueError(f"at: none of the hops is {at!r}")
    if not 0 <= at < len(hops):
        raise ValueError(f"at must be the index of a hop, from 0 to {len(hops) - 1}, not {at!r}")
    return at
