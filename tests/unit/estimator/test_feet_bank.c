#include "test.h"
void suite_feet_bank(void)
{
}
