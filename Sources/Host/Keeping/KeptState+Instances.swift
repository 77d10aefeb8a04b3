// SPDX-License-Identifier: MIT

internal import JACK

extension KeptState {
  /// Gives an instance of a program a name for its values, and with it the values of the one that has gone.
  ///
  /// JACK numbers instances by who came first, so the number says nothing once several have gone: then the lowest level is
  /// taken, and nobody is louder than he was.
  ///
  /// - Parameters:
  ///   - title: The instance's name, with JACK's number.
  ///   - taken: The names of the other instances that are there.
  ///   - wasThere: Whether it was there before the host, so that its name is still its own.
  ///   - parts: The end of the kept name for each of its strips, such as `/player`; empty for an only strip.
  ///   - startGainDB: The fader of a new one in dB.
  /// - Returns: The name under which its values are kept.
  mutating func claim(
    _ title: String,
    taken: Set<String>,
    wasThere: Bool,
    parts: [String],
    startGainDB: Double,
  ) -> String {
    let base = ClientProcess.baseName(ofClient: title)
    let instances = [base] + (1...99).map { "\(base)-\($0 < 10 ? "0" : "")\($0)" }
    let name = taken.contains(title) ? instances.first { !taken.contains($0) } ?? base : title
    // A program with several strips has its placements under its own name.
    let known = instances.filter { instance in
      ([""] + parts).contains { apps[instance + $0] != nil }
    }
    if wasThere, known.contains(name) { return name }
    let gone = known.filter { !taken.contains($0) }
    // Beside others it is new, or the successor of one that is about to leave.
    let candidates = gone.isEmpty ? known : gone
    guard !candidates.isEmpty else { return name }
    for part in Set([""] + parts) {
      var values = candidates.map { apps[$0 + part] ?? KeptApp() }
      if gone.isEmpty { values.append(KeptApp()) }
      for former in gone { apps[former + part] = nil }
      apps[name + part] = values.min { $0.levelDB(startGainDB) < $1.levelDB(startGainDB) }
    }
    return name
  }
}

extension KeptApp {
  /// The level at which it is heard, in dB.
  fileprivate func levelDB(_ startGainDB: Double) -> Double {
    isMuted == true ? -.infinity : gainDB ?? startGainDB
  }
}
