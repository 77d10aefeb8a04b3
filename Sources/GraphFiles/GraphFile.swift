// SPDX-License-Identifier: MIT

/// A graph file: what a host plays, to which routes, through which server.
///
/// A value read from YAML by ``load(path:files:)`` or ``parse(_:path:files:)``. Both either give a
/// complete graph, checked by every rule of `docs/graph-files.md`, or all the faults of the file.
/// Lists keep the order of the file.
public struct GraphFile: Sendable, Equatable {
  /// The newest format version understood, the value of the key `multiroute`.
  public static let formatVersion = 1
  /// The path this graph was read from; relative media paths start in its folder.
  public internal(set) var path: String
  /// The JACK client name.
  public var name = "multiroute" {
    didSet { nameHelpers() }
  }
  /// What the host asks of the hardware.
  public var session = Session()
  /// Which JACK server to use, and how to start one.
  public var server = Server()
  /// The ramp of gain and mute changes that name none.
  public var rampDuration = Duration.milliseconds(5)
  /// Whether output routes that say nothing else are aligned by themselves.
  public var alignsRoutes = false
  /// Whether what users patch by hand is put back when the host is started again.
  public var keepsPatches = false
  /// How sessions are treated.
  public var tower = Tower()
  /// What programs may record; nil lets JACK clients record that never ask.
  public var permissions: Permissions?
  /// Which JACK clients are given sessions; the first that matches counts.
  public var adoptions: [Adoption] = []
  /// Named groups of hardware-side ports.
  public var routes: [Route] = []
  /// What can be heard.
  public var sources: [Source] = []
  /// Which source goes to which route; no two with the same source and route.
  public var sends: [Send] = []
  /// What is recorded.
  public var recorders: [Recorder] = []
  /// The crossfader, if the graph has one.
  public var crossfader: Crossfader?
  /// The cue (pre-fader listen) bus, if the graph has one.
  public var cue: Cue?
}

extension GraphFile {
  /// The route of this name.
  public func route(named name: String) -> Route? {
    routes.first { $0.name == name }
  }

  /// The source of this name.
  public func source(named name: String) -> Source? {
    sources.first { $0.name == name }
  }
}
