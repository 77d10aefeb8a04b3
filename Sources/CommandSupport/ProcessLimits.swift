// SPDX-License-Identifier: MIT

import Glibc

/// The limits of this process (`ulimit`), and whether the program can run with them. [any-thread]
public enum ProcessLimits {
  /// The least address space: threads need their stacks.
  private static let leastMemoryBytes: rlim_t = 512 << 20
  /// The least number of open files for a host: JACK, sound files, helper programs and some connections.
  private static let leastFiles: rlim_t = 256

  /// Why no command can run; nil if the limits suffice.
  ///
  /// Without memory for threads a command would wait for one for ever.
  public static var memoryFault: String? {
    let limit = limit(RLIMIT_AS, isSoft: true)
    guard limit < leastMemoryBytes else { return nil }
    return
      "this process may use \(limit >> 20) MiB of address space, at least \(leastMemoryBytes >> 20) MiB are "
      + "needed; raise the limit with 'ulimit -v'"
  }

  /// Why no host can run; nil if the limits suffice.
  public static var hostFault: String? {
    let limit = limit(RLIMIT_NOFILE, isSoft: false)
    guard limit < leastFiles else { return nil }
    return
      "this process may open \(limit) files, a host needs at least \(leastFiles); raise the limit with 'ulimit -n'"
  }

  private static func limit(_ resource: __rlimit_resource, isSoft: Bool) -> rlim_t {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return .max }
    return isSoft ? limit.rlim_cur : limit.rlim_max
  }
}
