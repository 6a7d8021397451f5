#include "exchange.h"
#include "program.h"

int main(int argc, char **argv)
{
    return nuce_program_main(argc, argv, &nuce_run_exchange);
}
