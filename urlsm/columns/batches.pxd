"""Writing a batch of fields: cuts of texts (cutting.pxd), texts that are made for a field, and numbers."""
from libc.stdint cimport int8_t, int32_t, int64_t, uint16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy, memset
from urlsm.columns.cells cimport (
    BATCH, Cell, Cut, Cuts, NO_BUFFER, Out, ROOM, VIEW, WINDOW_BITS, is_utf8, no_text, popcount, put_word, room_of,
)
from urlsm.columns.cuts cimport NO_MEMORY, TOO_MUCH, put, put_validity, roomy_octets
from urlsm.columns.fields cimport (
    F_AMBIGUOUS, F_BLAKE2B_128, F_ERROR, F_ERROR_AT, F_HASH64, F_HAZARDS, F_HOST, F_NAME, F_ORIGIN, F_PARAM, F_PORT,
    F_QUERY, F_REVERSED, F_SHA1, F_TRAPS, F_VALID, is_of_host, is_of_list,
)
from urlsm.columns.jobs cimport (
    Job, KEYS, Part, Plan, READ, REFUSED_ROW, SPANS, is_text, out_of_memory, set_written, too_much, width_of,
)
from urlsm.crawler.hashes cimport Padded, write_digests
from urlsm.crawler.sites cimport Ending, Suffixes
from urlsm.crawler.traps cimport traps_of
from urlsm.machine.special cimport FILE, HTTP, HTTPS, NOT_SPECIAL
from urlsm.octets.buffer cimport (
    Buffer, MAX_LENGTH, buffer_copy, buffer_copy_lower, buffer_free, buffer_put, buffer_reserve, buffer_start,
)
from urlsm.octets.chars cimport UPPER, classes_of
from urlsm.octets.text cimport write_unquoted
from urlsm.octets.query cimport QueryField, next_field, value_of
from urlsm.octets.words cimport first_bit
from urlsm.url.coding cimport Coding, is_form, is_spaced, set_coding_of_scheme
from urlsm.url.parser cimport write_url
from urlsm.url.spans cimport authority_start, end_of_path
from urlsm.url.structs cimport Failure, GIVEN, Offsets, REFUSED
from urlsm.columns.cutting cimport (
    cut_labels, cut_others, cut_sites, cut_spans, cuts_of, ending_of, no_case, takes_name,
)


cdef inline int replace_invalid(Buffer* b, const Cell* text) except -1 with gil:
    """The octets as UTF-8, with U+FFFD for what is invalid."""
    cdef bytes octets = text.p[:text.n].decode("utf-8", "replace").encode("utf-8")
    return buffer_copy(b, octets, min(len(octets), MAX_LENGTH))


# --- texts made for a field ---------------------------------------------------------------------

cdef inline void place_written(const Job* job, Part* part, Cell* texts, uint32_t count) noexcept nogil:
    """Set the addresses of written texts, now that the buffer will not move until the batch is written."""
    cdef uint32_t k
    cdef size_t start
    for k in range(count):
        if texts[k].buffer >= job.written_from and texts[k].buffer != NO_BUFFER and part.state[k] == READ:
            start = (<size_t>(texts[k].buffer - job.written_from) << WINDOW_BITS) + texts[k].offset
            texts[k].p = part.written.p + start
            texts[k].room = room_of(part.written.capacity - start)


cdef inline int place_all_written(const Job* job, Part* part, Cell* texts, uint32_t count) except -1 nogil:
    """The same as place_written, with room after the last text."""
    buffer_reserve(&part.written, ROOM)
    place_written(job, part, texts, count)
    return 0


cdef inline int put_other(const Job* job, Part* part, uint32_t k, uint32_t count) except -1 nogil:
    """Make the text of part.key the other text of row k. The texts in the buffer move with it."""
    cdef size_t start = part.written.n
    cdef const uint8_t* before = part.written.p
    buffer_copy(&part.written, part.key.p, part.key.n)
    set_written(job, part, &part.others[k], start, part.key.n)
    if part.written.p != before:
        place_written(job, part, part.texts, count)
    return 0


# --- origins -----------------------------------------------------------------------------------

