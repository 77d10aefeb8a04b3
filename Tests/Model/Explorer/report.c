// SPDX-License-Identifier: MIT
//
// The places of the program that do atomic operations, their weakened orders, and their names in the sources.
#define _GNU_SOURCE
#include "model.h"

#include <dlfcn.h>
#include <unistd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ExplorerSite sites[MAX_SITES];
static int weakened[MAX_SITES];
static uint64_t passes[MAX_SITES];
static int site_count;

ExplorerSite *site_at(uintptr_t address) {
  for (int index = 0; index < site_count; ++index)
    if (sites[index].address == address) return &sites[index];
  if (site_count == MAX_SITES) {
    fprintf(stderr, "error: the program has more than %d atomic operations\n", MAX_SITES);
    exit(70);
  }
  weakened[site_count] = -1;
  sites[site_count] = (ExplorerSite){.address = address, .order = -1};
  return &sites[site_count++];
}

int site_order(uintptr_t address, int order, bool loads, bool stores) {
  ExplorerSite *site = site_at(address);
  ++passes[site - sites];
  site->order = order;
  site->loads = loads;
  site->stores = stores;
  const int weaker = weakened[site - sites];
  return weaker >= 0 ? weaker : order;
}

int explorer_site_count(void) { return site_count; }

static uintptr_t base(void) {
  Dl_info info;
  return dladdr((const void *)&explorer_site_count, &info) ? (uintptr_t)info.dli_fbase : 0;
}

ExplorerSite explorer_site(int index) {
  return sites[index];
}

void explorer_weaken(int index, int order) { weakened[index] = order; }

/// The name of an address by addr2line: of the innermost inlined function that is in our sources.
static char *look_up(uintptr_t address) {
  char command[512];
  snprintf(command, sizeof command, "addr2line -i -e /proc/%d/exe %#lx", (int)getpid(), (unsigned long)(address - base()));
  FILE *lines = popen(command, "r");
  char line[1024], found[1024] = "?";
  while (lines && fgets(line, sizeof line, lines)) {
    if (found[0] != '?' || (!strstr(line, "/Sources/") && !strstr(line, "/Tests/"))) continue;
    const char *name = strrchr(line, '/');
    snprintf(found, sizeof found, "%s", name ? name + 1 : line);
    found[strcspn(found, " \n")] = 0;
  }
  if (lines) pclose(lines);
  return strdup(found);
}

const char *site_name(uintptr_t address) {
  static struct { uintptr_t address; char *name; } known[4 * MAX_SITES];
  static int count;
  for (int index = 0; index < count; ++index)
    if (known[index].address == address) return known[index].name;
  if (count == 4 * MAX_SITES) return "?";
  known[count].address = address;
  return known[count++].name = look_up(address);
}

const char *explorer_site_name(int index) { return site_name(sites[index].address); }

uint64_t explorer_site_passes(int index) { return passes[index]; }
