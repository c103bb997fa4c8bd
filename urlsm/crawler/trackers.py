"""Names of query parameters that only record where a visitor came from, each with the vendor that sets it, and with a
document about it and a day."""

from __future__ import annotations

from types import MappingProxyType

from urlsm.octets.records import NamedTuple
from urlsm.url.params import know

__all__ = ["TRACKERS", "Tracker"]


class Tracker(NamedTuple):
    """Where a tracking parameter is from: a value of `TRACKERS`.

    Attributes:
        vendor: the service that sets the parameter.
        source: a document that says so.
        date: the day on which the document was read, as YYYY-MM-DD; of vendors' own pages, the day on which the row was
            written.

    Example:
        >>> TRACKERS["gclid"].vendor, TRACKERS["gclid"].date
        ('Google Ads', '2026-11-26')
    """

    vendor: str
    source: str
    date: str


Tracker.__module__ = "urlsm.crawler"

# Some names are not listed because sites need them: "ref", "source", "cid", "sid", "si" and "spm" may choose the
# content, and "_ga" and "_gl" carry a visit from one domain to another.
#
# name ... | vendor | source, or the issue in which Brave's developers say what the parameter does | the day.
# Brave's names are those of components/query_filter/browser/utils.cc, without "_gl".
_TABLE = """
utm_* | Google Analytics | Google Analytics Help, URL builders | 2026-11-22
gclid | Google Ads | 4239 | 2026-11-26
gclsrc | Google Ads | Google Ads Help, auto-tagging | 2026-11-22
gbraid | Google Ads | Google Ads Help, auto-tagging | 2026-11-22
wbraid | Google Ads | 18758 | 2026-11-26
dclid | Google Display | 9879 | 2026-11-26
srsltid | Google Merchant Center | 40912 | 2026-11-26
fbclid | Meta | 4239 | 2026-11-26
fb_action_ids fb_comment_id | Meta | 33984 | 2026-11-26
igshid | Instagram | 11580 | 2026-11-26
igsh | Instagram | 35094 | 2026-11-26
msclkid | Microsoft Advertising | 4239 | 2026-11-26
yclid | Yandex Direct | 11578 | 2026-11-26
ymclid ysclid | Yandex | 33216 | 2026-11-26
_openstat | Openstat | 11579 | 2026-11-26
rb_clickid | VK (myTarget) | 17451 | 2026-11-26
twclid | X Ads | 18020 | 2026-11-26
ttclid | TikTok Ads | 48226 | 2026-11-26
mtm_* pk_* | Matomo | Matomo FAQ, campaign tracking | 2026-11-22
guce_referrer guce_referrer_sig | Yahoo | 25691 | 2026-11-26
s_cid | Adobe Analytics | 17452 | 2026-11-26
at_recipient_id at_recipient_list | Piano Analytics | 32488 | 2026-11-26
_branch_match_id _branch_referrer | Branch | 39575 | 2026-11-26
irclickid | impact.com | 33952 | 2026-11-26
unicorn_click_id | Unicorn | 33172 | 2026-11-26
wickedid | Wicked Reports | 13647 | 2026-11-26
hsa_* | HubSpot Ads | HubSpot Knowledge Base, ads tracking | 2026-11-22
__hsfp __hssc __hstc _hsenc hsCtaTracking | HubSpot | 9019 | 2026-11-26
_hsmi | HubSpot | HubSpot Knowledge Base, email tracking | 2026-11-22
mc_eid | Mailchimp | 4239 | 2026-11-26
mc_cid | Mailchimp | Mailchimp Help, tracking parameters | 2026-11-22
mkt_tok | Marketo | 9018 | 2026-11-26
__s | Drip | 8975 | 2026-11-26
_bhlid | beehiiv | 40716 | 2026-11-26
bbeml | Blackbaud | 37971 | 2026-11-26
bsft_clkid bsft_uid | Blueshift | 25238 | 2026-11-26
et_rid | Salesforce Marketing Cloud | 37847 | 2026-11-26
sfmc_activityid sfmc_id | Salesforce Marketing Cloud | 53345 | 2026-11-26
ml_subscriber ml_subscriber_hash | MailerLite | 17507 | 2026-11-26
oft_c oft_ck oft_d oft_id oft_ids oft_k oft_lk oft_sk | Dialog Insight | 22082 | 2026-11-26
oly_anon_id oly_enc_id | Omeda Olytics | 13644 | 2026-11-26
sc_customer sc_eh sc_uid | SAP Emarsys | 43077 | 2026-11-26
sms_click sms_source sms_uph | Wunderkind | 48228 | 2026-11-26
ss_email_id | Squarespace | 24988 | 2026-11-26
vero_id vero_conv | Vero | 11817 | 2026-11-26
vgo_ee | ActiveCampaign | 26295 | 2026-11-26
"""
_BRAVE = "https://github.com/brave/brave-browser/issues/"
TRACKERS: MappingProxyType[str, Tracker] = MappingProxyType(
    {
        name: Tracker(vendor, f"{_BRAVE}{source}" if source.isdigit() else source, date)
        for names, vendor, source, date in [line.split(" | ") for line in _TABLE.strip().split("\n")]
        for name in names.split()
    }
)
know(TRACKERS)
ABOUT = {  # for urlsm.about
    "trackers": {
        "tables": "TRACKERS",
        "source": "Brave, query filter; the vendors' pages that the rows name",
        "url": "https://github.com/brave/brave-core/blob/master/components/query_filter/browser/utils.cc",
        "date": min(row.date for row in TRACKERS.values()),
        "used_by": "without_query_params, Profile(remove_params=)",
    },
}
