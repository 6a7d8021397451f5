/* One buffer a use, made by the first who needs it. */
#include "run/buffers.h"

#include <stdlib.h>

#include "base/allocate.h"

/* The first who asks makes the buffer. One that asks for more later gets its own, for the shared
 * one may be in use and must not move. */
unsigned char *nuce_buffers_take(struct nuce_buffers *shared, enum nuce_buffer_use use,
                                 int64_t bytes, int *is_shared, struct nuce_error *error)
{
    *is_shared = shared != NULL && (shared->data[use] == NULL || shared->bytes[use] >= bytes);
    if (!*is_shared)
        return nuce_allocate_buffer(bytes, error);
    if (shared->data[use] == NULL) {
        shared->data[use] = nuce_allocate_buffer(bytes, error);
        shared->bytes[use] = bytes;
    }
    return shared->data[use];
}

int64_t nuce_buffers_bytes(const struct nuce_buffers *shared)
{
    int64_t sum = 0;

    for (int use = 0; shared != NULL && use < NUCE_BUFFER_USES; use++)
        sum += shared->data[use] != NULL ? shared->bytes[use] : 0;
    return sum;
}

void nuce_buffers_fini(struct nuce_buffers *shared)
{
    for (int use = 0; use < NUCE_BUFFER_USES; use++)
        free(shared->data[use]);
    *shared = (struct nuce_buffers){.bytes = {0}};
}
