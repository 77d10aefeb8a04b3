// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Sessions

/// The sessions and the tower's settings that a graph file asks for.
extension GraphFile {
  /// What the tower is set to.
  var towerConfiguration: TowerConfiguration {
    var configuration = TowerConfiguration()
    configuration.fadeMilliseconds = tower.fadeDuration.seconds * 1000
    configuration.duckGainDB = tower.duck.gainDB
    configuration.duckMilliseconds = tower.duck.rampDuration.seconds * 1000
    configuration.restoreMilliseconds = tower.duck.restoreDuration.seconds * 1000
    configuration.priorityClasses = tower.classes.mapValues(\.sessionClass)
    configuration.defaultPermission = permissions?.standard.recordPermission ?? .undetermined
    configuration.permissions = permissions?.programs.mapValues(\.recordPermission) ?? [:]
    // What the graph itself asks for needs no further permission.
    configuration.permissions[name] = .granted
    for source in sources {
      if let session = source.session {
        configuration.priorityClasses[source.name] = session.priorityClass.sessionClass
        configuration.permissions[source.name] = .granted
      }
    }
    return configuration
  }

  /// The host's own session: the music that others interrupt or lower.
  ///
  /// - Throws: `SessionError` for a combination that only the tower knows to be wrong.
  func hostSession(_ preference: HardwarePreference, sampleRateHz: Int) throws(SessionError)
    -> SessionDescription
  {
    SessionDescription(
      app: name,
      isAdopted: true,
      configuration: try SessionConfiguration(
        category: session.category.sessionCategory,
        mode: session.mode.sessionMode,
        options: session.options.sessionOptions,
        compatibility: .graphFiles,
      ),
      preferences: try HardwarePreferences(
        sampleRateHz: preference.sampleRateHz.map(Double.init),
        ioBufferSeconds: preference.ioBuffer?.durationSeconds(atSampleRateHz: sampleRateHz)
      ),
      // Whatever ends, the music goes on: nobody is there who could press play.
      traits: SessionTraits(reactions: Reactions(interruptionEnd: .resume, unplug: .ignore)),
    )
  }
}

extension GraphFile.AppSession {
  /// What a session of this kind starts with.
  ///
  /// - Throws: `SessionError` for a combination that only the tower knows to be wrong.
  func description(app: String, isAdopted: Bool) throws(SessionError) -> SessionDescription {
    var description = SessionDescription(
      app: app,
      priorityClass: priorityClass.sessionClass,
      isAdopted: isAdopted,
    )
    if let preset = preset.flatMap({ Sessions.Preset(rawValue: $0.rawValue) }) {
      description.configuration =
        try category.map { category throws(SessionError) in
          try preset.configuration(category: category.sessionCategory)
        } ?? preset.configuration
      description.traits.reactions = preset.reactions
      description.traits.takesRemoteCommands = preset.takesRemoteCommands
    } else {
      description.configuration = try SessionConfiguration(
        category: category?.sessionCategory ?? .soloAmbient,
        mode: mode.sessionMode,
        options: options.sessionOptions,
        compatibility: .graphFiles,
      )
      description.traits.reactions = Reactions(interruptionEnd: .resume, unplug: .ignore)
    }
    return description
  }
}

extension Compatibility {
  /// Options that a category always has are no error in a graph file.
  fileprivate static let graphFiles = Compatibility(majorVersion: 27, implicitOptions: .ignored)
}

// The two lists of names are the same (`TowerNamesTests` compares them), so no name gets lost here.

extension GraphFile.Session.Category {
  /// The category as the tower knows it.
  var sessionCategory: Sessions.Category { Sessions.Category(name: rawValue) ?? .soloAmbient }
}

extension GraphFile.Session.Mode {
  /// The mode as the tower knows it.
  var sessionMode: Sessions.Mode { Sessions.Mode(name: rawValue) ?? .default }
}

extension [GraphFile.Session.Option] {
  /// The options as the tower knows them.
  var sessionOptions: CategoryOptions {
    reduce(into: []) { $0.formUnion(CategoryOptions(name: $1.rawValue) ?? []) }
  }
}

extension GraphFile.Permission {
  /// The permission as the tower knows it.
  var recordPermission: RecordPermission {
    switch self {
    case .undetermined: .undetermined
    case .granted: .granted
    case .denied: .denied
    }
  }
}

extension GraphFile.AppSession.PriorityClass {
  /// The class as the tower knows it.
  var sessionClass: Sessions.PriorityClass { Sessions.PriorityClass(rawValue: rawValue) ?? .app }
}
