/* Clocks for measuring. */
#ifndef NUCE_CLOCK_H
#define NUCE_CLOCK_H

/* Seconds on this machine's monotonic clock; where machines are simulated, on the simulator's. */
double nuce_clock(void);

/* Seconds of processor time of the calling thread: what it computes, whoever else shares the
 * processor. Real also in a simulator, whose own clock stands still while a rank computes. */
double nuce_processor_clock(void);

#endif
