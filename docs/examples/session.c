/* SPDX-License-Identifier: MIT
 *
 * A program in C with a session: it activates the session and prints its events.
 *
 *   cc session.c -o session -lmultiroute-session && ./session 10
 */
#include <multiroute_session.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void print_route(void) {
  char text[1024];
  mr_session_route(text, sizeof text);
  printf("%s", text);
}

static void heard(int32_t event, int64_t detail, void *user) {
  const char *name = user;
  switch (event) {
  case MR_INTERRUPTION_BEGAN:
    printf("%s: interrupted, reason %d\n", name, (int)detail);
    break;
  case MR_INTERRUPTION_ENDED:
    printf("%s: the interruption is over, %s\n", name, detail ? "resume" : "wait");
    if (detail) mr_session_activate();
    break;
  case MR_ROUTE_CHANGED:
    printf("%s: new route, reason %d\n", name, (int)detail);
    print_route();
    break;
  case MR_MEDIA_SERVICES_LOST:
    printf("%s: no host\n", name);
    break;
  default:
    printf("%s: event %d, detail %d\n", name, (int)event, (int)detail);
  }
  fflush(stdout);
}

static int failed(const char *what) {
  char why[512];
  mr_session_last_error(why, sizeof why);
  fprintf(stderr, "%s: %s\n", what, why);
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  mr_session_set_callback(heard, "session");
  if (mr_session_set_category("playback", NULL, 0)) return failed("category");
  if (mr_session_set_preferred(48000, 0.005)) return failed("preferred values");
  if (mr_session_activate()) return failed("activate");
  printf("%g Hz, %g s\n", mr_session_sample_rate(), mr_session_io_buffer_seconds());
  print_route();
  fflush(stdout);
  sleep(argc > 1 ? atoi(argv[1]) : 10);
  mr_session_deactivate(1);
  return EXIT_SUCCESS;
}
