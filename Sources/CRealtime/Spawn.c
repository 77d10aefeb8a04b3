// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CRealtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs in the child, which shares the parent's memory until exec: system calls only.
static int become(
  const char *path, char *const argv[], int stdout_fd, int stderr_fd, int death_signal,
  pid_t parent) {
  const struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);

  setsid();  // A Ctrl-C on our terminal is ours to handle, not the child's.
  if (prctl(PR_SET_PDEATHSIG, death_signal) != 0) return errno;
  if (getppid() != parent) return ESRCH;

  const int stdin_fd = open("/dev/null", O_RDONLY);
  if (stdin_fd < 0 || dup2(stdin_fd, 0) < 0) return errno;
  if (dup2(stdout_fd, 1) < 0 || dup2(stderr_fd, 2) < 0) return errno;
  if (close_range(3, UINT_MAX, 0) != 0) return errno;

  execve(path, argv, environ);
  return errno;
}

// posix_spawn cannot set a death signal, and fork would make every page of the audio thread fault:
// vfork it is, with all signals blocked so that no handler of ours runs in the child.
static int spawn(
  const char *path, char *const argv[], int death_signal, pid_t *pid, int stdout_fd,
  int stderr_fd) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);

  volatile int failure = 0;
  const pid_t parent = getpid();
  const pid_t child = vfork();
  if (child == 0) {
    failure = become(path, argv, stdout_fd, stderr_fd, death_signal, parent);
    _exit(127);
  }
  if (child < 0) failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && failure != 0) {
    // The child is gone already: no zombie may stay behind.
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  *pid = child;
  return failure;
}

int realtime_spawn(
  const char *path, char *const argv[], int death_signal, pid_t *pid, int *stdout_fd,
  int *stderr_fd) {
  int output[2], errors[2];
  if (pipe2(output, O_CLOEXEC) != 0) return errno;
  if (pipe2(errors, O_CLOEXEC) != 0) {
    const int failure = errno;
    close(output[0]);
    close(output[1]);
    return failure;
  }
  const int failure = spawn(path, argv, death_signal, pid, output[1], errors[1]);
  close(output[1]);
  close(errors[1]);
  if (failure != 0) {
    close(output[0]);
    close(errors[0]);
    return failure;
  }
  *stdout_fd = output[0];
  *stderr_fd = errors[0];
  return 0;
}

int realtime_spawn_detached(const char *path, char *const argv[], int stdin_fd, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, stdin_fd, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  // libjack leaves its descriptors open for children: the server would not notice our death.
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setflags(
    &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  const int failure = posix_spawn(pid, path, &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}
