"""Special addresses and names: IANA's registries, multicast, and the metadata hosts that give out cloud credentials.

To add one, add a row to ROWS. If several rows contain an address or a name, the row with the smallest network or the
longest name applies (plain.pyx finds it).

The rows from IANA's IPv4 and IPv6 Special-Purpose Address Registries use the wording of the registries. They come from
copies fetched on the day in REGISTRIES, and were compared with a second copy. A report of 2026-09-15 on the IPv6
registry has the same rows. tools/addresses.py compares the rows with newer files. The names include IANA's Special-Use
Domain Names, except example.com and similar names, which the public DNS serves.
"""

from __future__ import annotations

from urlsm.octets.records import NamedTuple

__all__ = ["IPV4", "IPV6", "REGISTRIES", "ROWS", "AddressKind", "Row"]

REGISTRIES = "2026-07-18"  # the day when the copy of IANA's registries was fetched

_LOOPBACK = "loopback-address"
_LINK_LOCAL = "link-local-address"
_METADATA = "metadata-address"
_PRIVATE = "private-address"


class AddressKind(NamedTuple):
    """The purpose of a special address or name: the result of `address_kind`.

    Attributes:
        name: its name in the registry, or the cloud service that it belongs to.
        network: the block in CIDR notation ("127.0.0.0/8"), or a domain that includes its subdomains ("localhost").
        reference: the RFC that assigns the block or the name, or the vendor's page.
        public: whether it can be reached from anywhere on the Internet.

    Example:
        >>> kind = address_kind("127.0.0.1")
        >>> kind and kind.network
        '127.0.0.0/8'
    """

    name: str
    network: str
    reference: str
    public: bool


AddressKind.__module__ = "urlsm.security"


class Row(NamedTuple):
    """A row of the table: an AddressKind, and its consequences.

    public: whether the registry lists it as "Globally Reachable". It is also True for IPv6 networks whose addresses
    contain an IPv4 address, because that IPv4 address is checked instead. ipv4_at: the bit at which the IPv4 address
    begins; None for all other networks. hazard: the code that audit reports if the row is not public.
    """

    network: str
    name: str
    reference: str
    public: bool = False
    hazard: str | None = _PRIVATE
    ipv4_at: int | None = None


