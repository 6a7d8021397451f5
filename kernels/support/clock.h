/* Clocks for measuring. */
#ifndef NUCE_CLOCK_H
#define NUCE_CLOCK_H

/* Seconds on this machine's monotonic clock. */
double nuce_clock(void);

/* Seconds of processor time of the calling thread: what it computes, whoever else shares the
 * processor. */
double nuce_processor_clock(void);

#endif
