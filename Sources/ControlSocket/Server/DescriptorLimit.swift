// SPDX-License-Identifier: MIT

import Glibc
import Logging

/// The process's limit of open files.
enum DescriptorLimit {
  /// Raises the soft limit to what is needed, as far as the hard limit lets.
  static func raise(to needed: Int, logger: Logger) {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = rlim_t(needed)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    let result = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    if result != 0 || limit.rlim_cur < wanted {
      logger.warning(
        "control socket: \(needed) open files may be needed, \(limit.rlim_cur) are allowed"
      )
    }
  }
}
