// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CSystemSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Gives the child its standard streams. Descriptors below 3 are moved up first, so that none is overwritten
// before it is used.
static int take_streams(const int wanted[3]) {
  int sources[3];
  for (int target = 0; target < 3; target++) {
    sources[target] = wanted[target];
    if (wanted[target] < 0) sources[target] = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (sources[target] >= 0 && sources[target] < 3)
      sources[target] = fcntl(sources[target], F_DUPFD_CLOEXEC, 3);
    if (sources[target] < 0) return errno;
  }
  for (int target = 0; target < 3; target++) {
    if (dup2(sources[target], target) < 0) return errno;
  }
  return 0;
}

// Runs in the child, which shares the parent's memory until exec: system calls only.
static int become(const system_spawn_request *request, pid_t parent) {
  const struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);

  // Ctrl-C on the terminal is for the caller, unless the child runs in the foreground.
  if (request->group == SYSTEM_SPAWN_SESSION) setsid();
  if (request->death_signal != 0) {
    if (prctl(PR_SET_PDEATHSIG, request->death_signal) != 0) return errno;
    if (getppid() != parent) return ESRCH;
  }
  const int failure = take_streams(request->descriptors);
  if (failure != 0) return failure;
  // libjack leaves its descriptors open for children: a server would not notice the caller's death.
  if (request->group == SYSTEM_SPAWN_SESSION && close_range(3, UINT_MAX, 0) != 0) return errno;

  execve(request->path, request->arguments, request->environment);
  return errno;
}

// posix_spawn cannot set a death signal, and fork would make every page of the audio thread fault: vfork it is,
// with all signals blocked so that no handler of the caller runs in the child.
int system_spawn(const system_spawn_request *request, pid_t *pid) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);

  volatile int failure = 0;
  const pid_t parent = getpid();
  const pid_t child = vfork();
  if (child == 0) {
    failure = become(request, parent);
    _exit(127);
  }
  if (child < 0) failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && failure != 0) {
    // The child has ended already: no zombie may stay behind.
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  *pid = failure == 0 ? child : 0;
  return failure;
}

int system_process_descriptor(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int system_send_signal(int process, int signal) {
  return syscall(SYS_pidfd_send_signal, process, signal, NULL, 0) == 0 ? 0 : errno;
}

int system_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno; }
