// SPDX-License-Identifier: MIT

internal import Sessions

/// A notice travels flat: `session`, `app`, `notification`, and the facts of that notification.
extension EventPayload.SessionNotice: Codable {
  private enum CodingKeys: String, CodingKey {
    case session, app, notification
    case reason, wasSuspended, shouldResume, heldCommands, leavePaused
    case previous, current, previousRoute, currentRoute
    case begins, interruption, permission, muted, request, error
  }

  private typealias Reader = KeyedDecodingContainer<CodingKeys>

  /// Reads a notice; a notification that this version does not know becomes `Content.unknown`.
  ///
  /// - Throws: A `DecodingError` or `ControlError` that names the fact that does not fit.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    session = try container.decode(String.self, forKey: .session)
    app = try container.decode(String.self, forKey: .app)
    let name = try container.decode(String.self, forKey: .notification)
    content =
      switch Content.Kind(rawValue: name) {
      case .interruptionBegan:
        .interruptionBegan(
          reason: try container.decode(Named.self, forKey: .reason).wrappedValue,
          wasSuspended: try container.decode(Bool.self, forKey: .wasSuspended),
        )
      case .interruptionEnded:
        .interruptionEnded(
          shouldResume: try container.decode(Bool.self, forKey: .shouldResume),
          heldCommands: try container.decode([CommandDetail].self, forKey: .heldCommands)
            .map(\.command),
        )
      case .routeChanged:
        .routeChanged(
          reason: try container.decode(RouteChangeReason.self, forKey: .reason),
          previous: try container.decode(RouteDetail.self, forKey: .previousRoute),
          current: try container.decode(RouteDetail.self, forKey: .currentRoute),
        )
      case .silenceSecondaryAudioHint:
        .silenceSecondaryAudioHint(begins: try container.decode(Bool.self, forKey: .begins))
      case .didBecomeInactive:
        .didBecomeInactive(
          interruption: try container.decode(NamedIfPresent.self, forKey: .interruption)
            .wrappedValue
        )
      case .resumptionRecommendation:
        .resumptionRecommendation(
          shouldResume: try container.decode(Bool.self, forKey: .shouldResume)
        )
      case .recordPermissionChanged:
        .recordPermissionChanged(
          permission: try container.decode(Named.self, forKey: .permission).wrappedValue
        )
      case .inputMuteChanged:
        .inputMuteChanged(isMuted: try container.decode(Bool.self, forKey: .muted))
      case .outputMuteChanged:
        .outputMuteChanged(isMuted: try container.decode(Bool.self, forKey: .muted))
      case .remoteCommand: .remoteCommand(try CommandDetail(from: decoder).command)
      case .requestAnswered:
        .requestAnswered(
          request: try container.decode(UInt64.self, forKey: .request),
          error: try container.decodeIfPresent(ControlError.self, forKey: .error),
        )
      case .availableInputsChanged: .availableInputsChanged
      case .mediaServicesWereLost: .mediaServicesWereLost
      case .mediaServicesWereReset: .mediaServicesWereReset
      case .didBecomeActive: .didBecomeActive
      case nil: .unknown(name: name)
      }
  }

  /// Writes a notice.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(session, forKey: .session)
    try container.encode(app, forKey: .app)
    try container.encode(content.name, forKey: .notification)
    switch content {
    case .interruptionBegan(let reason, let wasSuspended):
      try container.encode(reason.name, forKey: .reason)
      try container.encode(wasSuspended, forKey: .wasSuspended)
    case .interruptionEnded(let shouldResume, let commands):
      try container.encode(shouldResume, forKey: .shouldResume)
      try container.encode(commands.map(CommandDetail.init), forKey: .heldCommands)
      try container.encode(commands.leavePaused, forKey: .leavePaused)
    case .routeChanged(let reason, let previous, let current):
      try container.encode(reason, forKey: .reason)
      try container.encode(previous.uids, forKey: .previous)
      try container.encode(current.uids, forKey: .current)
      try container.encode(previous, forKey: .previousRoute)
      try container.encode(current, forKey: .currentRoute)
    case .silenceSecondaryAudioHint(let begins): try container.encode(begins, forKey: .begins)
    case .didBecomeInactive(let interruption):
      try container.encode(interruption?.name, forKey: .interruption)
    case .resumptionRecommendation(let shouldResume):
      try container.encode(shouldResume, forKey: .shouldResume)
    case .recordPermissionChanged(let permission):
      try container.encode(permission.name, forKey: .permission)
    case .inputMuteChanged(let isMuted), .outputMuteChanged(let isMuted):
      try container.encode(isMuted, forKey: .muted)
    case .remoteCommand(let command): try CommandDetail(command).encode(to: encoder)
    case .requestAnswered(let request, let error):
      try container.encode(request, forKey: .request)
      try container.encodeIfPresent(error, forKey: .error)
    case .availableInputsChanged, .mediaServicesWereLost, .mediaServicesWereReset,
      .didBecomeActive, .unknown:
      break
    }
  }
}

/// A remote command as it travels: `command`, and `seconds` or `rate` where it has one.
///
/// Pure value: [any-thread].
struct CommandDetail: Codable {
  let command: RemoteCommand

  private enum CodingKeys: String, CodingKey { case command, seconds, rate }

  init(_ command: RemoteCommand) { self.command = command }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let kind: RemoteCommand.Kind = try container.decode(Named.self, forKey: .command).wrappedValue
    let factor = try container.decodeIfPresent(Double.self, forKey: .rate)
    let command = RemoteCommand(
      kind,
      seconds: try container.decodeIfPresent(Double.self, forKey: .seconds),
      factor: factor,
    )
    guard let command else {
      let place = DecodingError.Context(
        codingPath: container.codingPath,
        debugDescription: "a command without its value",
      )
      throw DecodingError.keyNotFound(CodingKeys.rate, place)
    }
    self.command = command
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(command.kind.name, forKey: .command)
    try container.encodeIfPresent(command.seconds, forKey: .seconds)
    try container.encodeIfPresent(command.factor, forKey: .rate)
  }
}

extension RouteDetail {
  /// The ids of its ports, the inputs first.
  fileprivate var uids: [String] { (inputs + outputs).map(\.uid) }
}
