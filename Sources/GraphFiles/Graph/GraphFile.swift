// SPDX-License-Identifier: MIT

/// The contents of a graph file: a host's sources, routes, mix and server.
///
/// ``load(path:files:)`` and ``parse(_:path:files:)`` read it from YAML. They give a complete graph, checked by every rule of
/// `docs/graph-files.md`, or all the faults of the file. Lists keep the order of the file.
///
/// Pure value: [any-thread].
public struct GraphFile: Sendable, Equatable {
  /// The newest known version of the format, the value of the key `multiroute`.
  public static let formatVersion = 1
  /// The path this graph was read from; relative media paths start in its folder.
  public internal(set) var path: String
  /// The policy files that it includes, those that count more first.
  public internal(set) var policyPaths: [String] = []
  /// The name of the host and its control socket, and of its JACK client unless a session manager names that.
  public var name = "multiroute" {
    didSet { nameHelpers() }
  }
  /// The name that a session manager has given the JACK client; nil outside of sessions.
  public var managedName: String? {
    didSet { nameHelpers() }
  }
  /// The host's own session and its preferences for the hardware.
  public var session = Session()
  /// The JACK server to use, and the settings to start one.
  public var server = Server()
  /// The ramp of gain and mute changes without a ramp of their own.
  public var rampDuration = Duration.milliseconds(5)
  /// Whether output routes without an `align` of their own are aligned automatically.
  public var alignsRoutes = false
  /// Whether patches by users are restored when the host starts again.
  public var keepsPatches = false
  /// The settings of the control tower.
  public var tower = Tower()
  /// The programs that may record; nil lets JACK clients record that never ask for permission.
  public var permissions: Permissions?
  /// The rules for adopted clients; the first that matches counts.
  public var adoptions: [Adoption] = []
  /// Named groups of hardware-side ports.
  public var routes: [Route] = []
  /// The sources, in the order of the file.
  public var sources: [Source] = []
  /// The sends; no two have the same source and route.
  public var sends: [Send] = []
  /// The recorders.
  public var recorders: [Recorder] = []
  /// The crossfader, if the graph has one.
  public var crossfader: Crossfader?
  /// The cue (pre-fader listen) bus, if the graph has one.
  public var cue: Cue?
  /// The MIDI controllers, in the order of the file.
  public var controllers: [Controller] = []
  /// Whether the graph has `controls.midi`, even an empty one: then the host hears controllers that it does not name, too.
  public var hearsControllers = false
  /// The control surfaces that the host serves.
  public var surfaces = Surfaces()
}

extension GraphFile {
  /// The files that this graph was read from: the graph file first, then the policy files and mapping files.
  public var files: [String] { [path] + policyPaths + controllers.compactMap(\.mappingPath) }

  /// The route of this name.
  public func route(named name: String) -> Route? {
    routes.first { $0.name == name }
  }

  /// The source of this name.
  public func source(named name: String) -> Source? {
    sources.first { $0.name == name }
  }
}
