# The plain answers of urlsm.guard.Policy: for ordinary links, and for addresses as sockets have them.

@cython.binding(False)
@cython.auto_pickle(False)  # a state of another length than its own would be read past its end
cdef class Gate:
    """What answers for a policy as long as the answer is plain, and asks its _at_length methods otherwise.

    A link is answered here only if its host is ordinary (ordinary_authority: all readers see the same scheme, host
    and port), the scheme's port is open, and no row of the table is about the host. Parsing could not refuse it:
    nothing after an ordinary host is fatal, and IDNA has no say without "xn--". Where everything public is open, no
    network or prefix changes what is said of it: networks only add to what is open, a prefix of NAT64 is of IPv6
    addresses, and such a host is a name or an IPv4 address. A list of hosts can only refuse it besides. A policy that
    denies something says that nothing is open here, so that all is judged at length.

    The table's verdict on an address stands if nothing can change it: a prefix of NAT64 changes that on IPv6 addresses,
    networks change one that refuses.
    """
    cdef tuple _rows
    cdef object _public, _unallocated, _name, _only, _other
    cdef bint _public_open, _more_open, _prefixes, _http, _https

    def _open(self, tuple rows not None, public, unallocated, name, *, bint public_open, bint more_open, bint prefixes,
              bint http, bint https, only, other):
        """Take the verdict of each row, those of a public and an unallocated address, and that of a name; whether what
        is public is open, networks besides, and whether there are prefixes of NAT64; whether http and https are open at
        their own ports; the only hosts, or None, and the verdict on others."""
        self._rows, self._public, self._unallocated, self._name = rows, public, unallocated, name
        self._public_open, self._more_open, self._prefixes = public_open, more_open, prefixes
        self._http, self._https, self._only, self._other = public_open and http, public_open and https, only, other

    def _of_table(self, str address not None):
        """Return the table's verdict on an address in canonical form; None if it is not one."""
        cdef int row = address_row(ascii_data(address), len(address)) if is_ascii(address) else UNREAD
        if row == NONE:
            return self._public
        if row == UNALLOCATED:
            return self._unallocated
        return None if row == UNREAD or self._rows is None else self._rows[row]

    def check_address(self, address):
        """Judge an address: may a client connect to it?

        Args:
            address: str or bytes in any form that a URL's host may have, an IPv6 address also without brackets or
                with a zone; or an IPv4Address or IPv6Address of ipaddress.

        Returns:
            a final Verdict. An IPv6 address that stands for an IPv4 address is judged by that one: mapped, compatible
            and translated addresses, 64:ff9b::/96, 6to4, ISATAP, and the prefixes of nat64. IPv6 addresses that IANA
            has not allocated are refused, those with a zone, an IPv4 address that is not four decimal numbers (some
            readers take "010.8.8.8" for 8.8.8.8, others for 10.8.8.8), and what is not an address at all.

        Raises:
            TypeError: address is of another type.
        """
        if plain_lane and self._public_open and type(address) is str:
            verdict = self._of_table(address)
            if verdict is not None and (not self._more_open or verdict is self._public) and \
                    (not self._prefixes or ":" not in <str>address):
                return verdict
        return self._address_at_length(address)

    def check(self, url):
        """Judge a URL, without asking the DNS.

        Args:
            url: str, bytes or URL, read as by parse.

        Returns:
            a Verdict. It is final if it refuses, or if the host is an address. Where a name may pass, .allowed is
            True and .final False, so it is not true: the name may lead to any address, which only the client sees
            that connects. Texts in which readers see different hosts (urlsm.is_ambiguous) are refused.

        Raises:
            TypeError: url is of another type.
        """
        cdef Authority a
        cdef const uint8_t* p
        cdef Py_ssize_t n
        cdef uint32_t ipv4
        if plain_lane and type(url) is str and is_ascii(url) and len(<str>url) <= MAX_LENGTH:
            p = ascii_data(url)
            if ordinary_authority(p, len(<str>url), &a) and \
                    ((self._https and a.kind == HTTPS) or (self._http and a.kind == HTTP)) and \
                    (not a.has_port or a.port == <int>default_port(a.kind)):
                p += a.host
                n = a.host_end - a.host
                if not has_a_label(p, n) and canonical_row(p, n) == NONE:
                    verdict = None
                    if CLASS[p[n - 1]] & DIGIT and read_ipv4(p, n, &ipv4):
                        verdict = self._public
                    elif memchr(p, c'.', n - 1) != NULL:  # a single label is a name of the local network
                        verdict = self._name
                    if verdict is not None:
                        return verdict if self._only is None or url in self._only else self._other
        return self._check_at_length(url)
