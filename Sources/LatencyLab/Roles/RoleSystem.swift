// SPDX-License-Identifier: MIT

/// The roles of programs that disturb music.
enum Role: String, CaseIterable {
  /// A voice prompt, for which music is lowered.
  case announce
  /// A call, for which music stops.
  case phone
}

/// A system that ducks or stops music by the roles of other programs.
///
/// Music of a constant level is on the first channel, the disturbing program on the second: the recording
/// itself shows how long both are heard together, on one clock.
///
/// Belongs to the control thread.
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
  ///   - frames: The length of the recording.
  ///   - request: The request.
  /// - Returns: The recording.
  /// - Throws: ``LabError``.
  func step(
    frames: Int,
    _ request: () async throws(LabError) -> Void,
  ) async throws(LabError) -> RoleStep

  /// Ends everything that it has started.
  func close() async
}

/// The recording around a request.
struct RoleStep: Sendable {
  /// The gain of the music.
  var music: LevelTrace
  /// The gain of the disturbing program.
  var prompt: LevelTrace
  /// The index in the recording at which the request was made.
  var requestIndex: Int
}
