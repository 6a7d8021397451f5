/* A file of one line, mapped into rank 0: the kernel keeps what a dead process has stored there. */
#include "run/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"

/* Maps the open file into turn->text. The mapping outlives the descriptor. */
static nuce_status turn_map(int descriptor, struct nuce_turn *turn, struct nuce_error *error)
{
    static const char empty[NUCE_HASH_BYTES] = "";
    void *text = MAP_FAILED;

    /* Written and not only made longer: on a full disk a store to a hole would be a SIGBUS. */
    if (descriptor >= 0 && write(descriptor, empty, sizeof empty) == (ssize_t)sizeof empty)
        text = mmap(NULL, NUCE_HASH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (text == MAP_FAILED)
        return nuce_error_set(error, NUCE_FAILED, "%s: %s", turn->path, strerror(errno));
    turn->text = text;
    return NUCE_OK;
}

nuce_status nuce_turn_open(const char *path, struct nuce_turn *out, struct nuce_error *error)
{
    struct nuce_turn turn = {.path = nuce_text_format("%s.turn", path)};
    nuce_status status;
    int descriptor;

    descriptor = open(turn.path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    status = turn_map(descriptor, &turn, error);
    if (descriptor >= 0)
        close(descriptor);
    if (status != NUCE_OK)
        nuce_turn_close(&turn);
    else
        *out = turn;
    return status;
}

/* No system call: it is called between the steps of a heat. */
void nuce_turn_set(struct nuce_turn *turn, const char *id)
{
    if (turn != NULL && turn->text != NULL)
        memcpy(turn->text, id, NUCE_HASH_BYTES - 1);
}

void nuce_turn_close(struct nuce_turn *turn)
{
    if (turn->text != NULL)
        munmap(turn->text, NUCE_HASH_BYTES);
    if (turn->path != NULL)
        unlink(turn->path);
    free(turn->path);
    *turn = (struct nuce_turn){NULL, NULL};
}
