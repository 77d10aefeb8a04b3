// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Sessions

/// Scenes: the mix under a name, kept over restarts, and the strips that scenes leave alone.
///
/// Belongs to the control thread.
final class SceneRoom {
  /// The most scenes that are kept.
  static let sceneLimit = 256

  /// The connections of this room to the rest of the host.
  struct Links {
    /// The present values of the parameters that scenes have.
    var values: () -> [ParameterSetting]
    /// Something has changed that parameters show.
    var changed: () -> Void
  }

  /// The scenes and the safe strips, as the file has them.
  struct Kept: Codable, Sendable, Equatable {
    /// One scene.
    struct Scene: Codable, Sendable, Equatable, Repairable {
      /// Its parameters with their values.
      var values: [ParameterSetting]

      /// The scene as it is: its values are checked when it is recalled.
      func repaired(_ note: (String) -> Void) -> Scene? { self }
    }

    /// The version of the format.
    var multirouteScenes = 1
    /// The scenes by name.
    @KeptEntries var scenes: [String: Scene] = [:]
    /// The strips that scenes leave alone.
    var safe: Set<String> = []
  }

  private let control: Control
  private let file: KeptFile?
  private let links: Links
  private var kept = Kept()
  /// The latest change of the file.
  private var writing: Task<Void, Never>?
  /// The names that strips and routes have got while a change was written.
  private var renamedMeanwhile: [PortRenames] = []
  /// The scene that was saved or recalled last; nil before the first.
  private var current: String?

  /// Makes a room without scenes; ``restore()`` reads them.
  ///
  /// - Parameters:
  ///   - file: The file of what it keeps; nil where nothing can be kept.
  ///   - control: The services that all rooms share.
  ///   - links: The connections to the rest of the host.
  init(file: KeptFile?, control: Control, links: Links) {
    self.control = control
    self.links = links
    self.file = file
  }

  /// Reads the scenes of the last host with this graph file; a damaged file is kept under another name.
  func restore() {
    guard let file else { return }
    if let fault = file.takeFormer() { control.publish(.error(), fault) }
    do throws(KeptFile.Fault) {
      guard let read = try file.read(Kept.self) else { return }
      guard read.value.multirouteScenes == 1 else {
        let format = read.value.multirouteScenes
        return control.publish(
          .error(),
          file.setAside("it has format \(format), made by a newer version")
        )
      }
      kept = read.value
      if !read.faults.isEmpty { control.publish(.error(), file.keepAside(read.faults)) }
    } catch {
      control.publish(.error(), file.setAside(error.description))
    }
  }

  // MARK: - Questions

  /// All scenes, by name.
  var list: SceneList {
    SceneList(
      scenes: kept.scenes.map { SceneList.Scene(name: $0.key, parameters: $0.value.values.count) }
        .sorted { $0.name < $1.name },
      current: current,
      safe: kept.safe.sorted(),
    )
  }

  /// Whether scenes leave a strip alone.
  func isSafe(_ strip: String) -> Bool { kept.safe.contains(strip) }

  /// The values of a scene, with its name as it is kept; case does not matter where nothing else differs.
  ///
  /// - Throws: `badValue` with the names that there are.
  func scene(named text: String) throws(ControlError) -> (name: String, values: [ParameterSetting])
  {
    let names = kept.scenes.keys.sorted()
    guard let name = Spelling.name(text, among: names), let scene = kept.scenes[name] else {
      throw ControlError(
        .badValue,
        place: "scene",
        fault: "there is no scene '\(text)'" + Spelling.suggestion(for: text, among: names),
        allowed: names.isEmpty
          ? "none; 'multiroute scene save NAME' makes one" : names.joined(separator: ", "),
      )
    }
    return (name, scene.values)
  }

  // MARK: - Changes

  /// Saves the present mix, and answers once it is on the disk.
  ///
  /// - Throws: `refused` for one scene too many, or where it cannot be written; nothing has changed then.
  func save(_ name: String) async throws(ControlError) -> SceneList {
    guard kept.scenes[name] != nil || kept.scenes.count < Self.sceneLimit else {
      throw ControlError(
        .refused,
        place: "scene",
        fault: "there are \(kept.scenes.count) scenes",
        allowed: "\(Self.sceneLimit); delete one of them",
      )
    }
    let scene = Kept.Scene(values: links.values())
    try await change { $0.scenes[name] = scene }
    hasRecalled(name)
    return list
  }

  /// Deletes a scene.
  ///
  /// - Throws: `badValue` for an unknown one, `refused` where the file cannot be written.
  func delete(_ text: String) async throws(ControlError) -> SceneList {
    let name = try scene(named: text).name
    try await change { $0.scenes[name] = nil }
    if current == name { current = nil }
    links.changed()
    return list
  }

  /// Sets whether scenes leave a strip alone.
  ///
  /// - Throws: `refused` where the file cannot be written.
  func setSafe(_ strip: String, isSafe: Bool) async throws(ControlError) {
    try await change {
      if isSafe { $0.safe.insert(strip) } else { $0.safe.remove(strip) }
    }
  }

  /// Notes that the mix has the values of a scene.
  func hasRecalled(_ name: String) {
    current = name
    links.changed()
  }

  /// Changes what is kept, once it is on the disk; several changes at once follow each other.
  private func change(_ edit: @escaping (inout Kept) -> Void) async throws(ControlError) {
    guard let file else {
      throw ControlError(
        .refused,
        place: "scene",
        fault: "neither XDG_STATE_HOME nor HOME says where scenes can be kept",
        allowed: "a host with one of them set to an absolute path",
      )
    }
    let before = writing
    var fault: String?
    let task = control.task { [self] in
      await before?.value
      renamedMeanwhile = []
      var changed = kept
      edit(&changed)
      guard changed != kept else { return }
      do throws(KeptFile.Fault) {
        try await file.replaceElsewhere(with: changed)
        kept = renamedMeanwhile.reduce(changed) { $0.renamed($1) }
      } catch {
        fault = error.description
      }
    }
    writing = task
    await task.value
    if let fault { throw ControlError(.refused, message: "the scenes cannot be kept: \(fault)") }
  }

  // MARK: - Renaming

  /// Gives strips and routes other names in all scenes, at once here and soon on the disk.
  func rename(_ names: PortRenames) {
    let renamed = kept.renamed(names)
    guard renamed != kept, let file else { return }
    kept = renamed
    renamedMeanwhile.append(names)
    let before = writing
    writing = control.task { [self] in
      await before?.value
      renamedMeanwhile = []
      do throws(KeptFile.Fault) {
        try await file.replaceElsewhere(with: kept)
      } catch {
        control.publish(
          .error(),
          "the scenes have new names until the host ends, but cannot be kept: \(error.description)",
        )
      }
    }
  }
}

extension SceneRoom.Kept {
  /// The same with other names of strips and routes. [any-thread]
  fileprivate func renamed(_ names: PortRenames) -> SceneRoom.Kept {
    var kept = self
    for (name, scene) in scenes {
      let steps = PathRenames(names: names).steps(for: scene.values.map(\.path))
      let values = scene.values.map {
        ParameterSetting(path: steps.path(after: $0.path), value: $0.value)
      }
      kept.scenes[name]?.values = values.sorted { $0.path < $1.path }
    }
    kept.safe = Set(safe.map { names.strips[$0] ?? $0 })
    return kept
  }
}
