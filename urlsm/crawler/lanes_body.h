/* The functions of lanes.h for one width of vectors; lanes.h includes this file once for each width. Vectors of 16
 * octets are not used, as they gain too little. */
#if URLSM_WIDTH > 16
typedef uint32_t W(words) URLSM_VECTOR(URLSM_WIDTH);
typedef uint64_t W(long_words) URLSM_VECTOR(URLSM_WIDTH);

URLSM_TARGET static void W(sha1_lanes)(const urlsm_padded *text, size_t count)
{
    enum { LANES = URLSM_WIDTH / 4 };
    const urlsm_padded *stop = text + count, *of[LANES] = {NULL};
    const uint8_t *p[LANES];
    size_t left[LANES] = {0};
    W(words) h[5] = {0}, w[80] = {0};
    int busy, lane, k;
    for (;;) {
        for (busy = lane = 0; lane < LANES; lane++) {
            if (left[lane] == 0) {
                if (text == stop)
                    continue;
                left[lane] = urlsm_sha1_blocks(text->n);
                p[lane] = text->p;
                of[lane] = text++;
                for (k = 0; k < 5; k++)
                    h[k][lane] = URLSM_SHA1_START[k];
            }
            for (k = 0; k < 16; k++)
                w[k][lane] = urlsm_big_endian(p[lane] + 4 * k);
            p[lane] += 64;
            busy++;
        }
        if (busy == 0)
            break;
        {
            URLSM_SHA1_ROUNDS(W(words), h, w)
        }
        for (lane = 0; lane < LANES; lane++)
            if (left[lane] && --left[lane] == 0)
                for (k = 0; k < 5; k++)
                    urlsm_put_big_endian(of[lane]->digest + 4 * k, h[k][lane]);
    }
    W(leave)();
}

URLSM_TARGET static void W(blake2b_lanes)(const urlsm_padded *text, size_t count)
{
    enum { LANES = URLSM_WIDTH / 8 };
    const urlsm_padded *stop = text + count, *of[LANES] = {NULL};
    const uint8_t *p[LANES];
    size_t left[LANES] = {0};
    W(long_words) h[8] = {0}, m[16] = {0}, end = {0}, last = {0};
    int busy, lane, k;
    for (;;) {
        for (busy = lane = 0; lane < LANES; lane++) {
            if (left[lane] == 0) {
                if (text == stop)
                    continue;
                left[lane] = urlsm_blake2b_blocks(text->n);
                p[lane] = text->p;
                of[lane] = text++;
                for (k = 0; k < 8; k++)
                    h[k][lane] = urlsm_blake2b_start(k);
            }
            for (k = 0; k < 16; k++)
                m[k][lane] = urlsm_little_endian(p[lane] + 8 * k);
            p[lane] += 128;
            last[lane] = left[lane] == 1 ? ~(uint64_t)0 : 0;
            end[lane] = left[lane] == 1 ? of[lane]->n : (size_t)(p[lane] - of[lane]->p);
            busy++;
        }
        if (busy == 0)
            break;
        {
            URLSM_BLAKE2B_ROUNDS(W(long_words), h, m, end, last)
        }
        for (lane = 0; lane < LANES; lane++)
            if (left[lane] && --left[lane] == 0)
                for (k = 0; k < 2; k++)
                    urlsm_put_little_endian(of[lane]->digest + 8 * k, h[k][lane]);
    }
    W(leave)();
}
#endif
