// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK

/// An instance of a program that asks for a name for its values.
///
/// Pure value: [any-thread].
struct InstanceClaim: Sendable {
  /// The instance's name, with JACK's number.
  let title: String
  /// The names of the other instances that are there.
  let taken: Set<String>
  /// Whether it was there before the host, so that its name is still its own.
  let wasThere: Bool
  /// The names of its strips; empty for an only strip.
  var strips: [String] = []
  /// The levels with which a new one starts, one for each strip.
  var starts: [GraphFile.StartLevels] = []
}

extension KeptState {
  /// Gives an instance of a program a name for its values, and with it the values of the one that has gone.
  ///
  /// JACK numbers instances by who came first, so the number says nothing once several have gone: then the lowest level is
  /// taken, and nobody is louder than he was.
  ///
  /// - Parameter claim: The instance.
  /// - Returns: The name under which its values are kept.
  mutating func name(_ claim: InstanceClaim) -> String {
    let (title, taken) = (claim.title, claim.taken)
    let parts = claim.strips.map { "/\($0)" }
    let base = ClientProcess.baseName(ofClient: title)
    let instances = [base] + (1...99).map { "\(base)-\($0 < 10 ? "0" : "")\($0)" }
    let name = taken.contains(title) ? instances.first { !taken.contains($0) } ?? base : title
    // A program with several strips has its placements under its own name.
    let known = instances.filter { instance in
      ([""] + parts).contains { apps[instance + $0] != nil }
    }
    if claim.wasThere, known.contains(name) { return name }
    let gone = known.filter { !taken.contains($0) }
    // Beside others it is new, or the successor of one that is about to leave.
    let candidates = gone.isEmpty ? known : gone
    guard !candidates.isEmpty else { return name }
    for part in Set([""] + parts) {
      let start = claim.start(ofPart: part)
      var values = candidates.map { apps[$0 + part] ?? KeptApp() }
      if gone.isEmpty { values.append(KeptApp()) }
      for former in gone { apps[former + part] = nil }
      apps[name + part] = values.min { $0.heardDB(start) < $1.heardDB(start) }
    }
    return name
  }
}

extension InstanceClaim {
  /// The levels with which a strip starts, by the end of its kept name.
  fileprivate func start(ofPart part: String) -> GraphFile.StartLevels {
    let index = strips.firstIndex { "/\($0)" == part } ?? 0
    return starts.indices.contains(index) ? starts[index] : GraphFile.StartLevels()
  }
}

extension KeptApp {
  /// The level at which it is heard, in dB.
  fileprivate func heardDB(_ start: GraphFile.StartLevels) -> Double {
    let levels = levels(under: start)
    return levels.isMuted ? -.infinity : levels.gainDB
  }
}
