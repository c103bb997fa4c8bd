/* The names of secrets as C sees them: TABLE and SECRETS of errors/secret_names.py.
 * Written by tools/tables.py. */
#ifndef URLSM_SECRET_NAMES_H
#define URLSM_SECRET_NAMES_H
#include <stddef.h>
#include <stdint.h>

enum {
    URLSM_SECRET = 1,
    URLSM_NEVER = 2,     /* not secret, whatever else the name is */
    URLSM_BESIDE = 4,    /* secret if there is a neighbour, too */
    URLSM_NEIGHBOUR = 8,
};
typedef struct {
    int kind;
    const char *name;
} urlsm_name;

/* The names whose last letter, a "#" aside, is this one in lower case; and for '*', those that end with "*". */
static inline const urlsm_name *urlsm_names_ending(uint8_t last)
{
    switch (last) {
    case '*': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "x_amz_*"},
            {0, NULL}};
        return names;
    }
    case 'a': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "hdnea"},
            {0, NULL}};
        return names;
    }
    case 'c': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "hmac"},
            {0, NULL}};
        return names;
    }
    case 'd': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "*_pwd"},
            {URLSM_SECRET, "*access_key_id"},
            {URLSM_SECRET, "*passwd"},
            {URLSM_SECRET, "*password#"},
            {URLSM_SECRET, "google_access_id"},
            {URLSM_SECRET, "pwd"},
            {0, NULL}};
        return names;
    }
    case 'e': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "*_signature"},
            {URLSM_SECRET, "*passphrase"},
            {URLSM_BESIDE, "code"},
            {URLSM_SECRET, "device_code"},
            {URLSM_SECRET, "passcode"},
            {URLSM_SECRET, "pin_source"},
            {URLSM_SECRET, "pin_value"},
            {URLSM_SECRET, "saml_response"},
            {URLSM_SECRET, "shared_access_signature"},
            {URLSM_SECRET, "signature"},
            {URLSM_NEIGHBOUR, "state"},
            {0, NULL}};
        return names;
    }
    case 'g': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "sig"},
            {0, NULL}};
        return names;
    }
    case 'h': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "urlauth"},
            {0, NULL}};
        return names;
    }
    case 'l': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "x_goog_credential"},
            {URLSM_SECRET, "x_oss_credential"},
            {0, NULL}};
        return names;
    }
    case 'm': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "*password_confirm#"},
            {0, NULL}};
        return names;
    }
    case 'n': {
        static const urlsm_name names[] = {
            {URLSM_NEVER, "*continuation_token"},
            {URLSM_NEVER, "*cursor_token"},
            {URLSM_NEVER, "*next_token"},
            {URLSM_NEVER, "*page_token"},
            {URLSM_SECRET, "*password_confirmation#"},
            {URLSM_NEVER, "*resume_token"},
            {URLSM_NEVER, "*skip_token"},
            {URLSM_NEVER, "*start_token"},
            {URLSM_NEVER, "*sync_token"},
            {URLSM_SECRET, "*token"},
            {URLSM_SECRET, "authorization"},
            {URLSM_SECRET, "client_assertion"},
            {0, NULL}};
        return names;
    }
    case 'p': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "otp"},
            {0, NULL}};
        return names;
    }
    case 'r': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "code_verifier"},
            {URLSM_SECRET, "oauth_verifier"},
            {0, NULL}};
        return names;
    }
    case 's': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "*_pass"},
            {URLSM_SECRET, "authmechanismproperties"},
            {URLSM_SECRET, "hdnts"},
            {URLSM_SECRET, "pass"},
            {0, NULL}};
        return names;
    }
    case 't': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "*_jwt"},
            {URLSM_SECRET, "*_secret"},
            {URLSM_SECRET, "id_token_hint"},
            {URLSM_SECRET, "jwt"},
            {URLSM_SECRET, "saml_art"},
            {URLSM_SECRET, "secret"},
            {0, NULL}};
        return names;
    }
    case 'y': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, "*access_key"},
            {URLSM_SECRET, "*api_key"},
            {URLSM_SECRET, "*secret_key"},
            {URLSM_SECRET, "*subscription_key"},
            {URLSM_SECRET, "account_key"},
            {URLSM_SECRET, "auth_key"},
            {URLSM_SECRET, "functions_key"},
            {URLSM_SECRET, "private_key"},
            {URLSM_SECRET, "scram_client_key"},
            {URLSM_SECRET, "scram_server_key"},
            {0, NULL}};
        return names;
    }
    default: {
        static const urlsm_name none[] = {{0, NULL}};
        return none;
    }
    }
}

#endif
