"""Functions that find the signs of a crawler trap in a URL (a trap is one of endlessly many URLs that a site makes),
and that write the shape of a URL, in which placeholders stand for numbers and dates.

Only the first LOOK segments and the first LOOK fields are compared, each pair at most once. So the comparisons take at
most LOOK times as long as reading the URL.
"""
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcmp
from urlsm.crawler.sessions cimport folder_end
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.special cimport same_letters
from urlsm.octets.buffer cimport Buffer, buffer_copy
from urlsm.octets.chars cimport ALPHA, CLASS, DIGIT, HEX
from urlsm.octets.find cimport find
from urlsm.octets.query cimport QueryField, next_field, value_of
from urlsm.url.spans cimport end_of_path, end_of_query
from urlsm.url.structs cimport Offsets

cdef enum Trap:              # in the order of TRAPS in pages.pyx
    SEGMENTS_REPEAT = 1
    HOST_IN_PATH = 2
    TOO_DEEP = 4
    TOO_LONG = 8
    FAR_DATE = 16
    FIELDS_REPEAT = 32
    SESSION_ID = 64

cdef enum:
    MOST_SEGMENTS = 20       # the limit of Heritrix's TooManyPathSegmentsDecideRule
    MOST_OCTETS = 2083       # Scrapy's default for URLLENGTH_LIMIT
    LOOK = 64                # the number of segments that are examined, and of fields that are compared
    MONTHS_AHEAD = 24        # months later than this, counted from today, are far
    MONTHS_OF_PAGES = 12 * 200  # how many further months a crawler may have followed page by page
    FIRST_MONTH = 1970 * 12  # earlier months come from a calendar that a crawler followed back to before 1970
    NO_END = 9999 * 12       # a date from the year 9999 on means "no end"
    SESSION_OCTETS = 16      # a shorter value of "sid", for example, is not the identifier of a session

cdef enum Sure:              # in which URLs a far date is a sign of a trap
    IN_CALENDAR              # only if the URL names a calendar or events, since elsewhere /4036/1/ is just a number
    # in all URLs; but a date centuries ahead only if the URL names a calendar: not in /event/4036/11
    AS_SEGMENTS
    ON_PAGES                 # in all URLs; but a date centuries ahead only if the URL names a calendar or events
    BY_FORM                  # in all URLs, because only dates are written like 2026-05-17

cdef struct Date:
    int64_t month            # counted from the year 0; -1: not a date
    Sure sure

cdef struct Text:
    const uint8_t* p
    uint32_t n

cdef struct Texts:
    uint32_t all             # how many texts were added; only the first LOOK are kept
    Text[LOOK] at


cdef inline bint same_text(const Text* a, const Text* b) noexcept nogil:
    return a.n == b.n and memcmp(a.p, b.p, a.n) == 0


cdef inline bint is_text(const Text* a, const char* lower, uint32_t n) noexcept nogil:
    return a.n == n and same_letters(a.p, lower, n)


cdef inline void add_text(Texts* t, const uint8_t* p, const uint8_t* end) noexcept nogil:
    if t.all < LOOK:
        t.at[t.all].p, t.at[t.all].n = p, <uint32_t>(end - p)
    t.all += 1


cdef inline bint holds(const uint8_t* p, const uint8_t* end, const char* lower, uint32_t n) noexcept nogil:
    """Return whether the text from p to `end` contains the word lower[0:n], ignoring case."""
    while end - p >= n:
        if p[0] | 0x20 == <uint8_t>lower[0] and same_letters(p, lower, n):
            return True
        p += 1
    return False


# --- paths -------------------------------------------------------------------------------------

