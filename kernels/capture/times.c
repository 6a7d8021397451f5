/* How long things took: extremes, sum, and a histogram with four classes for each power of two. In
 * a file extremes and mean are rounded. */
#include <math.h>

#include "base/allocate.h"
#include "capture/capture.h"
#include "capture/content.h"

/* 0 .. 3 ns are classes of their own; of a larger time the class is the place of its highest bit
 * and the two bits behind it: a class spans at most 22 % of its middle. */
int nuce_capture_times_class(int64_t ns)
{
    int bit;

    if (ns < 4)
        return (int)ns;
    bit = 63 - __builtin_clzll((unsigned long long)ns);
    return 4 * (bit - 1) + (int)((ns >> (bit - 2)) & 3);
}

double nuce_capture_times_middle(int number)
{
    int bit = number / 4 + 1;

    if (number < 4)
        return number;
    return ldexp(4 + number % 4 + 0.5, bit - 2);
}

void nuce_capture_times_add(struct nuce_capture_times *times, int64_t ns)
{
    if (times->classes == NULL)
        times->classes = nuce_allocate(NUCE_CAPTURE_CLASSES, sizeof *times->classes);
    ns = ns < 0 ? 0 : ns;
    times->least = times->count == 0 || ns < times->least ? ns : times->least;
    times->most = ns > times->most ? ns : times->most;
    times->sum += (double)ns;
    times->count++;
    times->classes[nuce_capture_times_class(ns)]++;
}

double nuce_capture_times_mean(const struct nuce_capture_times *times)
{
    return times->count == 0 ? NAN : times->sum / (double)times->count;
}

/* Of one or two times the extremes are all there is. Of more the class in which the part of the
 * count is reached, its middle kept within the extremes. */
double nuce_capture_times_quantile(const struct nuce_capture_times *times, double part)
{
    double wanted = part * (double)times->count;
    int64_t below = 0;

    if (times->count > 0 && times->count <= 2)
        return (double)(wanted <= 1 ? times->least : times->most);
    if (times->classes == NULL)
        return NAN;
    for (int i = 0; i < NUCE_CAPTURE_CLASSES; i++) {
        below += times->classes[i];
        if ((double)below >= wanted && times->classes[i] > 0)
            return fmin(fmax(nuce_capture_times_middle(i), (double)times->least),
                        (double)times->most);
    }
    return (double)times->most;
}

/* 10, 100, ...: the first number that has more digits. */
static int64_t rounding_base(int digits)
{
    int64_t base = 1;

    for (int i = 0; i < digits; i++)
        base *= 10;
    return base;
}

int64_t nuce_capture_rounded_code(double ns, int digits)
{
    int64_t base = rounding_base(digits), number;
    int tens = 0;

    for (ns = fmax(ns, 0); ns >= (double)base - 0.5; ns /= 10)
        tens++;
    number = llround(ns);
    return tens == 0 ? number : base + (tens - 1) * (base - base / 10) + number - base / 10;
}

double nuce_capture_rounded_time(int64_t code, int digits)
{
    int64_t base = rounding_base(digits), of_one_power = base - base / 10, above = code - base;

    if (code < base)
        return (double)code;
    return (double)(base / 10 + above % of_one_power) * pow(10, 1 + (double)(above / of_one_power));
}
