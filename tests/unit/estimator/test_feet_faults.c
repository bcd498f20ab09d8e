#include "test.h"
void suite_feet_faults(void)
{
}
