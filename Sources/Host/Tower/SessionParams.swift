// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Sessions

extension OpenSession.Params {
  /// What the session starts with.
  ///
  /// - Throws: `SessionError` for names and combinations that are not allowed.
  func description() throws(SessionError) -> SessionDescription {
    var description = SessionDescription(
      app: app,
      priorityClass: priorityClass.flatMap(PriorityClass.init(rawValue:)) ?? .app,
      preferences: try HardwarePreferences(
        sampleRateHz: preferredSampleRateHz,
        ioBufferSeconds: preferredIOBufferSeconds,
      ),
    )
    if let preset = preset.flatMap(Preset.init(rawValue:)) {
      guard mode == nil, options == nil else {
        throw .names("mode and options", "given", "nothing, with a preset")
      }
      description.configuration =
        try category.map { name throws(SessionError) in
          try preset.configuration(category: Category(checking: name))
        } ?? preset.configuration
      description.traits.reactions = preset.reactions
      description.traits.takesRemoteCommands = preset.takesRemoteCommands
    } else {
      description.configuration = try SessionConfiguration(
        category: category.map { name throws(SessionError) in try Category(checking: name) }
          ?? .soloAmbient,
        mode: mode.map { name throws(SessionError) in try Mode(checking: name) } ?? .default,
        options: CategoryOptions(checking: options ?? []),
      )
    }
    description.traits.hasBackgroundAudio = background ?? "audio" == "audio"
    description.traits.suspendsInBackground = background == "suspend"
    if let compatibility {
      guard let version = Compatibility(name: compatibility) else {
        throw .names("compatibility", compatibility, "latest, or ios7 to ios27")
      }
      description.compatibility = version
    }
    return description
  }
}

extension SessionPorts {
  /// The ports that feed a strip, as they come over the wire; nil without any.
  ///
  /// - Throws: `badValue` for a pattern that cannot be used.
  init?(checking ports: [String], channels: Int?) throws(ControlError) {
    guard !ports.isEmpty else { return nil }
    do throws(PortPattern.Fault) {
      try self.init(ports, channels: channels ?? 2)
    } catch {
      throw ControlError(
        .badValue,
        place: "ports",
        fault: error.description,
        allowed: "full port names, globs with * and ?, or expressions between slashes",
      )
    }
  }
}

extension ConfigureSession.Params {
  /// What is asked of the tower, one after the other.
  ///
  /// - Parameter current: The session's configuration now.
  /// - Returns: The requests, in order.
  /// - Throws: `SessionError` for names that are not known.
  func requests(of current: SessionConfiguration?) throws(SessionError) -> [SessionRequest] {
    var requests: [SessionRequest] = []
    let category = try category.map { name throws(SessionError) in try Category(checking: name) }
    let mode = try mode.map { name throws(SessionError) in try Mode(checking: name) }
    if category != nil || options != nil {
      let category = category ?? current?.category ?? .soloAmbient
      let options = try CategoryOptions(checking: options ?? [])
      if let mode {
        requests.append(
          .configure(category: category, mode: mode, policy: sharingPolicy, options: options)
        )
      } else {
        requests.append(.setCategory(category: category, options: options))
      }
    } else if let mode {
      requests.append(.setMode(mode: mode))
    }
    if let preferredSampleRateHz {
      requests.append(.prefer(change: .sampleRate(hz: preferredSampleRateHz)))
    }
    if let preferredIOBufferSeconds {
      requests.append(.prefer(change: .ioBuffer(seconds: preferredIOBufferSeconds)))
    }
    if let preferredInputChannels {
      requests.append(.prefer(change: .inputChannels(count: preferredInputChannels)))
    }
    if let preferredOutputChannels {
      requests.append(.prefer(change: .outputChannels(count: preferredOutputChannels)))
    }
    if let inputGain { requests.append(.prefer(change: .inputGain(linear: Float(inputGain)))) }
    return requests
  }

  private var sharingPolicy: RouteSharingPolicy {
    RouteSharingPolicy.allCases.first { "\($0)" == policy } ?? .default
  }
}

extension SessionError {
  /// A name that is not known, or not allowed there.
  fileprivate static func names(
    _ place: String,
    _ given: String,
    _ allowed: String,
  ) -> SessionError {
    SessionError(.badParam, .value(name: place, given: given, allowed: allowed), .ses2)
  }
}

extension Category {
  fileprivate init(checking name: String) throws(SessionError) {
    guard let category = Category(name: name) else {
      throw .names("category", name, Self.allCases.map(\.name).joined(separator: ", "))
    }
    self = category
  }
}

extension Mode {
  fileprivate init(checking name: String) throws(SessionError) {
    guard let mode = Mode(name: name) else {
      throw .names("mode", name, Self.allCases.map(\.name).joined(separator: ", "))
    }
    self = mode
  }
}

extension CategoryOptions {
  fileprivate init(checking names: [String]) throws(SessionError) {
    self = []
    for name in names {
      guard let option = CategoryOptions(name: name) else {
        throw .names("options", name, Self.named.map(\.name).joined(separator: ", "))
      }
      formUnion(option)
    }
  }
}

extension ControlError {
  /// A refusal of the tower, with its rule and the SDK's error code.
  init(_ error: SessionError) {
    let allowed = error.allowed.joined(separator: ", ")
    self.init(
      error.code == .badParam ? .badValue : .refused,
      message: "\(error.rule.rawValue): \(error.message)",
    )
    data = Detail(place: "session", fault: error.message, allowed: allowed)
    data?.rule = error.rule.rawValue
    data?.sessionErrorCode = error.code.rawValue
  }
}
