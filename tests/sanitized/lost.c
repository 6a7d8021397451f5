/* Loses 77 bytes and keeps 100. */
#include <stdlib.h>

static char *kept;

int main(void)
{
    char *volatile lost = malloc(77);

    kept = malloc(100);
    lost = NULL;
    return lost == kept;
}
