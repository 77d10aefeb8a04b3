// SPDX-License-Identifier: MIT

/// What the host knows of an app beside its session's configuration.
public struct SessionTraits: Hashable, Codable, Sendable {
  /// The app may sound and record in the background (rule SYS-1).
  public var hasBackgroundAudio: Bool
  /// The app is suspended in the background; its requests wait for its return (rule SYS-2).
  public var suspendsInBackground: Bool
  /// The app is connected to another by inter-app audio.
  public var isInterAppConnected: Bool
  /// The app takes remote-control commands (rule VOL-2).
  public var takesRemoteCommands: Bool
  /// An interruption begins when the route goes away.
  public var prefersInterruptionOnRouteDisconnect: Bool
  /// A ringing call does not interrupt; an accepted one does.
  public var prefersNoInterruptionsFromSystemAlerts: Bool
  /// What follows interruption ends and unplugs.
  public var reactions: Reactions
  /// The uids of the outputs the graph file gives this app; empty follows the rules of routing.
  public var pinnedOutputs: [String]
  /// Where the app, or its user, has connected it; nil follows the rules of routing.
  public var preferredOutputs: PreferredOutputs?

  /// Makes traits.
  ///
  /// - Parameters:
  ///   - hasBackgroundAudio: The app may sound and record in the background.
  ///   - suspendsInBackground: The app is suspended in the background.
  ///   - isInterAppConnected: The app is connected to another by inter-app audio.
  ///   - takesRemoteCommands: The app takes remote-control commands.
  ///   - prefersInterruptionOnRouteDisconnect: An interruption begins when the route goes away.
  ///   - prefersNoInterruptionsFromSystemAlerts: A ringing call does not interrupt.
  ///   - reactions: What follows interruption ends and unplugs.
  ///   - pinnedOutputs: The uids of the outputs the graph file gives this app.
  ///   - preferredOutputs: Where the app, or its user, has connected it.
  public init(
    hasBackgroundAudio: Bool = true,
    suspendsInBackground: Bool = false,
    isInterAppConnected: Bool = false,
    takesRemoteCommands: Bool = false,
    prefersInterruptionOnRouteDisconnect: Bool = false,
    prefersNoInterruptionsFromSystemAlerts: Bool = false,
    reactions: Reactions = Reactions(),
    pinnedOutputs: [String] = [],
    preferredOutputs: PreferredOutputs? = nil,
  ) {
    self.hasBackgroundAudio = hasBackgroundAudio
    self.suspendsInBackground = suspendsInBackground
    self.isInterAppConnected = isInterAppConnected
    self.takesRemoteCommands = takesRemoteCommands
    self.prefersInterruptionOnRouteDisconnect = prefersInterruptionOnRouteDisconnect
    self.prefersNoInterruptionsFromSystemAlerts = prefersNoInterruptionsFromSystemAlerts
    self.reactions = reactions
    self.pinnedOutputs = pinnedOutputs
    self.preferredOutputs = preferredOutputs
  }
}
