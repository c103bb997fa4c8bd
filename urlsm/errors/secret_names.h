/* The names of secrets as C sees them: TABLE and SECRETS of errors/secret_names.py.
 * Written by tools/tables.py. */
#ifndef URLSM_SECRET_NAMES_H
#define URLSM_SECRET_NAMES_H
#include <stddef.h>
#include <stdint.h>

enum {
    URLSM_SECRET = 1,
    URLSM_NEVER = 2,     /* not secret, even if another row says so */
    URLSM_BESIDE = 4,    /* secret if the text also has a neighbour */
    URLSM_NEIGHBOUR = 8, /* the neighbour of such a name */
};
typedef struct {
    int kind;
    size_t size;
    const char *name;
} urlsm_name;

/* Return the names whose last letter, apart from a "#", is `last` (in lower case). For '*', return the names that end
 * with "*". */
static inline const urlsm_name *urlsm_names_ending(uint8_t last)
{
    switch (last) {
    case '*': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 7, "x_amz_*"},
            {0, 0, NULL}};
        return names;
    }
    case 'a': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 5, "hdnea"},
            {0, 0, NULL}};
        return names;
    }
    case 'c': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 4, "hmac"},
            {0, 0, NULL}};
        return names;
    }
    case 'd': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 5, "*_pwd"},
            {URLSM_SECRET, 14, "*access_key_id"},
            {URLSM_SECRET, 7, "*passwd"},
            {URLSM_SECRET, 10, "*password#"},
            {URLSM_SECRET, 16, "google_access_id"},
            {URLSM_SECRET, 3, "pwd"},
            {0, 0, NULL}};
        return names;
    }
    case 'e': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 11, "*_signature"},
            {URLSM_SECRET, 11, "*passphrase"},
            {URLSM_BESIDE, 4, "code"},
            {URLSM_SECRET, 11, "device_code"},
            {URLSM_SECRET, 8, "passcode"},
            {URLSM_SECRET, 10, "pin_source"},
            {URLSM_SECRET, 9, "pin_value"},
            {URLSM_SECRET, 13, "saml_response"},
            {URLSM_SECRET, 23, "shared_access_signature"},
            {URLSM_SECRET, 9, "signature"},
            {URLSM_NEIGHBOUR, 5, "state"},
            {0, 0, NULL}};
        return names;
    }
    case 'g': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 3, "sig"},
            {0, 0, NULL}};
        return names;
    }
    case 'h': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 7, "urlauth"},
            {0, 0, NULL}};
        return names;
    }
    case 'l': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 17, "x_goog_credential"},
            {URLSM_SECRET, 16, "x_oss_credential"},
            {0, 0, NULL}};
        return names;
    }
    case 'm': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 18, "*password_confirm#"},
            {0, 0, NULL}};
        return names;
    }
    case 'n': {
        static const urlsm_name names[] = {
            {URLSM_NEVER, 19, "*continuation_token"},
            {URLSM_NEVER, 13, "*cursor_token"},
            {URLSM_NEVER, 11, "*next_token"},
            {URLSM_NEVER, 11, "*page_token"},
            {URLSM_SECRET, 23, "*password_confirmation#"},
            {URLSM_NEVER, 13, "*resume_token"},
            {URLSM_NEVER, 11, "*skip_token"},
            {URLSM_NEVER, 12, "*start_token"},
            {URLSM_NEVER, 11, "*sync_token"},
            {URLSM_SECRET, 6, "*token"},
            {URLSM_SECRET, 13, "authorization"},
            {URLSM_SECRET, 16, "client_assertion"},
            {0, 0, NULL}};
        return names;
    }
    case 'p': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 3, "otp"},
            {0, 0, NULL}};
        return names;
    }
    case 'r': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 13, "code_verifier"},
            {URLSM_SECRET, 14, "oauth_verifier"},
            {0, 0, NULL}};
        return names;
    }
    case 's': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 6, "*_pass"},
            {URLSM_SECRET, 23, "authmechanismproperties"},
            {URLSM_SECRET, 5, "hdnts"},
            {URLSM_SECRET, 4, "pass"},
            {0, 0, NULL}};
        return names;
    }
    case 't': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 5, "*_jwt"},
            {URLSM_SECRET, 8, "*_secret"},
            {URLSM_SECRET, 13, "id_token_hint"},
            {URLSM_SECRET, 3, "jwt"},
            {URLSM_SECRET, 8, "saml_art"},
            {URLSM_SECRET, 6, "secret"},
            {0, 0, NULL}};
        return names;
    }
    case 'y': {
        static const urlsm_name names[] = {
            {URLSM_SECRET, 11, "*access_key"},
            {URLSM_SECRET, 8, "*api_key"},
            {URLSM_SECRET, 11, "*secret_key"},
            {URLSM_SECRET, 17, "*subscription_key"},
            {URLSM_SECRET, 11, "account_key"},
            {URLSM_SECRET, 8, "auth_key"},
            {URLSM_SECRET, 13, "functions_key"},
            {URLSM_SECRET, 11, "private_key"},
            {URLSM_SECRET, 16, "scram_client_key"},
            {URLSM_SECRET, 16, "scram_server_key"},
            {0, 0, NULL}};
        return names;
    }
    default: {
        static const urlsm_name none[] = {{0, 0, NULL}};
        return none;
    }
    }
}

#endif
