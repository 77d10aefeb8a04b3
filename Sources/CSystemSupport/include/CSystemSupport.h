// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <semaphore.h>
#include <sys/types.h>
#include <time.h>

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

// Calls that Swift cannot make by itself: start a child with a death signal, watch a process by a descriptor, notice a fork, ask for the
// other end of its sockets, and D-Bus (sd-bus).

/// The session and process group of a child.
enum system_spawn_group {
  /// Those of the caller, with its terminal; open descriptors without FD_CLOEXEC are inherited.
  SYSTEM_SPAWN_FOREGROUND,
  /// A session of its own, without any descriptor but the standard streams.
  SYSTEM_SPAWN_SESSION,
};

/// The settings for starting a child process.
typedef struct system_spawn_request {
  /// Path of the program.
  const char *path;
  /// Arguments with the program's name first; NULL at the end.
  char *const *arguments;
  /// `NAME=VALUE`; NULL at the end.
  char *const *environment;
  /// Standard input, output and error; -1 stands for /dev/null.
  int descriptors[3];
  enum system_spawn_group group;
  /// Signal that the child receives when the calling *thread* ends; 0 for none.
  int death_signal;
} system_spawn_request;

/// Starts a child with default signal handling and an empty signal mask.
///
/// Gives the child's id. 0, or an errno value, also that of a failed exec; no child is left then.
/// [any-thread]
int system_spawn(const system_spawn_request *request, pid_t *pid);

/// How often this process and its ancestors were forked since the first call of this function in one of them.
/// [any-thread]
unsigned system_fork_generation(void);

/// Whether the calling process was forked from the first one that called this function, or from a child of that one. In such a child
/// it takes no lock and no memory. [any-thread]
bool system_is_forked_from_first_user(void);

/// Has a descriptor closed in each forked child, before fork returns there; false when 64 others are already.
/// [any-thread]
bool system_keep_from_children(int descriptor);

/// Ends that, before the descriptor is closed.
/// [any-thread]
void system_leave_to_children(int descriptor);

/// Opens a descriptor that becomes readable when the process ends; -1 where the kernel has none.
/// [any-thread]
int system_process_descriptor(pid_t pid);

/// Sends a signal to the process of such a descriptor, and to no later one with its id. 0, or an errno value.
/// [any-thread]
int system_send_signal(int process, int signal);

/// Waits for a signal of a semaphore until a moment of CLOCK_MONOTONIC. 0, or -1 with errno.
/// [any-thread]
int system_semaphore_wait(sem_t *semaphore, const struct timespec *end);

/// Opens a pipe whose ends, for reading and for writing, no child inherits by accident. 0, or an errno value.
/// [any-thread]
int system_pipe(int ends[2]);

/// The length of a UNIX socket's path with a 0 at its end, in bytes.
#define SYSTEM_SOCKET_PATH_BYTES 109

/// Tells who is at the other end of a connected UNIX socket of another process.
///
/// `process` is a descriptor of the process, `socket` the number of its socket. Writes the path to which the other end is
/// bound, empty for none, and the process that called listen(2) or connect(2) there: SO_PEERCRED of unix(7). 0, or an
/// errno value: EPERM where ptrace(2) is not allowed for that process, ENOTCONN for a socket without another end.
/// [any-thread]
int system_socket_peer(int process, int socket, char path[SYSTEM_SOCKET_PATH_BYTES], pid_t *peer);

/// A file as it was at one moment: another file of its path, or new contents, change a value.
typedef struct system_file_identity {
  unsigned long long device;
  unsigned long long inode;
  /// The last change of its contents or attributes, in nanoseconds since 1970; no program can set it.
  long long changed_nanoseconds;
} system_file_identity;

/// Finds out the identity of a regular file. 0, or an errno value.
/// [any-thread]
int system_identify_file(const char *path, system_file_identity *identity);

/// Whether only root can replace or change what a path without symbolic links names: it and its folders are root's, and
/// neither their group nor others may write there.
/// [any-thread]
bool system_file_is_roots(const char *path);