cdef inline int write_origins(const Job* job, Part* part, uint32_t count) except -1 nogil:
    """Write the serialised origin of each row (#concept-url-origin), as a text of its own."""
    cdef uint32_t k
    cdef Cut host
    for k in range(count):
        part.others[k] = part.texts[k]
        if part.state[k] == READ:
            part.key.n = 0
            if part.found.plain[k >> 6] >> (k & 63) & 1:
                host = part.found.host.at[k]
                buffer_copy(&part.key, part.texts[k].p, host.start + host.n)
            else:
                write_origin(&part.key, &part.texts[k], &part.o[k])
            put_other(job, part, k, count)
    return 0


cdef inline int write_origin(Buffer* b, const Cell* text, const Offsets* o) except -1 nogil:
    cdef const uint8_t* p = text.p
    cdef Buffer inner
    cdef Offsets of_inner
    cdef Failure failure
    cdef uint32_t path
    cdef int outcome
    if o.kind != NOT_SPECIAL and o.kind != FILE:
        return write_tuple_origin(b, p, o)
    if o.scheme_end != 4 or memcmp(p, b"blob", 4) != 0:
        return buffer_copy(b, <const uint8_t*>b"null", 4)
    buffer_start(&inner)
    try:
        path = o.path_start
        outcome = write_url(&inner, &of_inner, &failure, p + path, end_of_path(o, text.n) - path, NULL, NULL, NULL)
        # "If pathURL's scheme is "http", "https", or "file", then return pathURL's origin."
        if outcome != REFUSED and (of_inner.kind == HTTP or of_inner.kind == HTTPS):
            write_tuple_origin(b, p + path if outcome == GIVEN else inner.p, &of_inner)
        else:
            buffer_copy(b, <const uint8_t*>b"null", 4)
    finally:
        buffer_free(&inner)
    return 0


cdef inline int write_tuple_origin(Buffer* b, const uint8_t* p, const Offsets* o) except -1 nogil:
    buffer_copy(b, p, authority_start(o))
    return buffer_copy(b, p + o.host_start, o.path_start - o.host_start)


# --- names, parameters --------------------------------------------------------------------------