IPV4 = (  # https://www.iana.org/assignments/iana-ipv4-special-registry/
    Row("0.0.0.0/8", '"This network"', "RFC 791 section 3.2"),
    Row("0.0.0.0/32", '"This host on this network"', "RFC 1122 section 3.2.1.3", hazard=_LOOPBACK),
    Row("10.0.0.0/8", "Private-Use", "RFC 1918"),
    Row("100.64.0.0/10", "Shared Address Space", "RFC 6598"),
    Row("127.0.0.0/8", "Loopback", "RFC 1122 section 3.2.1.3", hazard=_LOOPBACK),
    Row("169.254.0.0/16", "Link Local", "RFC 3927", hazard=_LINK_LOCAL),
    Row("172.16.0.0/12", "Private-Use", "RFC 1918"),
    Row("192.0.0.0/24", "IETF Protocol Assignments", "RFC 6890 section 2.1"),
    Row("192.0.0.0/29", "IPv4 Service Continuity Prefix", "RFC 7335"),
    Row("192.0.0.8/32", "IPv4 dummy address", "RFC 7600"),
    Row("192.0.0.9/32", "Port Control Protocol Anycast", "RFC 7723", public=True),
    Row("192.0.0.10/32", "Traversal Using Relays around NAT Anycast", "RFC 8155", public=True),
    Row("192.0.0.170/32", "NAT64/DNS64 Discovery", "RFC 8880; RFC 7050 section 2.2"),
    Row("192.0.0.171/32", "NAT64/DNS64 Discovery", "RFC 8880; RFC 7050 section 2.2"),
    Row("192.0.2.0/24", "Documentation (TEST-NET-1)", "RFC 5737"),
    Row("192.31.196.0/24", "AS112-v4", "RFC 7535", public=True),
    Row("192.52.193.0/24", "AMT", "RFC 7450", public=True),
    Row("192.88.99.0/24", "Deprecated (6to4 Relay Anycast)", "RFC 7526"),
    Row("192.88.99.2/32", "6a44-relay anycast address", "RFC 6751"),
    Row("192.168.0.0/16", "Private-Use", "RFC 1918"),
    Row("192.175.48.0/24", "Direct Delegation AS112 Service", "RFC 7534", public=True),
    Row("198.18.0.0/15", "Benchmarking", "RFC 2544"),
    Row("198.51.100.0/24", "Documentation (TEST-NET-2)", "RFC 5737"),
    Row("203.0.113.0/24", "Documentation (TEST-NET-3)", "RFC 5737"),
    Row("240.0.0.0/4", "Reserved", "RFC 1112 section 4"),
    Row("255.255.255.255/32", "Limited Broadcast", "RFC 8190; RFC 919 section 7"),
)
IPV6 = (  # https://www.iana.org/assignments/iana-ipv6-special-registry/
    Row("::1/128", "Loopback Address", "RFC 4291", hazard=_LOOPBACK),
    Row("::/128", "Unspecified Address", "RFC 4291", hazard=_LOOPBACK),
    Row("::ffff:0:0/96", "IPv4-mapped Address", "RFC 4291", public=True, ipv4_at=96),
    Row("64:ff9b::/96", "IPv4-IPv6 Translat.", "RFC 6052", public=True, ipv4_at=96),
    Row("64:ff9b:1::/48", "IPv4-IPv6 Translat.", "RFC 8215"),
    Row("100::/64", "Discard-Only Address Block", "RFC 6666"),
    Row("100:0:0:1::/64", "Dummy IPv6 Prefix", "RFC 9780"),
    Row("2001::/23", "IETF Protocol Assignments", "RFC 2928"),
    Row("2001::/32", "TEREDO", "RFC 4380; RFC 8190"),
    Row("2001:1::1/128", "Port Control Protocol Anycast", "RFC 7723", public=True),
    Row("2001:1::2/128", "Traversal Using Relays around NAT Anycast", "RFC 8155", public=True),
    Row("2001:1::3/128", "DNS-SD Service Registration Protocol Anycast", "RFC 9665", public=True),
    Row("2001:2::/48", "Benchmarking", "RFC 5180; RFC Errata 1752"),
    Row("2001:3::/32", "AMT", "RFC 7450", public=True),
    Row("2001:4:112::/48", "AS112-v6", "RFC 7535", public=True),
    Row("2001:10::/28", "Deprecated (previously ORCHID)", "RFC 4843"),
    Row("2001:20::/28", "ORCHIDv2", "RFC 7343", public=True),
    Row("2001:30::/28", "Drone Remote ID Protocol Entity Tags (DETs) Prefix", "RFC 9374", public=True),
    Row("2001:db8::/32", "Documentation", "RFC 3849"),
    Row("2002::/16", "6to4", "RFC 3056", public=True, ipv4_at=16),
    Row("2620:4f:8000::/48", "Direct Delegation AS112 Service", "RFC 7534", public=True),
    Row("3fff::/20", "Documentation", "RFC 9637"),
    Row("5f00::/16", "Segment Routing (SRv6) SIDs", "RFC 9602"),
    Row("fc00::/7", "Unique-Local", "RFC 4193; RFC 8190"),
    Row("fe80::/10", "Link-Local Unicast", "RFC 4291", hazard=_LINK_LOCAL),
)
_BESIDE = (  # special networks that neither registry has
    Row("224.0.0.0/4", "Multicast", "RFC 5771"),
    Row("ff00::/8", "Multicast", "RFC 4291 section 2.7"),
    Row("::/96", "IPv4-compatible Address", "RFC 4291 section 2.5.5.1", public=True, ipv4_at=96),
    Row("::ffff:0:0:0/96", "IPv4-translated Address", "RFC 2765 section 2.1", public=True, ipv4_at=96),
    Row("fec0::/10", "Deprecated (Site-Local Unicast)", "RFC 3879"),
)


def _cloud(name: str, page: str, *networks: str) -> list[Row]:
    return [Row(network, name, page, hazard=_METADATA) for network in networks]


