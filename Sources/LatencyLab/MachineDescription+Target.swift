// SPDX-License-Identifier: MIT

import JACK

extension MachineDescription {
  /// Describes this machine and the server that is measured on.
  ///
  /// - Parameters:
  ///   - target: Dummy servers of the measurement's own, or one that runs.
  ///   - versions: Versions by program, beside libjack's.
  /// - Returns: The description.
  public static func current(
    measuringOn target: SweepBenchmark.Options.Target,
    versions: [String: String] = [:],
  ) -> MachineDescription {
    let server: String
    switch target {
    case .dummyServers:
      server = "jackd \(JACKLibrary.version), dummy"
    case .runningServer(let name):
      let identity = ServerIdentity.find(name: name)
      let words = [identity.kind.rawValue, JACKLibrary.version, identity.driver]
      server = words.compactMap(\.self).joined(separator: " ")
    }
    return current(
      server: server,
      versions: versions.merging(["libjack": JACKLibrary.version]) { $1 },
    )
  }
}
