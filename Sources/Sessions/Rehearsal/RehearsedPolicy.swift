// SPDX-License-Identifier: MIT

/// A policy that is rehearsed: a graph's settings of the tower, and the sessions that it gives.
///
/// Pure value: [any-thread].
public struct RehearsedPolicy: Sendable {
  /// The settings of the tower.
  public let configuration: TowerConfiguration

  private let describe: @Sendable (SessionDescription) -> SessionDescription?

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the tower.
  ///   - describe: The session that the policy gives instead of a recorded one; nil for a client that it leaves alone.
  ///     Called only for sessions with an origin.
  public init(
    configuration: TowerConfiguration,
    describe: @escaping @Sendable (SessionDescription) -> SessionDescription?,
  ) {
    self.configuration = configuration
    self.describe = describe
  }

  /// The session that the policy gives instead of a recorded one.
  ///
  /// - Parameter recorded: The recorded session.
  /// - Returns: Its description; the recorded one for an app's session, nil for a client that is left alone.
  func description(of recorded: SessionDescription) -> SessionDescription? {
    recorded.origin == nil ? recorded : describe(recorded)
  }

  /// The policy's permission of a program without an answer of a user.
  ///
  /// - Parameters:
  ///   - names: The names by which a graph may mean it.
  ///   - configuration: The settings that say so.
  /// - Returns: The permission of the first name that has one, else the default.
  static func permission(
    of names: [String],
    by configuration: TowerConfiguration,
  ) -> RecordPermission {
    names.lazy.compactMap { configuration.permissions[$0] }.first
      ?? configuration.defaultPermission
  }
}

extension SessionDescription {
  /// The names by which a graph's permissions may mean its program: its file's, its client's.
  var programNames: [String] {
    guard case .client(let client, let executable) = origin else { return [app] }
    let file = executable?.split(separator: "/").last.map(String.init)
    return [executable, file, client, app].compactMap { $0 }
  }
}

extension SessionTraits {
  /// These traits with each change that was recorded between two others.
  ///
  /// - Parameters:
  ///   - old: The recorded traits before.
  ///   - new: The recorded traits after.
  /// - Returns: The changed traits.
  func taking(from old: SessionTraits, to new: SessionTraits) -> SessionTraits {
    var result = self
    func take<Value: Equatable>(_ path: WritableKeyPath<SessionTraits, Value>) {
      if old[keyPath: path] != new[keyPath: path] { result[keyPath: path] = new[keyPath: path] }
    }
    take(\.hasBackgroundAudio)
    take(\.suspendsInBackground)
    take(\.isInterAppConnected)
    take(\.takesRemoteCommands)
    take(\.registersWhilePlaying)
    take(\.isActiveWhileSounding)
    take(\.prefersInterruptionOnRouteDisconnect)
    take(\.prefersNoInterruptionsFromSystemAlerts)
    take(\.appliesPreferencesAtOnce)
    take(\.isAlwaysInForeground)
    take(\.music)
    take(\.playsSystemSounds)
    take(\.reactions)
    take(\.pinnedOutputs)
    take(\.preferredOutputs)
    return result
  }
}
