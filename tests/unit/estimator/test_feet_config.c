#include "test.h"
void suite_feet_config(void)
{
}