cdef inline bint in_a_row(const Texts* t) noexcept nogil:
    """Return whether one text comes three times in a row, or a series of several texts comes twice in a row."""
    cdef uint32_t count = min(t.all, <uint32_t>LOOK), period, k, run
    for period in range(1, count // 2 + 1):
        run = 0
        for k in range(count - period):
            run = run + 1 if same_text(&t.at[k], &t.at[k + period]) else 0
            if run >= max(period, <uint32_t>2):
                return True
    return False


cdef inline bint is_www(const Text* a) noexcept nogil:
    """Return whether a segment is a host name that begins with "www." and ends with a label of letters."""
    cdef uint32_t k, dots = 0, letters = 0
    if a.n < 8 or not same_letters(a.p, b"www.", 4):
        return False
    for k in range(a.n):
        if a.p[k] == c'.':
            dots += 1
            letters = 0
        elif CLASS[a.p[k]] & ALPHA:
            letters += 1
        elif CLASS[a.p[k]] & DIGIT or a.p[k] == c'-':
            letters = 0
            if dots == 0:
                return False
        else:
            return False
    return dots >= 2 and letters >= 2


cdef inline bint is_whole_url(const Texts* t, uint32_t k) noexcept nogil:
    """Return whether a host is in the path at segment k for a good reason: it follows "http:" or "https:", the date of
    an archive (14 digits, as in /web/20150307000000id_/www.h.com/), the "s" of an AMP cache, the "sites" of Drupal, or
    the "afs" of a file system."""
    cdef const Text* before
    if k and t.at[k - 1].n == 0:
        k -= 1
    if k == 0:
        return False
    before = &t.at[k - 1]
    if is_text(before, b"http:", 5) or is_text(before, b"https:", 6) or is_text(before, b"s", 1) \
            or is_text(before, b"sites", 5) or is_text(before, b"afs", 3):
        return True
    return before.n >= 14 and number_of(before.p, 14) >= 0


cdef inline bint has_host(const Texts* t, const Text* host) noexcept nogil:
    """Return whether a segment is the URL's own host, or a domain that begins with "www.", except where is_whole_url
    gives a reason for it."""
    cdef uint32_t k
    cdef Text bare = host[0]
    cdef bint own = False
    if host.n > 4 and same_letters(host.p, b"www.", 4):
        bare.p, bare.n = host.p + 4, host.n - 4
    if find(bare.p, bare.p + bare.n, c'.') < bare.p + bare.n:
        own = True
    for k in range(min(t.all, <uint32_t>LOOK)):
        if is_www(&t.at[k]) or (own and (same_text(&t.at[k], host) or same_text(&t.at[k], &bare))):
            if not is_whole_url(t, k):
                return True
    return False


# --- dates -------------------------------------------------------------------------------------

cdef inline int64_t number_of(const uint8_t* p, uint32_t n) noexcept nogil:
    """Return the decimal number p[0:n]; -1 if an octet is not a digit."""
    cdef int64_t number = 0
    cdef uint32_t k
    for k in range(n):
        if not CLASS[p[k]] & DIGIT:
            return -1
        number = 10 * number + p[k] - c'0'
    return number


cdef inline int64_t month_of(int64_t year, int64_t month) noexcept nogil:
    return 12 * year + month - 1 if year >= 0 and 1 <= month <= 12 else -1


cdef inline size_t digits_at(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return how many digits are at p; 9 stands for more than eight."""
    cdef size_t n = 0
    while n < 9 and p + n < end and CLASS[p[n]] & DIGIT:
        n += 1
    return n


cdef inline uint8_t separator_at(const uint8_t** p, const uint8_t* end) noexcept nogil:
    """Move *p past a separator ("-", "_", ".", "/" or "%2F"), and return the separator ("/" for "%2F"); 0 if there is
    none."""
    cdef const uint8_t* q = p[0]
    if q < end and (q[0] == c'-' or q[0] == c'_' or q[0] == c'.' or q[0] == c'/'):
        p[0] = q + 1
        return q[0]
    if end - q > 2 and q[0] == c'%' and q[1] == c'2' and q[2] | 0x20 == c'f':
        p[0] = q + 3
        return c'/'
    return 0


cdef inline bint ends_date(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether a date can end at p. It can if the text ends there, or if a time follows, as in
    2026-05-17T10:00."""
    return p == end or ((p[0] | 0x20 == c't' or p[0] == c'+') and end - p > 2 and CLASS[p[1]] & DIGIT) \
        or (p[0] == c'%' and end - p > 5 and p[1] == c'2' and p[2] == c'0' and CLASS[p[3]] & DIGIT)


cdef inline bint is_day(int64_t number) noexcept nogil:
    return 1 <= number <= 31


cdef inline Date dated_from_year(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return the date of a text that begins with a year, such as 2026-05, 2026-5, 2026-05-17, 2026.5.17 or 2026-W20 (a
    week). p points behind the year."""
    cdef const uint8_t* year = p - 4
    cdef uint8_t mark = separator_at(&p, end)
    cdef size_t n = digits_at(p, end), m
    cdef int64_t month
    cdef Date date
    date.month, date.sure = -1, IN_CALENDAR
    if mark == c'-' and n == 0 and end - p == 3 and p[0] | 0x20 == c'w' and digits_at(p + 1, end) == 2:
        month = number_of(p + 1, 2)
        if 1 <= month <= 53:
            date.month, date.sure = month_of(number_of(year, 4), (month - 1) * 12 // 53 + 1), ON_PAGES
        return date
    if not mark or not 1 <= n <= 2:
        return date
    month = month_of(number_of(year, 4), number_of(p, n))
    p += n
    if p == end:
        date.month, date.sure = month, ON_PAGES if mark == c'-' and n == 2 else IN_CALENDAR
    elif separator_at(&p, end) == mark:
        m = digits_at(p, end)
        if 1 <= m <= 2 and is_day(number_of(p, m)) and ends_date(p + m, end):
            date.month, date.sure = month, BY_FORM if mark == c'-' and n == 2 and m == 2 else ON_PAGES
    return date


cdef inline Date dated_to_year(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return the date of a text that ends with a year, such as 17-5-2026, 05/17/2026 or 17.05.2026."""
    cdef size_t n = digits_at(p, end), m
    cdef const uint8_t* second
    cdef uint8_t mark
    cdef int64_t one, other
    cdef Date date
    date.month, date.sure = -1, IN_CALENDAR
    one = number_of(p, n)
    p += n
    mark = separator_at(&p, end)
    second = p
    m = digits_at(p, end)
    if not mark or not 1 <= m <= 2:
        return date
    other = number_of(second, m)
    p += m
    if separator_at(&p, end) != mark or digits_at(p, end) != 4 or not ends_date(p + 4, end) \
            or not is_day(one) or not is_day(other):
        return date
    date.month = month_of(number_of(p, 4), one if other > 12 else other)
    date.sure = ON_PAGES if mark == c'-' or mark == c'/' else IN_CALENDAR
    return date


cdef inline Date date_of(const Text* a, const Text* after) noexcept nogil:
    """Return the date in the text `a`, or in `a` and the next segment `after` together, such as 2026 and 5 (or 05). If
    there is no date, the result's month is -1."""
    cdef const uint8_t* end = a.p + a.n
    cdef size_t n = digits_at(a.p, end)
    cdef Date date
    date.month, date.sure = -1, IN_CALENDAR
    if n == 4 and a.n == 4:
        if after != NULL and 1 <= after.n <= 2:
            date.month = month_of(number_of(a.p, 4), number_of(after.p, after.n))
            date.sure = AS_SEGMENTS if after.n == 2 else IN_CALENDAR
    elif n == 4:
        date = dated_from_year(a.p + 4, end)
    elif n == 8 and ends_date(a.p + 8, end) and number_of(a.p, 4) >= 1900 and is_day(number_of(a.p + 6, 2)):
        date.month = month_of(number_of(a.p, 4), number_of(a.p + 4, 2))
    elif 1 <= n <= 2:
        date = dated_to_year(a.p, end)
    return date


cdef inline Date date_of_field(const Text* name, const Text* value) noexcept nogil:
    """Return the date that is the value of a field. A value of 4, 6 or 8 digits is a date only if the field's name has
    "year", "date" or "month" (for 8 digits also "day")."""
    cdef Date date = date_of(value, NULL)
    cdef const uint8_t* end = name.p + name.n
    if value.n not in (4, 6, 8) or number_of(value.p, value.n) < 0:
        return date
    date.month = -1
    if holds(name.p, end, b"year", 4) or holds(name.p, end, b"date", 4) or holds(name.p, end, b"month", 5) \
            or value.n == 8 and holds(name.p, end, b"day", 3):
        date.month = month_of(number_of(value.p, 4), number_of(value.p + 4, 2) if value.n > 4 else 1)
        date.sure = ON_PAGES
    return date


cdef inline bint is_calendar(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether the text names a calendar."""
    return holds(p, end, b"calend", 6) or holds(p, end, b"kalend", 6) or holds(p, end, b"agenda", 6)


cdef inline bint has_events(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether the text names a calendar, or events."""
    return is_calendar(p, end) or holds(p, end, b"event", 5)


cdef inline bint is_far(Date date, int64_t latest, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether a date is so far from now that it is a sign of a trap. The path and query are the text from p to
    `end`. latest: the latest month that is not far. A crawler follows the pages of a calendar month by month, so a year
    centuries ahead is just a number, unless it is in the form of a date (but 9999-12-31 means "no end"), or the URL
    names a calendar or events."""
    cdef bint pages = date.month <= latest + MONTHS_OF_PAGES
    if date.month <= latest:
        return 0 <= date.month < FIRST_MONTH and has_events(p, end)
    if date.sure == IN_CALENDAR:
        return pages and has_events(p, end)
    return pages or (date.sure == BY_FORM and date.month < NO_END) or is_calendar(p, end) \
        or (date.sure != AS_SEGMENTS and has_events(p, end))


# --- queries -----------------------------------------------------------------------------------

cdef inline bint is_identifier(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether the text has SESSION_OCTETS to 64 octets, all of them letters, digits, "-", "_", "." or "!", and
    at least one digit."""
    cdef bint digits = False
    if not SESSION_OCTETS <= end - p <= 64:
        return False
    while p < end and (CLASS[p[0]] & (ALPHA | DIGIT) or p[0] in (c'-', c'_', c'.', c'!')):
        digits |= CLASS[p[0]] & DIGIT != 0
        p += 1
    return p == end and digits


cdef inline bint is_session(const Text* name, const Text* value) noexcept nogil:
    if name.n >= 12 and same_letters(name.p, b"aspsessionid", 12):
        return True
    if is_text(name, b"cftoken", 7):
        return value.n > 0
    return SESSION_OCTETS <= value.n and 3 <= name.n <= 10 \
        and (is_text(name, b"sid", 3) or is_text(name, b"jsessionid", 10) or is_text(name, b"phpsessid", 9)
             or is_text(name, b"sessionid", 9) or is_text(name, b"session_id", 10)) \
        and is_identifier(value.p, value.p + value.n)


cdef inline bint has_path_session(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return whether the path has ";jsessionid=...", or a session folder of ASP.NET: "/(S(24 letters or digits))/"."""
    cdef const uint8_t* q = find(p, end, c';')
    cdef const uint8_t* stop
    while q < end:
        stop = find(q + 1, end, c';')
        if stop - q > 12 and same_letters(q, b";jsessionid=", 12) \
                and is_identifier(q + 12, find(q + 12, stop, c'/')):
            return True
        q = stop
    q = find(p, end, c'(')
    while q < end:
        if q > p and (q - 1)[0] == c'/' and (folder_end(q, end, True) != NULL or folder_end(q, end, False) != NULL):
            return True
        q = find(q + 1, end, c'(')
    return False


# --- all of them -------------------------------------------------------------------------------

cdef inline uint32_t query_traps(const uint8_t* p, const uint8_t* end, const uint8_t* path,
                                 int64_t latest) noexcept nogil:
    cdef QueryField field
    cdef Texts fields
    cdef Text name, value
    cdef uint32_t k, found = 0
    fields.all = 0
    field.next = p
    while next_field(&field, end):
        if field.equals == field.name:
            continue
        name.p, name.n = field.name, <uint32_t>(field.equals - field.name)
        value.p = value_of(&field)
        value.n = <uint32_t>(field.end - value.p)
        add_text(&fields, field.name, field.end)
        if value.n >= 4 and is_far(date_of_field(&name, &value), latest, path, end):
            found |= FAR_DATE
        if is_session(&name, &value):
            found |= SESSION_ID
        if fields.all <= LOOK and found & FIELDS_REPEAT == 0:
            for k in range(fields.all - 1):
                if same_text(&fields.at[k], &fields.at[fields.all - 1]):
                    found |= FIELDS_REPEAT
    return found


cdef inline uint32_t traps_of(const uint8_t* p, uint32_t n, const Offsets* o, int64_t latest) noexcept nogil:
    """Return the signs of traps in a URL, as bits of enum Trap. latest: the latest month, counted from the year 0, that
    is not far."""
    cdef const uint8_t* end = p + end_of_query(o, n)
    cdef const uint8_t* path_end = p + end_of_path(o, n)
    cdef const uint8_t* path = p + o.path_start
    cdef const uint8_t* q
    cdef const uint8_t* stop
    cdef Texts segments
    cdef Text host
    cdef const Text* after
    cdef uint32_t k, found = TOO_LONG if end - p > MOST_OCTETS else 0
    if not o.opaque_path and path < path_end:
        segments.all = 0
        q = path + 1
        while q <= path_end:
            stop = find(q, path_end, c'/')
            add_text(&segments, q, stop)
            q = stop + 1
        if segments.all > MOST_SEGMENTS:
            found |= TOO_DEEP
        if in_a_row(&segments):
            found |= SEGMENTS_REPEAT
        host.p, host.n = p + o.host_start, o.host_end - o.host_start
        if has_host(&segments, &host):
            found |= HOST_IN_PATH
        for k in range(min(segments.all, <uint32_t>LOOK)):
            after = &segments.at[k + 1] if k + 1 < min(segments.all, <uint32_t>LOOK) else NULL
            if is_far(date_of(&segments.at[k], after), latest, path, end):
                found |= FAR_DATE
        if has_path_session(path, path_end):
            found |= SESSION_ID
    if o.query_start != ABSENT:
        found |= query_traps(p + o.query_start + 1, end, path, latest)
    return found


# --- shapes ------------------------------------------------------------------------------------

cdef inline bint are_digits(const uint8_t* p, const uint8_t* end, uint32_t n) noexcept nogil:
    """Return whether exactly n digits, and not one more, are at p."""
    return end - p >= n and number_of(p, n) >= 0 and (end - p == n or not CLASS[p[n]] & DIGIT)


cdef inline uint32_t date_at(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Return the length of the date at p, such as 2026/05, 2026-05 or 2026-05-17; 0 if there is none."""
    cdef uint8_t between
    if end - p < 7 or not are_digits(p, end, 4) or (p[4] != c'/' and p[4] != c'-') or not are_digits(p + 5, end, 2):
        return 0
    if not 1 <= number_of(p + 5, 2) <= 12:
        return 0
    between = p[4]
    if end - p >= 10 and p[7] == between and are_digits(p + 8, end, 2) and 1 <= number_of(p + 8, 2) <= 31:
        return 10
    return 7


cdef inline bint is_uuid(const uint8_t* p, const uint8_t* end) noexcept nogil:
    cdef uint32_t k
    if end - p < 36:
        return False
    for k in range(36):
        if (p[k] != c'-' if k in (8, 13, 18, 23) else not CLASS[p[k]] & HEX):
            return False
    return end - p == 36 or not CLASS[p[36]] & (ALPHA | DIGIT)


cdef inline int write_word(Buffer* b, const uint8_t* p, const uint8_t* end) except -1 nogil:
    """Append a run of letters and digits, with "<n>" in place of each number. A run of sixteen or more octets that has
    both letters and digits becomes "<hash>"."""
    cdef const uint8_t* q = p
    cdef uint32_t seen = 0
    while q < end:
        seen |= CLASS[q[0]]
        q += 1
    if not seen & DIGIT:
        return buffer_copy(b, p, end - p)
    if seen & ALPHA and end - p >= 16:
        return buffer_copy(b, <const uint8_t*>b"<hash>", 6)
    while p < end:
        q = p
        while q < end and not CLASS[q[0]] & DIGIT:
            q += 1
        buffer_copy(b, p, q - p)
        p = q
        while p < end and CLASS[p[0]] & DIGIT:
            p += 1
        if p > q:
            buffer_copy(b, <const uint8_t*>b"<n>", 3)
    return 0


cdef inline int write_shape(Buffer* b, const uint8_t* p, uint32_t n, const Offsets* o) except -1 nogil:
    """Append the URL without its fragment, with placeholders for the numbers, dates and identifiers in its path and
    query."""
    cdef const uint8_t* end = p + end_of_query(o, n)
    cdef const uint8_t* done = p         # up to here, the URL has been written
    cdef const uint8_t* q = p + o.path_start
    cdef const uint8_t* start
    cdef uint32_t length
    cdef bint digits
    while q < end:
        if q[0] == c'%':                 # the digits of an escape are not a number
            q = q + 3 if end - q > 3 else end
            continue
        if not CLASS[q[0]] & (ALPHA | DIGIT):
            q += 1
            continue
        start = q
        digits = False
        while q < end and CLASS[q[0]] & (ALPHA | DIGIT):
            digits |= CLASS[q[0]] & DIGIT != 0
            q += 1
        if q < end and q[0] == c'-' and q - start == 8 and is_uuid(start, end):
            buffer_copy(b, done, start - done)
            buffer_copy(b, <const uint8_t*>b"<uuid>", 6)
            done = q = start + 36
        elif digits:
            buffer_copy(b, done, start - done)
            length = date_at(start, end) if q - start == 4 else 0
            if length:
                buffer_copy(b, <const uint8_t*>b"<date>", 6)
                q = start + length
            else:
                write_word(b, start, q)
            done = q
    return buffer_copy(b, done, end - done)
