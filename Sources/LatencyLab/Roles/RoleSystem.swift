// SPDX-License-Identifier: MIT

/// What programs may be that disturb music.
enum Role: String, CaseIterable {
  /// A voice prompt, for which music is lowered.
  case announce
  /// A call, for which music stops.
  case phone
}

/// A system that treats music by the roles of those who sound beside it.
///
/// Music of a constant level is on the first channel, whoever disturbs it on the second: how long both
/// are heard together is in the recording itself, whatever the clocks.
protocol RoleSystem: AnyObject {
  /// Its name, for the report.
  var name: String { get }

  /// Starts a program that plays a sound file in a role.
  ///
  /// - Parameters:
  ///   - file: Its path.
  ///   - role: The role.
  /// - Returns: The process.
  /// - Throws: ``LabError`` `tool`.
  func play(_ file: String, as role: Role) throws(LabError) -> PeerProcess

  /// Makes a request while recording.
  ///
  /// - Parameters:
  ///   - frames: How long to record.
  ///   - request: What to do.
  /// - Returns: What was heard.
  /// - Throws: ``LabError``.
  func step(
    frames: Int,
    _ request: () async throws(LabError) -> Void,
  ) async throws(LabError) -> RoleStep

  /// Ends everything that it has started.
  func close() async
}

/// What was heard around a request.
struct RoleStep: Sendable {
  /// The gain of the music.
  var music: LevelTrace
  /// The gain of who disturbs it.
  var prompt: LevelTrace
  /// Where in the recording the request was made.
  var requestIndex: Int
}
