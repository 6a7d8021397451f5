#!/bin/sh
# What a round is follows from the order of messages, however early receives were posted; where it depends on time, it
# is not exact. However a rank ends, what was sent until then is there.
# shellcheck source=tests/capture/common.sh
. "$2/common.sh"
"mpicc.$mpi" -w -O1 -o rounds "$here/rounds.c" -lpthread

while read -r style how right; do
    [ "$how" != - ] || how=
    captured 0 ./rounds "$style" counts "$how" </dev/null
    [ "$got" = "$right" ] || fail "$style $how: $got, expected $right"
    ! grep -q 'one end\|never ended' told || fail "$style $how: $(cat told)"
done <<'END'
ahead_waitany - exact 20 merged 0 epoch 0
ahead_persistent - exact 20 merged 0 epoch 0
any_of_two - exact 0 merged 0 epoch 1
listener_any_matched barriers exact 21 merged 0 epoch 0
listener_tested - exact 0 merged 0 epoch 2
listener_sendrecv - exact 20 merged 0 epoch 0
polled_iprobe - exact 0 merged 0 epoch 1
polled_iprobe barriers exact 0 merged 0 epoch 20
polled_test barriers exact 14 merged 0 epoch 13
polled_recv barriers exact 56 merged 0 epoch 13
polled_probe barriers exact 56 merged 0 epoch 13
dealt - exact 0 merged 0 epoch 1
wavefront - exact 60 merged 0 epoch 0
wavefront posted exact 22 merged 0 epoch 0
forward_waitany - exact 0 merged 0 epoch 1
directions - exact 40 merged 0 epoch 0
fields - exact 20 merged 0 epoch 0
fields overlapped exact 40 merged 0 epoch 0
poked - exact 0 merged 0 epoch 1
threads_own - exact 2000 merged 0 epoch 0
threads_own any exact 2000 merged 0 epoch 0
END

while read -r style how; do
    captured any ./rounds "$style" counts "$how" </dev/null
    [ "$got" = "exact 20 merged 0 epoch 0" ] || fail "$style $how: $got"
done <<'END'
ended_ahead kill
ended_ahead abort
ended_ahead segfault
ended_ahead exit
ended_ahead _exit
ended_listening kill
ended_listening exit
END
