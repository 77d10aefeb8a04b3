// SPDX-License-Identifier: MIT
#pragma once

#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlwriter.h>
