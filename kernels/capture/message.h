/* A message as the recorder is told of it, and where it is noted. */
#ifndef NUCE_RECORDER_MESSAGE_H
#define NUCE_RECORDER_MESSAGE_H

#include <stdint.h>

#define NUCE_RECORDER_ANY (-1) /* source or tag of a receive that takes any */

/* A message of a communicator. */
struct nuce_recorder_message {
    /* the recorder's number; enum nuce_raw_direction; rank in the communicator, or
     * NUCE_RECORDER_ANY */
    int communicator, direction, peer, tag;
    int64_t bytes; /* of a send; a receive's are not looked at */
    int openness;  /* of a receive whose peer a probe has said: enum nuce_raw_openness of that */
};

/* Where a message is noted, for its end. */
struct nuce_recorder_place {
    struct nuce_recorder_message message;
    int index;     /* of a send: in the round */
    int64_t round; /* of a send: its serial; -1: there was no room */
};

#endif
