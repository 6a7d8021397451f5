/* Inside bundle: signatures of SHA256SUMS, made and checked by ssh-keygen (OpenSSH 8.2 or later):
 * checksums tell damage, a signature tells who vouches for them. By hand:
 *
 *   ssh-keygen -Y check-novalidate -n nuce-bundle -s SHA256SUMS.sig < SHA256SUMS */
#ifndef NUCE_SIGNATURE_H
#define NUCE_SIGNATURE_H

#include <stddef.h>

#include "support/error.h"

#define NUCE_SIGNATURE_NAMESPACE "nuce-bundle"

/* The signature of text by the private key (or, with an agent, the public one) in the file key: a
 * new string. NULL with *error, NUCE_BAD_INPUT where ssh-keygen does not take the key. */
char *nuce_signature_make(const char *key, const char *text, size_t length,
                          struct nuce_error *error);

struct nuce_signature {
    char *key;    /* "ED25519 key SHA256:..."; owned */
    char *signer; /* as the file of signers calls the key's owner; NULL: not asked; owned */
};

/* Checks the signature in the file at path against the file signed; signers (NULL: whoever) is a
 * file of allowed signers (ssh-keygen(1)). NUCE_BAD_INPUT: it is not of this file, or its key,
 * which *out then has, is of nobody in signers. Freed with nuce_signature_fini, also on failure. */
nuce_status nuce_signature_check(const char *path, const char *file, const char *signers,
                                 struct nuce_signature *out, struct nuce_error *error);
void nuce_signature_fini(struct nuce_signature *signature);

#endif
