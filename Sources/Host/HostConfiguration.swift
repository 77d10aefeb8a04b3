// SPDX-License-Identifier: MIT

public import GraphFiles
public import InterAppAudio
internal import ServerControl
internal import SystemSupport

/// The settings of a host: a graph, and the options of the command line.
///
/// Pure value: [any-thread].
public struct HostConfiguration: Sendable {
  /// The graph; values that flags override are changed in it.
  public var graph: GraphFile
  /// The text of the graph's file, of which `status` shows the digest; nil for a graph that was not read from one.
  public var graphText: String?
  /// Gives another version of the graph the values that flags and a session manager override.
  public var overrideGraph: @Sendable (inout GraphFile) -> Void = { _ in }
  /// Whether the host connects its ports as the graph asks.
  public var connectsPorts = true
  /// The directory of the control socket; nil for the user's run-time directory.
  public var socketDirectory: String?
  /// The directory of the kept state; nil for a directory of the host's name in the user's state directory.
  public var stateDirectory: String?
  /// Whether users' changes in earlier runs are forgotten; their answers to questions are kept.
  public var startsFresh = false
  /// A file to which every event of the control tower is appended.
  public var eventLogPath: String?
  /// The path of this program, which is run as the guard; nil for no guard.
  public var guardProgram: String?
  /// The installed nodes.
  public var nodeFolders = NodeFolders()
  /// The interval of meters in `outputs`, in nanoseconds; nil for meters to subscribers only.
  public var metersIntervalNanoseconds: UInt64?

  /// The MIDI controllers to look for; nil for those of the graph in force.
  var controllers: [ControllerDevice]?

  /// The device of the host's own server, whose captures a bridge opens; nil for none (PRM-4).
  var bridgedDevice: String?

  /// Another version of the graph, as this host takes it. [any-thread]
  func prepared(_ graph: GraphFile) -> GraphFile {
    var graph = graph
    overrideGraph(&graph)
    if let bridgedDevice { _ = graph.bridgeCaptures(ofDevice: bridgedDevice) }
    return graph
  }

  /// Makes a configuration.
  public init(graph: GraphFile) {
    self.graph = graph
  }

  /// The path of a graph file to which state belongs; nil where the directory was given, and for a graph without a file.
  func stateGraphPath(of graph: GraphFile) -> String? {
    guard stateDirectory == nil else { return nil }
    let path = Machine.this.resolved(graph.path)
    return path.hasPrefix("/") ? path : nil
  }
  /// The place of the state.
  var statePlace: StatePlace {
    StatePlace(
      directory: stateDirectoryPath,
      startsFresh: startsFresh,
      graphPath: stateGraphPath,
    )
  }
  /// A file of the first graph's; nil where nothing can be kept.
  func keptFile(named base: String) -> KeptFile? {
    stateDirectoryPath.map { KeptFile(named: base, ofGraph: stateGraphPath(of: graph), in: $0) }
  }
  /// The directory of the state; nil without one.
  var stateDirectoryPath: String? { stateDirectory ?? StateDirectory.path(hostName: graph.name) }
}

extension GraphFile {
  /// The hardware preferences of the graph's session. [any-thread]
  var serverPreference: ServerPreference {
    let preferred = session.preferred
    let ioBuffer: ServerPreference.IOBuffer? = preferred.ioBuffer.map {
      switch $0 {
      case .frames(let frames): .frames(frames)
      case .duration(let duration): .durationSeconds(duration.seconds)
      }
    }
    return ServerPreference(
      sampleRateHz: preferred.sampleRateHz,
      ioBuffer: ioBuffer,
      inputChannels: preferred.inputChannels,
      outputChannels: preferred.outputChannels,
      enforcement: session.enforcement,
    )
  }
}
