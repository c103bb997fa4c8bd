"""The formats of JSON Schema that are about URLs and hosts: checks by the standards' grammars, for any validator."""

from urlsm.octets.later import later as _later

# the module that defines each public name; all modules are loaded on first use
_NAMES = {
    "urlsm.formats.checks": ("FORMATS", "Format", "check", "install"),
    "urlsm.formats.grammars": (
        *("is_hostname", "is_idn_hostname", "is_ipv4", "is_ipv6", "is_iri", "is_iri_reference", "is_json_pointer"),
        *("is_relative_json_pointer", "is_uri", "is_uri_reference", "is_uri_template"),
    ),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [*_HOMES]

__getattr__, __dir__ = _later(globals(), _HOMES)
