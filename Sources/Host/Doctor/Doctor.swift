// SPDX-License-Identifier: MIT

/// Finds what on this machine keeps audio from being good.
///
/// Reads files and asks the system; changes nothing.
public enum Doctor {
  /// Examines this machine as the calling process sees it. [any-thread]
  ///
  /// - Returns: What was found, good and bad, group by group.
  public static func examine() -> [Finding] { examine(Machine()) }

  static func examine(_ machine: Machine) -> [Finding] {
    machine.limits() + machine.processor() + machine.kernel() + machine.servers()
      + machine.sharedMemory() + machine.devices()
  }
}
