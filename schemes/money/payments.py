"""Payments: bitcoin (BIP 321) and similar coins, lightning, ethereum (ERC-681, ERC-2400), and payto (RFC 8905)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from urlsm.components.parts import Parts, decode, lower
from urlsm.components.value import Components
from urlsm.errors import SchemeError
from urlsm.errors.rules import Violation
from urlsm.schemes.characters import ALPHA, DIGIT, PCHAR, QUERY, Characters, lower_letters, normal_escapes
from urlsm.schemes.fields import Field, Parameters, QueryParams
from urlsm.schemes.generic import Scheme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

__all__ = ["Bitcoin", "BitcoinParts", "Ethereum", "EthereumParts", "Lightning", "LightningParts", "Payto", "PaytoParts"]

_ALNUM = Characters(ALPHA + DIGIT)
_ADDRESS = re.compile("[A-Za-z0-9]{14,110}")
_AMOUNT = re.compile(r"[0-9]{1,20}(?:\.[0-9]{0,8})?|\.[0-9]{1,8}")
_BECH32 = re.compile("(?:bc|tb|bcrt|ltc|tltc)1[02-9ac-hj-np-z]+")
_PAYMENTS = ("bc", "tb", "lightning", "lno", "sp")  # parameters that name a payee, so that the path needs no address
_FIELDS = Parameters(
    *[Field(name, repeat="forbid") for name in ("label", "message", "pop")],
    Field("amount", repeat="forbid"),
    *[Field(name, repeat="all") for name in _PAYMENTS],
    fold=True,
    equals=True,
    repeat="all",
    names=QUERY - "&=+",
    values=QUERY - "&",
)


class BitcoinParts(Parts):
    """A payment in bitcoins, or in a coin that uses the same URL syntax.

    Attributes:
        address: the payee's address; "" if only the query names the payee
        amount: the amount as a Decimal, in coins; None if absent or malformed
        label: the payee's name, decoded; None if absent
        message: the purpose of the payment, decoded; None if absent
        pop: the URL to which to send the proof of payment; None if absent
        query_params: all parameters as (name, value) pairs, decoded, with names in lower case

    Example:
        >>> import urlsm
        >>> urlsm.parts("bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=0.5", "bitcoin").amount
        Decimal('0.5')
    """

    address: str = ""
    amount: Decimal | None = None
    label: str | None = None
    message: str | None = None
    pop: str | None = None
    query_params: QueryParams = ()


class Bitcoin(Scheme[BitcoinParts]):
    """bitcoinurn = "bitcoin:" [ bitcoinaddress ] [ "?" bitcoinparams ]"""

    names: ClassVar[tuple[str, ...]] = ("bitcoin", "bitcoincash", "litecoin")
    title = "Payment in bitcoins"
    reference = "BIP 321"
    reference_date = "2026-08-20"
    example = "bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=50&label=Luke-Jr&message=Donation%20for%20project"
    hierarchical = False
    authority = "forbidden"
    fragment = "ignored"
    in_text = "address"
    equal_by_parts = True
    path_characters: ClassVar[Characters] = _ALNUM
    query_fields: ClassVar[Parameters | None] = _FIELDS
    rules: ClassVar[dict[str, str]] = {
        "bitcoin-payment-missing": "the URL has no address and no other way to pay",
        "bitcoin-address-invalid": "the address is not valid",
        "bitcoin-address-network": "the address and its parameter belong to different networks",
        "bitcoin-amount-invalid": "the amount is not a decimal number of bitcoins",
        "bitcoin-required-unknown": 'this "req-" parameter is unknown, so a wallet must reject the URL',
        "bitcoin-pop-web": "a web page would learn who pays",
    }

    def read_parts(self, components: Components) -> BitcoinParts:
        pairs = _FIELDS.read(components.query) if components.query else ()
        found: dict[str, str | None] = {}
        for name, value in pairs:
            found.setdefault(name.removeprefix("req-"), value)
        amount = found.get("amount") or ""
        return BitcoinParts(
            decode(components.path or ""),
            Decimal(amount) if _AMOUNT.fullmatch(amount) else None,
            found.get("label"),
            found.get("message"),
            found.get("pop"),
            pairs,
        )

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        start, _ = components.span("path") or (0, 0)
        if components.path and not _ADDRESS.fullmatch(components.path):
            yield self.violation("bitcoin-address-invalid", "path", start)
        names = {_FIELDS.key(name).removeprefix("req-") for _, name, _ in _FIELDS.of_query(components)}
        if not components.path and names.isdisjoint(_PAYMENTS):
            yield self.violation("bitcoin-payment-missing", "path", start)

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        start, end = components.span("query") or (0, 0)
        seen: set[str] = set()

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            key, text = _FIELDS.key(name), decode(value or "")
            bare = key.removeprefix("req-")
            if bare == "pop" and key not in seen and bare in {one.removeprefix("req-") for one in seen}:
                yield self.violation("parameter-duplicate", "query", at)
            seen.add(key)
            after = at + len(name) + 1
            if bare == "amount" and not _AMOUNT.fullmatch(text):
                yield self.violation("bitcoin-amount-invalid", "query", after)
            elif bare in ("bc", "tb") and not lower(text).startswith(f"{bare}1"):
                yield self.violation("bitcoin-address-network", "query", after)
            elif bare == "pop" and re.match("https?:", text, re.IGNORECASE):
                yield self.violation("bitcoin-pop-web", "query", after, "warning")
            elif key != bare and bare not in _FIELDS.known:
                yield self.violation("bitcoin-required-unknown", "query", at)

        if start < end:
            yield from _FIELDS.violations(self, components, "query", start, end, further)

    def normalize(self, components: Components) -> Components:
        """Normalise. Parameter names are lowercased, and so are bech32 addresses, which many QR codes contain in
        capitals."""
        normal = super().normalize(components)
        query = None if normal.query is None else _FIELDS.normal(normal.query) or None
        path = normal.path or ""
        return normal.replace(path=lower(path) if _BECH32.fullmatch(lower(path)) else path, query=query)

    def same_parts(self, a: Components, b: Components) -> bool:
        """Return whether the parts are equal. Amounts are compared as numbers. The order of parameters does not matter,
        except among parameters with the same name, if only the first of them counts."""
        first, second = self.read_parts(a), self.read_parts(b)
        same: bool = first.__replace__(query_params=()) == second.__replace__(query_params=())
        return same and _unordered(first) == _unordered(second)

    def write_parts(self, parts: Any) -> str:
        pairs = parts.query_params
        if pairs is None:
            own = (("amount", parts.amount), ("label", parts.label), ("message", parts.message), ("pop", parts.pop))
            pairs = [
                (name, format(value, "f") if isinstance(value, Decimal) else value)
                for name, value in own
                if value is not None
            ]
        return _ALNUM.encode(parts.address or "") + _FIELDS.composed(pairs)

    def nested(self, components: Components) -> Iterator[str]:
        if found := self.read_parts(components).pop:
            yield found


def _unordered(parts: BitcoinParts) -> list[tuple[str, str]]:
    """Return the parameters, sorted by name. Parameters that may be repeated are also sorted by value. The text of the
    amount is left out, because the parts contain it as a number."""
    pairs = [(name, value or "") for name, value in parts.query_params]
    if parts.amount is not None:
        pairs = [(name, "" if name.removeprefix("req-") == "amount" else value) for name, value in pairs]
    return sorted(pairs, key=lambda pair: (pair[0], pair[1] if pair[0].removeprefix("req-") in _PAYMENTS else ""))


class LightningParts(Parts):
    """A Lightning Network invoice.

    Attributes:
        invoice: a BOLT 11 invoice, an offer or an LNURL, in lower case

    Example:
        >>> import urlsm
        >>> urlsm.parts("lightning:LNBC20M1PVJLUEZ", "lightning").invoice
        'lnbc20m1pvjluez'
    """

    invoice: str


class Lightning(Scheme[LightningParts]):
    """ "lightning:" invoice, where the invoice is in bech32, which ignores case"""

    names: ClassVar[tuple[str, ...]] = ("lightning",)
    title = "Lightning payment"
    reference = "BOLT 11; LUD-01"
    reference_date = "2026-11-21"
    example = "lightning:lnbc20m1pvjluez"
    hierarchical = False
    authority = query = "forbidden"
    path = "required"
    fragment = "ignored"
    in_text = "(?i:ln(?:bc|tb|o1|url1)[0-9a-z]{6})"
    path_characters: ClassVar[Characters] = _ALNUM
    unreserved: ClassVar[Characters] = _ALNUM
    equal_by_parts = True

    def read_parts(self, components: Components) -> LightningParts:
        return LightningParts(lower(decode(components.path or "")))

    def normalize(self, components: Components) -> Components:
        normal = super().normalize(components)
        return normal.replace(path=lower_letters(normal.path or ""))

    def write_parts(self, parts: Any) -> str:
        return _ALNUM.encode(parts.invoice or "")


_TARGET = re.compile(
    r"(?:pay-)?(?P<address>tx-0x[0-9A-Fa-f]{64}|block-[0-9A-Za-z]+|0x[0-9A-Fa-f]{40}"
    r"|(?:[^@/?-]+|(?<=pay-)[^@/?.]+)(?:\.[^@/?]+)+)"
    r"(?:@(?P<chain>[0-9]{1,20}))?(?:/(?P<function>[^/]*))?"
)
_NUMBER = re.compile(r"[-+]?[0-9]{0,40}(?:\.[0-9]{1,40})?(?:[eE][0-9]{1,2})?")
_CALL = Parameters(equals=True, names=QUERY - "&=+", values=QUERY - "&")


class EthereumParts(Parts):
    """A payment in ether, or a call to a contract.

    Attributes:
        address: an address, a name, "tx-" followed by a hash, or "block-" followed by a block; None if absent
        chain_id: the ID of the blockchain; None if absent
        function: the contract function to call; None if absent
        value: the amount as a Decimal, in wei; None if absent
        arguments: the other parameters as pairs of type or name and value

    Example:
        >>> import urlsm
        >>> urlsm.parts("ethereum:0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7@1?value=2e18", "ethereum").value
        Decimal('2E+18')
    """

    address: str | None = None
    chain_id: int | None = None
    function: str | None = None
    value: Decimal | None = None
    arguments: QueryParams = ()


class Ethereum(Scheme[EthereumParts]):
    """request = "ethereum" ":" [ "pay-" ] target [ "@" chain_id ] [ "/" function ] [ "?" parameters ]"""

    names: ClassVar[tuple[str, ...]] = ("ethereum",)
    title = "Ethereum payment or contract call"
    reference = "ERC-681; ERC-2400"
    reference_date = "2026-11-21"
    example = "ethereum:0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7@1/transfer?uint256=1"
    hierarchical = False
    authority = "forbidden"
    fragment = "ignored"
    in_text = r"(?:pay-)?(?:0[xX][0-9A-Fa-f]{40}|[A-Za-z0-9-]{1,63}\.eth(?![A-Za-z0-9]))"
    equal_by_parts = True
    query_fields: ClassVar[Parameters | None] = _CALL
    rules: ClassVar[dict[str, str]] = {
        "ethereum-target-invalid": "the target must be an address, a name or a transaction",
        "ethereum-value-invalid": "the value is not a number of wei",
    }

    def read_parts(self, components: Components) -> EthereumParts:
        found = _TARGET.fullmatch(decode(components.path or ""))
        pairs = _CALL.read(components.query) if components.query else ()
        value = next((text for name, text in pairs if name == "value"), None)
        return EthereumParts(
            None if found is None else found["address"],
            None if found is None or found["chain"] is None else int(found["chain"]),
            None if found is None else found["function"],
            _wei(value),
            tuple([pair for pair in pairs if pair[0] != "value"]),
        )

    def path_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().path_violations(components)
        if not _TARGET.fullmatch(decode(components.path or "")):
            yield self.violation("ethereum-target-invalid", "path", (components.span("path") or (0, 0))[0])

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        start, end = components.span("query") or (0, 0)
        values = 0

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            nonlocal values
            if _CALL.key(name) != "value":
                return
            values += 1
            if values > 1:
                yield self.violation("parameter-duplicate", "query", at)
            if _wei(decode(value or "")) is None:
                yield self.violation("ethereum-value-invalid", "query", at + len(name) + 1)

        if start < end:
            yield from _CALL.violations(self, components, "query", start, end, further)

    def normalize(self, components: Components) -> Components:
        normal = super().normalize(components)
        return normal if normal.query else normal.replace(query=None)

    def write_parts(self, parts: Any) -> str:
        written = (PCHAR - "/@").encode(parts.address or "")
        # a name with a "-" needs "pay-" before it
        written = written if _TARGET.fullmatch(parts.address or "") else f"pay-{written}"
        written += "" if parts.chain_id is None else f"@{parts.chain_id}"
        written += "" if parts.function is None else "/" + PCHAR.encode(parts.function)
        value = [] if parts.value is None else [("value", str(parts.value).replace("E+", "e").replace("E", "e"))]
        return written + _CALL.composed([*value, *(parts.arguments or ())])


def _wei(text: str | None) -> Decimal | None:
    """Return the number that a text represents under ERC-681; None unless it is a whole number of wei. (The exponent
    has at most two digits.)"""
    if not text or not _NUMBER.fullmatch(text) or not text.strip("+-.eE"):
        return None
    try:
        number = Decimal(text)
    except ArithmeticError:
        return None
    return number if number >= 0 and number == number.to_integral_value() else None


class PaytoParts(Parts):
    """A payment to an account of any kind.

    Attributes:
        type: the kind of account, in lower case ("iban"); None if absent
        segments: the segments of the path, decoded; they identify the account
        amount: the currency and the amount, such as "EUR:200.0"; None if absent
        receiver_name: the payee's name, decoded; None if absent
        message: the purpose of the payment, decoded; None if absent
        query_params: all parameters as (name, value) pairs, decoded

    Example:
        >>> import urlsm
        >>> urlsm.parts("payto://iban/DE75512108001245126199?amount=EUR:200.0", "payto").amount
        'EUR:200.0'
    """

    type: str | None = None
    segments: tuple[str, ...] = ()
    amount: str | None = None
    receiver_name: str | None = None
    message: str | None = None
    query_params: QueryParams = ()


_OPTIONS = Parameters(
    *[Field(name, repeat="forbid") for name in ("amount", "receiver-name", "sender-name", "message", "instruction")],
    equals=True,
    names=QUERY - "&=+",
    values=QUERY - "&",
)
_MONEY = re.compile(r"[A-Za-z]{1,11}:[0-9]{1,16}(?:\.[0-9]{1,8})?")


class Payto(Scheme[PaytoParts]):
    """payto-URI = "payto://" authority path-abempty [ "?" opts ]"""

    names: ClassVar[tuple[str, ...]] = ("payto",)
    title = "Payment to an account"
    reference = "RFC 8905 section 3"
    example = "payto://iban/DE75512108001245126199?amount=EUR:200.0&message=hello"
    hierarchical = False
    authority = host = "required"
    host_kind = "type of account"
    userinfo = port = "forbidden"
    path = "required"
    fragment = "ignored"
    equal_by_parts = True
    query_fields: ClassVar[Parameters | None] = _OPTIONS
    joined: ClassVar[tuple[str, ...]] = ("//{type}",)
    rules: ClassVar[dict[str, str]] = {
        "payto-amount-invalid": 'the amount must be a currency, ":" and a decimal number'
    }

    def read_parts(self, components: Components) -> PaytoParts:
        pairs = _OPTIONS.read(components.query) if components.query else ()
        found = dict(reversed(pairs))
        path = components.path or ""
        return PaytoParts(
            self.server(components)[2],
            tuple([decode(name) for name in path[1:].split("/")]) if path else (),
            found.get("amount"),
            found.get("receiver-name"),
            found.get("message"),
            pairs,
        )

    def query_violations(self, components: Components) -> Iterator[Violation]:
        yield from super().query_violations(components)
        start, end = components.span("query") or (0, 0)

        def further(at: int, name: str, value: str | None) -> Iterator[Violation]:
            if name == "amount" and not _MONEY.fullmatch(decode(value or "")):
                yield self.violation("payto-amount-invalid", "query", at + len(name) + 1)

        if start < end:
            yield from _OPTIONS.violations(self, components, "query", start, end, further)

    def normalize(self, components: Components) -> Components:
        normal = super().normalize(components)
        return normal.replace(path=normal_escapes(normal.path or "", PCHAR), query=normal.query or None)

    def same_parts(self, a: Components, b: Components) -> bool:
        """Return whether the parts are equal. Amounts are compared as numbers. The order of options does not matter,
        except among options with the same name, because only the first of them counts."""
        try:
            return _meaning(self.read_parts(a)) == _meaning(self.read_parts(b))
        except SchemeError:
            return super().same_parts(a, b)

    def write_parts(self, parts: Any) -> str:
        pairs = parts.query_params
        if pairs is None:
            own = (("amount", parts.amount), ("receiver-name", parts.receiver_name), ("message", parts.message))
            pairs = [(name, value) for name, value in own if value is not None]
        path = "".join(["/" + PCHAR.encode(name) for name in parts.segments or ()])
        return self.composed_authority(host=parts.type) + path + _OPTIONS.composed(pairs)


def _meaning(parts: PaytoParts) -> object:
    """Return the parts with the amount as a number, and the other options sorted by name."""
    amount: object = parts.amount
    others = parts.query_params
    if parts.amount is not None and _MONEY.fullmatch(parts.amount):
        currency, _, number = parts.amount.partition(":")
        amount, others = (currency, Decimal(number)), tuple([pair for pair in others if pair[0] != "amount"])
    return parts.type, parts.segments, amount, sorted(others, key=lambda pair: pair[0])
