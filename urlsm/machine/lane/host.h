/* The check for a plain host, compiled once for each width. It reads only the first block (64 octets) of a text.
 *
 * A plain host ends before octet 64, is not empty, does not end in ".", and is followed by "/", "?", "#" or the end of
 * the text. It does not "end in a number" (URL Standard, #ends-in-a-number-checker): its last label does not begin with
 * a digit, or its last octet is neither "x" nor a hexadecimal digit. An IPv4 address, as the serializer writes it, is
 * accepted as well, and marked as an address.
 *
 * `batch` is a constant. If `batch` is 1, hardly any branch may depend on the text. So "/" has to follow the host, and
 * the host's last label must not begin with a digit; other texts are read one by one. If it is 0, branches do no harm,
 * as the CPU predicts them well.
 */

/* Return where the host that begins at `start` ends, or 0 if it is not plain. URLSM_OF_IPV4 is added if the host is an
 * IPv4 address. b: the block at p. */
URLSM_INLINED URLSM_TARGET static inline uint32_t W(plain_host)(const W(block) b, const uint8_t *p, uint32_t start,
                                                                  uint32_t n, int batch)
{
    uint64_t stops = W(within)(b, URLSM_NOT_PLAIN_HOST_LOW) | W(non_ascii)(b), below;
    uint32_t end, label;
    if (batch) {
        stops |= (uint64_t)1 << 63;
        end = start + urlsm_ctz(stops >> start);
        below = ((uint64_t)1 << end) - 1;
        label = 64 - urlsm_clz(((W(equal)(b, '.') | stops) & below) | 1); /* finds at least the "/" before the host */
        uint32_t good = (p[end] == '/') & (end < n) & (label < end) & ((uint8_t)(p[label] - '0') > 9);
        return end & (0 - good);
    }
    stops = stops >> start << start;
    if (!stops)
        return 0;
    end = urlsm_ctz(stops);
    if (end == start || p[end - 1] == '.' || (end < n && p[end] != '/' && p[end] != '?' && p[end] != '#'))
        return 0;
    if (URLSM_CLASS[p[end - 1]] & URLSM_HEX || p[end - 1] == 'x') {
        below = ((uint64_t)1 << end) - 1;
        label = start + 63 - urlsm_clz((W(equal)(b, '.') & below) >> start << 1 | 1);
        if (URLSM_CLASS[p[label]] & URLSM_DIGIT)
            return urlsm_is_ipv4(p, start, end) ? end | URLSM_OF_IPV4 : 0;
    }
    return end;
}
