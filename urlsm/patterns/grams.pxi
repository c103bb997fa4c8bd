# Rules without a host and a beginning, found by four octets that a URL must have for them to match.

cdef enum:
    GRAM = 4
    GRAM_HASHES = 1 << 16
    COMMON = 1 << 24         # counts as so many rules, of a gram that many URLs have

cdef bytes IN_MANY_URLS = (
    b"https://www. http://www. .com/ .net/ .org/ .html .htm? .php? .js? .json .jpg .png .gif .css /index /static "
    b"/assets /images /public /content")


cdef inline uint32_t gram_at(const uint8_t* p) noexcept nogil:
    return <uint32_t>p[0] | <uint32_t>p[1] << 8 | <uint32_t>p[2] << 16 | <uint32_t>p[3] << 24


cdef inline uint32_t gram_hash(uint32_t gram) noexcept nogil:
    return gram * 0x9E3779B1u >> 16


cdef inline uint32_t gram_slot(uint32_t gram, const uint64_t* key) noexcept nogil:
    """Return the keyed hash of a gram: multiply-add-shift, of which any two grams have the same with a chance of 2^-32
    (Dietzfelbinger, Universal hashing and k-wise independent random variables via integer arithmetic without primes,
    1996)."""
    return <uint32_t>((gram * key[0] + key[1]) >> 32)


cdef inline void count_grams(uint32_t* counts, const uint8_t* p, uint32_t n, uint32_t more) noexcept nogil:
    cdef uint32_t k
    for k in range(n - GRAM + 1):
        counts[gram_hash(gram_at(p + k))] += more


cdef int choose_grams(Row* rows, uint32_t size, const uint8_t* pool) except -1:
    """Set the gram of each row of OF_GRAM: of its octets those four that the fewest rules have."""
    cdef uint32_t* counts = NULL
    cdef uint32_t i, k, gram, best, fewest
    for i in range(size):
        if rows[i].group == OF_GRAM:
            if counts == NULL:
                counts = <uint32_t*>calloc(GRAM_HASHES, 4)
                if counts == NULL:
                    raise MemoryError()
                count_grams(counts, IN_MANY_URLS, <uint32_t>len(IN_MANY_URLS), COMMON)
            count_grams(counts, pool + rows[i].at, rows[i].n, 1)
    for i in range(size if counts != NULL else 0):
        if rows[i].group == OF_GRAM:
            best, fewest = 0, 0xFFFFFFFF
            for k in range(rows[i].n - GRAM + 1):
                gram = gram_at(pool + rows[i].at + k)
                if counts[gram_hash(gram)] < fewest:
                    best, fewest = gram, counts[gram_hash(gram)]
            rows[i].at, rows[i].n = best, 0
    free(counts)
    return 0
