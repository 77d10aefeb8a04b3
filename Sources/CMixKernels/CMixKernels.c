#include "CMixKernels.h"
