// SPDX-License-Identifier: MIT

/// Music plays; a prompt lowers it and ends; a call stops it and ends; each of them is killed.
///
/// Belongs to the control thread.
struct RoleStory {
  /// Number of rounds.
  let rounds: Int
  /// The sounds.
  let sounds: RoleSounds

  /// The readings by metric, one value per round.
  private(set) var readings: [String: [Double]] = [:]
  /// Steps in which not everything was heard.
  private(set) var lostSteps = 0

  init(rounds: Int, sounds: RoleSounds) {
    self.rounds = rounds
    self.sounds = sounds
  }

  /// Runs all rounds on a system.
  ///
  /// - Throws: ``LabError`` where the music cannot be heard, or as of the system.
  mutating func tell(
    on system: some RoleSystem,
    progress: (Double) -> Void,
  ) async throws(LabError) {
    try await waitForMusic(on: system) { $0 == 1 }
    for round in 0..<rounds {
      for (index, role) in Role.allCases.enumerated() {
        progress((Double(round) + Double(index) / 2) / Double(rounds))
        try await playToTheEnd(role, on: system)
        try await kill(role, on: system)
      }
    }
  }

  /// A prompt begins and ends by itself.
  private mutating func playToTheEnd(
    _ role: Role,
    on system: some RoleSystem,
  ) async throws(LabError) {
    var process: PeerProcess?
    let step = try await system.step(frames: Self.promptFrames) { () throws(LabError) in
      process = try system.play(sounds.prompt, as: role)
    }
    guard let found = Self.read(step) else {
      lostSteps += 1
      process?.stop()
      try await waitForMusic(on: system) { $0 == 1 }
      return
    }
    process?.stop()
    note(found.heard, "\(role).heard")
    note(found.lowered, "\(role).lowered")
    note(found.fall, "\(role).fall")
    note(found.back, "\(role).back")
    readings["roles.\(role).remaining.percent", default: []].append(found.remainingPercent)
    try await waitForMusic(on: system) { $0 == 1 }
  }

  /// A prompt is killed while it sounds.
  private mutating func kill(_ role: Role, on system: some RoleSystem) async throws(LabError) {
    let process = try system.play(sounds.endless, as: role)
    try await waitForMusic(on: system) { $0 < 0.9 }
    let step = try await system.step(frames: Self.killFrames) { () throws(LabError) in
      process.crash()
    }
    process.stop()
    if let change = step.music.change, change.toGainLinear > 0.99 {
      note(change.end - step.requestIndex, "\(role).killedBack")
    } else {
      lostSteps += 1
    }
    try await waitForMusic(on: system) { $0 == 1 }
  }

  /// Waits until the music stands at a gain.
  private func waitForMusic(
    on system: some RoleSystem,
    _ isRight: (Float) -> Bool,
  ) async throws(LabError) {
    var found: Float = 0
    for _ in 0..<Self.patience {
      let step = try await system.step(frames: Self.lookFrames) { () throws(LabError) in }
      guard step.music.change == nil, let gain = step.music.gains.last else { continue }
      found = (gain * 1e4).rounded() / 1e4
      if isRight(found) { return }
    }
    throw LabError(.tool, "\(system.name): the music stays at a gain of \(found)")
  }

  private mutating func note(_ frames: Int, _ name: String) {
    let milliseconds = Double(frames) / Double(RoleSounds.sampleRateHz) * 1000
    readings["roles.\(name).milliseconds", default: []].append(milliseconds)
  }

  private static let promptFrames = 2 * RoleSounds.sampleRateHz
  private static let killFrames = RoleSounds.sampleRateHz
  private static let lookFrames = 1_200
  private static let patience = 400
}

extension RoleStory {
  /// The reading of a recorded prompt, in frames.
  struct Reading: Equatable {
    /// From the request to the prompt's first sample.
    var heard: Int
    /// From the prompt's first sample until the music stands at its lowest; below 0 before it.
    var lowered: Int
    /// Frames from the music's full level to its lowest.
    var fall: Int
    /// From the prompt's last sample until the music is as before.
    var back: Int
    /// Amplitude of the music meanwhile, in percent of its full one.
    var remainingPercent: Double
  }

  /// Reads a recording; nil where not all of it is in it.
  static func read(_ step: RoleStep) -> Reading? {
    guard let first = step.prompt.gains.firstIndex(where: { $0 != 0 }),
      let last = step.prompt.gains.lastIndex(where: { $0 != 0 })
    else { return nil }
    let middle = (first + last) / 2
    guard let down = step.music[..<middle].change, let up = step.music[middle...].change,
      abs(up.toGainLinear - down.fromGainLinear) < 1e-3
    else { return nil }
    return Reading(
      heard: first - step.requestIndex,
      lowered: down.end - first,
      fall: down.frames,
      back: middle + up.end - (last + 1),
      remainingPercent: Double(down.toGainLinear / down.fromGainLinear) * 100,
    )
  }
}
