// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Sessions

/// The sessions and the tower's settings that a graph file asks for.
extension GraphFile {
  /// What the tower is set to.
  var towerConfiguration: TowerConfiguration {
    var configuration = TowerConfiguration()
    configuration.fadeMilliseconds = tower.fadeDuration.seconds * 1000
    configuration.silentAfterNanoseconds = UInt64(tower.silentAfterDuration.seconds * 1e9)
    configuration.duckGainDB = tower.duck.gainDB
    configuration.duckMilliseconds = tower.duck.rampDuration.seconds * 1000
    configuration.restoreMilliseconds = tower.duck.restoreDuration.seconds * 1000
    configuration.priorityClasses = tower.classes
    configuration.defaultPermission = permissions?.standard.recordPermission ?? .undetermined
    configuration.permissions = permissions?.programs.mapValues(\.recordPermission) ?? [:]
    // What the graph itself asks for needs no further permission.
    configuration.permissions[name] = .granted
    for source in sources {
      if let session = source.session {
        configuration.priorityClasses[source.name] = session.priorityClass
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
        category: session.category,
        mode: session.mode,
        options: session.options.union,
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
      priorityClass: priorityClass,
      isAdopted: isAdopted,
    )
    if let preset = preset {
      description.configuration =
        try category.map { category throws(SessionError) in
          try preset.configuration(category: category)
        } ?? preset.configuration
      description.traits.reactions = preset.reactions
      description.traits.takesRemoteCommands = preset.takesRemoteCommands
    } else {
      description.configuration = try SessionConfiguration(
        category: category ?? .soloAmbient,
        mode: mode,
        options: options.union,
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

extension [CategoryOptions] {
  /// All of them in one set.
  fileprivate var union: CategoryOptions { reduce(into: []) { $0.formUnion($1) } }
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
