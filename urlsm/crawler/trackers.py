"""Names of query parameters that only record where a visitor came from, each with the vendor that sets it."""

from __future__ import annotations

from types import MappingProxyType

from urlsm.url.params import know

__all__ = ["TRACKERS"]

# Some names are not listed because sites need them: "ref", "source", "cid", "sid" and "spm" may choose the content, and
# "_ga" carries a visit from one domain to another.
TRACKERS: MappingProxyType[str, str] = MappingProxyType(
    {
        "utm_*": "Google Analytics",
        "mtm_*": "Matomo",
        "pk_*": "Matomo",
        "hsa_*": "HubSpot Ads",
        "gclid": "Google Ads",
        "gclsrc": "Google Ads",
        "dclid": "Google Display",
        "gbraid": "Google Ads",
        "wbraid": "Google Ads",
        "srsltid": "Google Merchant Center",
        "fbclid": "Meta",
        "igshid": "Instagram",
        "msclkid": "Microsoft Advertising",
        "yclid": "Yandex Direct",
        "ysclid": "Yandex",
        "_openstat": "Openstat",
        "twclid": "X Ads",
        "ttclid": "TikTok Ads",
        "mc_cid": "Mailchimp",
        "mc_eid": "Mailchimp",
        "mkt_tok": "Marketo",
        "_hsenc": "HubSpot",
        "_hsmi": "HubSpot",
        "vero_id": "Vero",
        "vero_conv": "Vero",
        "oly_anon_id": "Omeda Olytics",
        "oly_enc_id": "Omeda Olytics",
    }
)
know(TRACKERS)
