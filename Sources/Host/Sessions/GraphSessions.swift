// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import ServerControl
internal import Sessions

/// The sessions and the tower's settings that a graph file asks for. [any-thread]
extension GraphFile {
  /// The tower's configuration.
  var towerConfiguration: TowerConfiguration {
    var configuration = TowerConfiguration()
    configuration.fadeMilliseconds = tower.fadeDuration.seconds * 1000
    configuration.silentAfterNanoseconds = UInt64(tower.silentAfterDuration.seconds * 1e9)
    configuration.duckGainDB = tower.duck.gainDB
    configuration.duckMilliseconds = tower.duck.rampDuration.seconds * 1000
    configuration.restoreMilliseconds = tower.duck.restoreDuration.seconds * 1000
    configuration.appliesPreferencesAtOnce = tower.appliesPreferencesAtOnce
    configuration.priorityClasses = tower.classes
    configuration.defaultPermission = permissions?.standard.recordPermission ?? .undetermined
    configuration.permissions = permissions?.programs.mapValues(\.recordPermission) ?? [:]
    // The graph itself asks for these, so they need no further permission.
    configuration.permissions[name] = .granted
    for source in sources {
      if let session = source.session {
        configuration.priorityClasses[source.name] = session.priorityClass
        configuration.permissions[source.name] = .granted
      }
    }
    return configuration
  }

  /// The sources without a session of their own.
  var sharedSources: [String] { sources.filter { $0.session == nil }.map(\.name) }

  /// The requests of the host's own session that differ from those of another version.
  ///
  /// - Throws: `SessionError` for a combination that only the tower rejects.
  func hostRequests(
    after before: GraphFile,
    sampleRateHz: Int,
  ) throws(SessionError) -> [SessionRequest] {
    var requests: [SessionRequest] = []
    let now = try hostSession(serverPreference, sampleRateHz: sampleRateHz)
    let then = try before.hostSession(before.serverPreference, sampleRateHz: sampleRateHz)
    if now.configuration != then.configuration {
      requests.append(
        .configure(
          category: now.configuration.category,
          mode: now.configuration.mode,
          policy: now.configuration.policy,
          options: now.configuration.options,
        )
      )
    }
    if now.preferences?.sampleRateHz != then.preferences?.sampleRateHz {
      requests.append(.prefer(change: .sampleRate(hz: now.preferences?.sampleRateHz ?? 0)))
    }
    if now.preferences?.ioBufferSeconds != then.preferences?.ioBufferSeconds {
      requests.append(.prefer(change: .ioBuffer(seconds: now.preferences?.ioBufferSeconds ?? 0)))
    }
    return requests
  }

  /// The host's own session: the music that other sessions interrupt or duck.
  ///
  /// - Throws: `SessionError` for a combination that only the tower rejects.
  func hostSession(_ preference: ServerPreference, sampleRateHz: Int) throws(SessionError)
    -> SessionDescription
  {
    SessionDescription(
      app: name,
      isAdopted: true,
      configuration: try SessionConfiguration(
        category: session.category,
        mode: session.mode,
        options: session.options.union,
        compatibility: .graphFiles,
      ),
      preferences: try HardwarePreferences(
        sampleRateHz: preference.sampleRateHz.map(Double.init),
        ioBufferSeconds: preference.ioBuffer?.durationSeconds(atSampleRateHz: sampleRateHz)
      ),
      // After any interruption the music resumes, because the host has no user who could press play. The preferences
      // of another version of the graph count at once: this session is active for as long as the host runs.
      traits: SessionTraits(
        appliesPreferencesAtOnce: true,
        isAlwaysInForeground: true,
        reactions: Reactions(interruptionEnd: .resume, unplug: .ignore),
      ),
      origin: .host,
    )
  }
}

extension GraphFile.AppSession {
  /// The description that a session of this kind starts with. [any-thread]
  ///
  /// - Throws: `SessionError` for a combination that only the tower rejects.
  func description(app: String, isAdopted: Bool) throws(SessionError) -> SessionDescription {
    var description = SessionDescription(
      app: app,
      priorityClass: priorityClass,
      isAdopted: isAdopted,
    )
    if let preset = preset {
      description.configuration =
        try category.map { category throws(SessionError) in
          try preset.configuration(category: category)
        } ?? preset.configuration
      preset.describe(&description.traits)
    } else {
      description.configuration = try SessionConfiguration(
        category: category ?? .soloAmbient,
        mode: mode,
        options: options.union,
        compatibility: .graphFiles,
      )
      description.traits.reactions = Reactions(interruptionEnd: .resume, unplug: .ignore)
    }
    description.traits.music = music
    return description
  }

  /// The description of the session of a source of the graph. [any-thread]
  ///
  /// - Throws: `SessionError` for a combination that only the tower rejects.
  func description(ofSource name: String) throws(SessionError) -> SessionDescription {
    var description = try description(app: name, isAdopted: true)
    description.traits.isAlwaysInForeground = true
    description.origin = .source(name: name)
    return description
  }
}

extension Compatibility {
  /// The compatibility under which options that a category always has are allowed in a graph file.
  fileprivate static let graphFiles = Compatibility(majorVersion: 27, implicitOptions: .ignored)
}

extension [CategoryOptions] {
  /// All options in one set.
  fileprivate var union: CategoryOptions { reduce(into: []) { $0.formUnion($1) } }
}

extension GraphFile.Permission {
  /// The tower's value for the permission.
  var recordPermission: RecordPermission {
    switch self {
    case .undetermined: .undetermined
    case .granted: .granted
    case .denied: .denied
    }
  }
}
