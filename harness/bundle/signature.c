/* Signatures, by ssh-keygen: most who run nuce have an SSH key already, and their colleagues its
 * public part. It signs files and prints words (ssh-keygen(1), -Y sign, check-novalidate,
 * find-principals, verify), so text goes through a scratch folder here, and what it prints is taken
 * apart in one place, signature_said. */
#include "bundle/signature.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bundle/scratch.h"
#include "launch/command.h"
#include "support/printable.h"
#include "support/safe_file.h"
#include "support/text.h"
#include "support/text_file.h"

enum {
    SIGNING_LIMIT_S = 120, /* a key on a token waits for a touch */
    NOT_STARTED = 127      /* what a shell says of a program that is not there */
};

/* Runs argv, which is stolen; *reply is freed by the caller, also on failure. NUCE_BAD_INPUT: it
 * ended badly, and why. */
static nuce_status signature_run(json_t *argv, struct nuce_command_reply *reply,
                                 struct nuce_error *error)
{
    nuce_status status = argv != NULL
                             ? nuce_command_run(argv, SIGNING_LIMIT_S, reply, error)
                             : nuce_error_set(error, NUCE_FAILED, "out of memory for a command");
    char *complaint;

    json_decref(argv);
    if (status != NUCE_OK || nuce_command_succeeded(reply))
        return status;
    if (WIFEXITED(reply->status) && WEXITSTATUS(reply->status) == NOT_STARTED)
        return nuce_error_set(error, NUCE_FAILED,
                              "ssh-keygen cannot be started: expected OpenSSH's (Debian: "
                              "openssh-client); nothing is known of the signature");
    complaint = nuce_command_complaint("ssh-keygen", reply);
    status = nuce_error_set(error, NUCE_BAD_INPUT, "%s", complaint != NULL ? complaint : "");
    free(complaint);
    return status;
}

/* ssh-keygen writes FILE.sig beside FILE. A new string, the signature; NULL with *error. */
static char *sign_file(const char *key, const char *folder, struct nuce_error *error)
{
    char *file = nuce_text_format(error, "%s/signed", folder), *text = NULL;
    char *path = nuce_text_format(error, "%s/signed.sig", folder);
    struct nuce_command_reply reply = {0};

    if (file != NULL && path != NULL &&
        signature_run(json_pack("[s,s,s,s,s,s,s,s]", "ssh-keygen", "-Y", "sign", "-n",
                                NUCE_SIGNATURE_NAMESPACE, "-f", key, file),
                      &reply, error) == NUCE_OK)
        (void)nuce_text_read(path, &text, NULL, error);
    else if (file != NULL && path != NULL)
        (void)nuce_error_prefix(error, "%s: cannot sign", key);
    nuce_command_reply_fini(&reply);
    free(path);
    free(file);
    return text;
}

char *nuce_signature_make(const char *key, const char *text, size_t length,
                          struct nuce_error *error)
{
    struct nuce_bundle_scratch scratch = {.lock = -1};
    char *signature = NULL;

    if (nuce_bundle_scratch_make(NULL, &scratch, error) != NUCE_OK)
        return NULL;
    if (nuce_safe_write(scratch.path, "signed", text, length, error) == NUCE_OK)
        signature = sign_file(key, scratch.path, error);
    nuce_bundle_scratch_remove(&scratch);
    return signature;
}

/* ssh-keygen reads what was signed from its standard input, which nuce_command_run has from
 * /dev/null: a shell opens it. The file is the shell's $0 and the rest its arguments, so nothing is
 * quoted. */
#define READING "exec \"$@\" <\"$0\""

/* The words that read `file` as standard input; NULL when out of memory, which signature_run
 * refuses. */
static json_t *signature_words(const char *file, const char *path, const char *verb)
{
    return json_pack("[s,s,s,s,s,s,s,s,s,s,s]", "sh", "-c", READING, file, "ssh-keygen", "-Y", verb,
                     "-n", NUCE_SIGNATURE_NAMESPACE, "-s", path);
}

/* What a line of output says behind the words before: a new string. */
static char *signature_said(const char *out, const char *before, struct nuce_error *error)
{
    const char *at = strstr(out, before);

    at = at != NULL ? at + strlen(before) : out;
    return nuce_text_format(error, "%.*s", (int)strcspn(at, "\n"), at);
}

/* Whether it is a signature of this file at all, by whatever key; *key is how ssh-keygen calls
 * that. */
static nuce_status find_key(const char *path, const char *file, char **key,
                            struct nuce_error *error)
{
    struct nuce_command_reply reply = {0};
    nuce_status status =
        signature_run(signature_words(file, path, "check-novalidate"), &reply, error);

    if (status == NUCE_OK) {
        *key = signature_said(reply.out, "signature with ", error);
        status = *key != NULL ? NUCE_OK : error->status;
    }
    nuce_command_reply_fini(&reply);
    return status;
}

/* The name of the key's owner among the signers; that the key may sign for it is then checked. */
static nuce_status find_signer(const char *path, const char *file, const char *signers,
                               char **signer, struct nuce_error *error)
{
    struct nuce_command_reply reply = {0};
    nuce_status status = signature_run(json_pack("[s,s,s,s,s,s,s]", "ssh-keygen", "-Y",
                                                 "find-principals", "-s", path, "-f", signers),
                                       &reply, error);
    json_t *words;

    if (status == NUCE_OK)
        *signer = nuce_text_format(error, "%.*s", (int)strcspn(reply.out, "\n"), reply.out);
    nuce_command_reply_fini(&reply);
    if (status != NUCE_OK || *signer == NULL)
        return error->status;
    words = signature_words(file, path, "verify");
    for (size_t i = 0; i < 4; i++) {
        const char *const more[] = {"-f", signers, "-I", *signer};

        (void)json_array_append_new(words, json_string(more[i]));
    }
    status = signature_run(words, &reply, error);
    nuce_command_reply_fini(&reply);
    nuce_printable_make(*signer);
    if (status != NUCE_OK) { /* who may not sign for it is not who signed */
        free(*signer);
        *signer = NULL;
    }
    return status;
}

nuce_status nuce_signature_check(const char *path, const char *file, const char *signers,
                                 struct nuce_signature *out, struct nuce_error *error)
{
    nuce_status status;

    *out = (struct nuce_signature){0};
    status = find_key(path, file, &out->key, error);
    if (status == NUCE_OK && signers != NULL) {
        status = find_signer(path, file, signers, &out->signer, error);
        if (status == NUCE_BAD_INPUT)
            (void)nuce_error_prefix(error, "%s: not of a signer in %s", out->key, signers);
    }
    return status;
}

void nuce_signature_fini(struct nuce_signature *signature)
{
    free(signature->key);
    free(signature->signer);
    *signature = (struct nuce_signature){0};
}
