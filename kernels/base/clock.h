/* Clocks for measuring. */
#ifndef NUCE_CLOCK_H
#define NUCE_CLOCK_H

/* Seconds on this machine's monotonic clock; on a simulated machine, on the simulator's clock. */
double nuce_clock(void);

/* Processor time of the calling thread, in seconds. Other users of the processor do not add to it.
 * It is real even in a simulator, whose own clock does not advance while a rank computes. */
double nuce_processor_clock(void);

#endif