cdef inline bint fold_hosts(const Job* job, Part* part, const Cuts* hosts, uint32_t count) except -1 nogil:
    """Make other texts, in lower case, if a host has upper case, as one of a scheme that is not special may: suffixes
    match without regard to case. Returns whether it did; the cuts of hosts are those of the other texts too. There is
    room for all hosts after them, so that they stay where they are."""
    cdef uint32_t k, word
    cdef uint64_t left
    cdef size_t room = ROOM
    cdef bint folded = False
    for word in range((count + 63) // 64):
        left = part.left[word]
        while left:
            k = 64 * word + first_bit(left)
            left &= left - 1
            if part.state[k] == READ and classes_of(part.texts[k].p + hosts.at[k].start, hosts.at[k].n) & UPPER:
                if not folded:
                    memcpy(part.others, part.texts, sizeof(Cell) * count)
                    folded = True
                part.key.n = 0
                buffer_copy_lower(&part.key, part.texts[k].p, part.texts[k].n)
                put_other(job, part, k, count)
    if folded:
        for k in range(count):
            room += hosts.at[k].n
        buffer_reserve(&part.written, room)
        place_written(job, part, part.texts, count)
        place_written(job, part, part.others, count)
    return folded


cdef inline int write_reversed(const Job* job, Part* part, const Cell* texts, const Cuts* hosts,
                               uint32_t count) except -1 nogil:
    """Write the labels of each name, the last first, as a text of its own. texts: of the part, perhaps its others."""
    cdef Cell text
    cdef const uint8_t* p
    cdef uint32_t k, start, end
    cdef Cut host
    for k in range(count):
        text = texts[k]
        no_text(&part.others[k])
        part.code[k] = 0
        host = hosts.at[k]
        if hosts.there[k >> 6] >> (k & 63) & 1 and takes_name(&text, &host):
            part.key.n = 0
            part.code[k] = 1
            p = text.p + host.start
            start = host.n + 1
            while start:
                end = start - 1
                start = end
                while start and p[start - 1] != c'.':
                    start -= 1
                buffer_copy(&part.key, p + start, end - start)
                if start:
                    buffer_put(&part.key, c'.')
            put_other(job, part, k, count)
    return 0


cdef inline int write_params(const Job* job, Part* part, const Cuts* queries, uint32_t count) except -1 nogil:
    """Write the first value of the plan's parameter in each query, decoded."""
    cdef uint32_t k
    cdef bint[2] plus        # "+" is a space in names, and in the parameter's values
    for k in range(count):
        no_text(&part.others[k])
        part.code[k] = 0
        if queries.there[k >> 6] >> (k & 63) & 1 == 0:
            continue
        part.key.n = 0
        plus[0] = plus[1] = True
        if part.found.plain[k >> 6] >> (k & 63) & 1 == 0 and not is_form(part.o[k].kind) \
                and memchr(part.texts[k].p + queries.at[k].start, c'+', queries.at[k].n) != NULL:
            read_plus(plus, job.plan, part.texts[k].p, part.o[k].scheme_end)
        if write_value(&part.key, part.texts[k].p + queries.at[k].start, queries.at[k].n, job.plan, plus):
            part.code[k] = 1
            put_other(job, part, k, count)
    return 0


cdef inline int read_plus(bint* plus, const Plan* plan, const uint8_t* scheme, uint32_t n) except -1 with gil:
    """Ask the scheme's handler where "+" is a space: in names, and in the parameter's values."""
    cdef Coding coding
    _owner = set_coding_of_scheme(&coding, scheme[:n].decode("ascii"))
    plus[0] = coding.plus_in_names
    plus[1] = coding.plus_in_values or is_spaced(&coding, plan.name[:plan.name_length].decode("utf-8", "replace"))
    return 0


cdef inline bint may_be_named(const QueryField* field, const Plan* plan) noexcept nogil:
    """Return whether the field's decoded name can be the parameter's. Decoding makes no name longer, and changes its
    first octet only if that is "%" or "+". An empty field has no name."""
    cdef size_t n = field.equals - field.name
    if field.end == field.name or n < plan.name_length:
        return False
    return n == 0 or field.name[0] == c'%' or field.name[0] == c'+' \
        or (plan.name_length and field.name[0] == plan.name[0])


cdef inline bint write_value(Buffer* b, const uint8_t* p, size_t n, const Plan* plan,
                             const bint* plus) except -1 nogil:
    """Append the value of the parameter, if it is in the query p[0:n]: "the first ... whose name is name"."""
    cdef size_t start = b.n
    cdef QueryField field
    cdef bint same
    cdef Cell decoded
    field.next = p
    while next_field(&field, p + n):
        if may_be_named(&field, plan):
            write_unquoted(b, field.name, field.equals - field.name, plus[0])
            same = b.n - start == plan.name_length and memcmp(b.p + start, plan.name, plan.name_length) == 0
            b.n = start
            if same:
                write_unquoted(b, value_of(&field), field.end - value_of(&field), plus[1])
                if not is_utf8(b.p + start, b.n - start):
                    decoded.p, decoded.n = b.p + start, <uint32_t>(b.n - start)
                    replace_written(b, start, &decoded)
                return True
    return False


cdef inline int replace_written(Buffer* b, size_t start, const Cell* text) except -1 nogil:
    """Replace the octets from start on, the text, by UTF-8."""
    cdef Buffer replaced
    buffer_start(&replaced)
    try:
        replace_invalid(&replaced, text)
        b.n = start
        buffer_copy(b, replaced.p, replaced.n)
    finally:
        buffer_free(&replaced)
    return 0


# --- a batch -----------------------------------------------------------------------------------

cdef inline int write_batch(const Job* job, Part* part, uint32_t count, Suffixes suffixes,
                            int octets_at_once) except -1 nogil:
    """Write the fields of the batch that read_batch has read."""
    cdef const Plan* plan = job.plan
    cdef const Cell* texts
    cdef const Cuts* cuts
    cdef int64_t roomy, room
    cdef int f, field, outcome
    cdef Ending ending
    cdef bint written        # the field's texts are made for it
    if part.any_written:
        place_all_written(job, part, part.texts, count)
    roomy = roomy_octets(part.texts, count)
    for f in range(plan.count):
        field = plan.fields[f]
        texts = part.texts
        cuts = &part.cuts
        room = roomy
        if plan.reading == SPANS:
            cut_spans(part, field, count)
        elif not is_text(plan, f):
            write_numbers(plan, part, f, field, count, octets_at_once)
            continue
        elif field == F_ORIGIN:
            write_origins(job, part, count)
        else:
            cuts = cuts_of(part, F_HOST if is_of_host(field) else F_QUERY if field == F_PARAM else field, count)
            if is_of_host(field) and field != F_HOST and not plan.bare_hosts and fold_hosts(job, part, cuts, count):
                texts = part.others
                room = roomy_octets(texts, count)
            if is_of_list(field):
                ending = ending_of(plan, field)
                cut_sites(part, texts, cuts, count, suffixes, plan.bare_hosts, &ending)
                cuts = &part.cuts
            elif F_NAME <= field < F_REVERSED:
                cut_labels(part, texts, cuts, count, field)
                cuts = &part.cuts
            elif field == F_REVERSED:
                write_reversed(job, part, texts, cuts, count)
            elif field == F_PARAM:
                write_params(job, part, cuts, count)
            elif is_of_host(field) and field != F_HOST:
                return no_case(field)
        written = plan.reading != SPANS and (field == F_ORIGIN or field == F_PARAM or field == F_REVERSED)
        if written:
            place_all_written(job, part, part.texts, count)
            place_written(job, part, part.others, count)
            texts, cuts = part.others, &part.cuts
            room = roomy_octets(texts, count)
            cut_others(part, field == F_ORIGIN, count)
        outcome = put(&part.out[f], octets_at_once, room, texts, cuts, part.row, count)
        if outcome == NO_MEMORY:
            return out_of_memory()
        if outcome == TOO_MUCH:
            return too_much()
    if not plan.single:
        write_struct_validity(job, part, count)
    if plan.layout != VIEW or (plan.reading == KEYS and not is_text(plan, 0)):
        part.written.n = 0
    return 0


cdef inline int write_numbers(const Plan* plan, Part* part, int f, int field, uint32_t count,
                              int octets_at_once) except -1 nogil:
    cdef Out* out = &part.out[f]
    cdef size_t width = width_of(plan, f), digests = 0
    cdef Padded[BATCH] padded
    cdef int64_t row = part.row
    cdef uint32_t k
    cdef uint64_t[2] words = [0, 0]
    cdef uint64_t[2] told = [0, 0]
    cdef bint read, there
    for k in range(count):
        read = part.state[k] == READ
        there = part.state[k] == REFUSED_ROW or part.refused[k]
        if field == F_VALID or field == F_AMBIGUOUS:
            words[k >> 6] |= <uint64_t>(read and not part.refused[k] and (field == F_VALID or part.code[k])) << (k & 63)
            there = read or (there and field == F_VALID)
        elif field == F_PORT:
            there = read and part.found.plain[k >> 6] >> (k & 63) & 1 == 0 and part.o[k].port >= 0
            (<uint16_t*>out.main)[row + k] = part.o[k].port if there else 0
        elif field == F_ERROR:
            (<int8_t*>out.main)[row + k] = part.code[k] if there else 0
        elif field == F_ERROR_AT:
            (<int32_t*>out.main)[row + k] = part.at[k] if there else 0
        elif field == F_HASH64 or field == F_HAZARDS or field == F_TRAPS:
            there = read
            if field == F_TRAPS and read:
                part.number[k] = traps_of(part.texts[k].p, part.texts[k].n, &part.o[k], plan.latest)
            (<uint64_t*>out.main)[row + k] = part.number[k] if read else 0
        elif field == F_SHA1 or field == F_BLAKE2B_128:
            there = read
            if read:
                padded[digests] = Padded(
                    part.texts[k].p, part.texts[k].n, <uint8_t*>out.main + (row + k) * width)
                digests += 1
            else:
                memset(<uint8_t*>out.main + (row + k) * width, 0, width)
        else:
            return no_case(field)
        told[k >> 6] |= <uint64_t>there << (k & 63)
    if digests:
        write_digests(field == F_SHA1, padded, digests, octets_at_once)
    if field == F_VALID or field == F_AMBIGUOUS:
        for k in range(0, count, 64):
            put_word(<uint64_t*>out.main, (row + k) >> 6, words[k >> 6])
    put_validity(out, told, row, count)
    return 0


cdef inline void write_struct_validity(const Job* job, Part* part, uint32_t count) noexcept nogil:
    """Make the struct null where the row is null or refused, unless a field reports the refusal."""
    cdef uint32_t k, word
    cdef uint64_t left, bits
    for word in range((count + 63) // 64):
        bits = part.found.plain[word]
        left = part.left[word]
        while left:
            k = first_bit(left)
            left &= left - 1
            if part.state[64 * word + k] == READ or (part.state[64 * word + k] == REFUSED_ROW and job.plan.tells_why):
                bits |= <uint64_t>1 << k
        put_word(job.validity, (part.row >> 6) + word, bits)
        part.nulls += popcount(bits ^ (part.found.plain[word] | part.left[word]))
