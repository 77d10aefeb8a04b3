// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CSystemSupport.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int read_peer(int socket, char path[SYSTEM_SOCKET_PATH_BYTES], pid_t *peer) {
  struct sockaddr_un address = {0};
  socklen_t length = sizeof address;
  if (getpeername(socket, (struct sockaddr *)&address, &length) != 0) return errno;
  if (address.sun_family != AF_UNIX) return EAFNOSUPPORT;
  // The path of an abstract address begins with a 0: it is empty here.
  memset(path, 0, SYSTEM_SOCKET_PATH_BYTES);
  memcpy(path, address.sun_path, sizeof address.sun_path);

  struct ucred credentials;
  length = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return errno;
  *peer = credentials.pid;
  return 0;
}

int system_socket_peer(int process, int socket, char path[SYSTEM_SOCKET_PATH_BYTES], pid_t *peer) {
  const int copy = (int)syscall(SYS_pidfd_getfd, process, socket, 0);
  if (copy < 0) return errno;
  const int failure = read_peer(copy, path, peer);
  close(copy);
  return failure;
}

int system_identify_file(const char *path, system_file_identity *identity) {
  struct stat status;
  if (stat(path, &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  identity->device = status.st_dev;
  identity->inode = status.st_ino;
  identity->changed_nanoseconds = status.st_ctim.tv_sec * 1000000000LL + status.st_ctim.tv_nsec;
  return 0;
}

bool system_file_is_roots(const char *path) {
  char part[4096];
  const size_t length = strlen(path);
  if (path[0] != '/' || length >= sizeof part) return false;
  for (size_t end = 1; end <= length; end++) {
    // The root, each folder, and the file.
    if (end > 1 && end < length && path[end] != '/') continue;
    memcpy(part, path, end);
    part[end] = 0;
    struct stat status;
    if (lstat(part, &status) != 0 || S_ISLNK(status.st_mode)) return false;
    if (status.st_uid != 0 || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return false;
  }
  return true;
}