_AWS = "https://docs.aws.amazon.com"
_CLOUDS = [
    *_cloud("Instance metadata of AWS, Azure, Google Cloud and others",
            f"{_AWS}/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html",
            "169.254.169.254/32"),
    *_cloud("AWS instance metadata",
            f"{_AWS}/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html",
            "fd00:ec2::254/128"),
    *_cloud("AWS ECS task credentials",
            f"{_AWS}/AmazonECS/latest/developerguide/task-iam-roles.html",
            "169.254.170.2/32"),
    *_cloud("AWS EKS Pod Identity",
            f"{_AWS}/eks/latest/userguide/pod-id-agent-setup.html",
            "169.254.170.23/32", "fd00:ec2::23/128"),
    *_cloud("Google Cloud metadata server",
            "https://cloud.google.com/compute/docs/metadata/querying-metadata",
            "fd20:ce::254/128", "metadata.google.internal", "metadata.goog"),
    *_cloud("Azure WireServer",
            "https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16",
            "168.63.129.16/32"),
    *_cloud("Oracle Cloud instance metadata",
            "https://docs.oracle.com/en-us/iaas/Content/Compute/Tasks/gettingmetadata.htm",
            "fd00:c1::a9fe:a9fe/128"),
    *_cloud("Oracle Compute Cloud Classic instance metadata",
            "https://docs.oracle.com/en/cloud/iaas-classic/compute-iaas-cloud/stcsg/retrieving-instance-metadata.html",
            "192.0.0.192/32"),
    *_cloud("Alibaba Cloud instance metadata",
            "https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata/",
            "100.100.100.200/32", "fd00:100::100:200/128"),
    *_cloud("Tencent Cloud instance metadata",
            "https://www.tencentcloud.com/document/product/213/32364",
            "169.254.0.23/32"),
    *_cloud("Tencent Cloud instance metadata",
            "https://www.tencentcloud.com/document/product/213/4934",
            "metadata.tencentyun.com"),
    *_cloud("Scaleway instance metadata",
            "https://www.scaleway.com/en/docs/instances/reference-content/manual-configuration-private-ips/",
            "169.254.42.42/32"),
    *_cloud("Scaleway instance metadata",
            "https://github.com/scaleway/scaleway-sdk-go/blob/master/api/instance/v1/instance_metadata_sdk.go",
            "fd00:42::42/128"),
    *_cloud("Akamai instance metadata",
            "https://techdocs.akamai.com/cloud-computing/docs/metadata-service-api",
            "fd00:a9fe:a9fe::1/128", "fe80::a9fe:a9fe/128"),
    *_cloud("IBM Cloud instance metadata",
            "https://cloud.ibm.com/apidocs/vpc-metadata",
            "api.metadata.cloud.ibm.com"),
    *_cloud("Exoscale instance metadata",
            "https://community.exoscale.com/product/compute/instances/how-to/cloud-init-user-data/",
            "metadata.exoscale.com"),
]  # fmt: skip
_REVERSE = (  # zones for reverse look-ups of addresses that are only used within a network
    *("10.in-addr.arpa", *(f"{number}.172.in-addr.arpa" for number in range(16, 32)), "168.192.in-addr.arpa"),
    *("254.169.in-addr.arpa", *(f"{digit}.e.f.ip6.arpa" for digit in "89ab")),
    *("170.0.0.192.in-addr.arpa", "171.0.0.192.in-addr.arpa"),
)
_SPECIAL_USE = "Special-Use Domain Name"  # https://www.iana.org/assignments/special-use-domain-names/
_NAMES = (
    Row("localhost", _SPECIAL_USE, "RFC 6761 section 6.3", hazard=_LOOPBACK),
    Row("example", _SPECIAL_USE, "RFC 6761 section 6.5", hazard=None),
    Row("invalid", _SPECIAL_USE, "RFC 6761 section 6.4", hazard=None),
    Row("test", _SPECIAL_USE, "RFC 6761 section 6.2"),
    Row("local", _SPECIAL_USE, "RFC 6762 section 3"),
    Row("onion", _SPECIAL_USE, "RFC 7686", hazard=None),
    Row("alt", _SPECIAL_USE, "RFC 9476", hazard=None),
    Row("home.arpa", _SPECIAL_USE, "RFC 8375"),
    Row("6tisch.arpa", _SPECIAL_USE, "RFC 9031"),
    Row("eap-noob.arpa", _SPECIAL_USE, "RFC 9140"),
    Row("ipv4only.arpa", _SPECIAL_USE, "RFC 8880"),
    Row("resolver.arpa", _SPECIAL_USE, "RFC 9462"),
    Row("service.arpa", _SPECIAL_USE, "RFC 9665"),
    *(Row(zone, _SPECIAL_USE, "RFC 6761 section 6.1; RFC 6303; RFC 8880") for zone in _REVERSE),
    Row("internal", "Top-level name for private use", "ICANN Board resolution 2024.07.29.06"),
    *(
        Row(name, "Top-level name that private networks use", document)
        for document, names in {
            "RFC 6762 appendix G": ("corp", "home", "intranet", "lan", "private"),
            "SAC 062 section 5": ("localdomain", "mail"),
        }.items()
        for name in names
    ),
    *(
        Row(name, "Kubernetes service", "https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/")
        for name in ("svc", "default", "kube-system")  # a service is called service.namespace.svc or service.namespace
    ),
    Row("consul", "Consul service", "https://developer.hashicorp.com/consul/docs/discover/service/static"),
)

ROWS: tuple[Row, ...] = (*IPV4, *IPV6, *_BESIDE, *_CLOUDS, *_NAMES)

ABOUT = {  # for urlsm.about
    "special addresses": {
        "tables": "IPV4 IPV6 _BESIDE",
        "source": "IANA, Special-Purpose Address Registries; RFC 5771, RFC 4291, RFC 3879",
        "url": "https://www.iana.org/assignments/iana-ipv4-special-registry/",
        "date": REGISTRIES,
        "licence": "CC0-1.0",
        "used_by": "address_kind, has_public_host, audit, Policy",
    },
    "special-use names": {
        "tables": "_NAMES",
        "source": "IANA, Special-Use Domain Names; RFC 6762 appendix G, SAC 062, Kubernetes, Consul",
        "url": "https://www.iana.org/assignments/special-use-domain-names/",
        "date": "2026-11-26",
        "licence": "CC0-1.0",
        "used_by": "address_kind, has_public_host, audit, Policy",
    },
    "metadata hosts": {
        "tables": "_CLOUDS",
        "source": "the pages of cloud providers that each row names",
        "date": "2026-11-22",
        "used_by": "address_kind, audit, Policy",
    },
}
