// SPDX-License-Identifier: MIT

public import GraphFiles

/// What a host is to be: a graph, and what the command line decides beside it.
public struct HostConfiguration: Sendable {
  /// The graph; values that flags override are changed in it.
  public var graph: GraphFile
  /// Whether the host connects its ports as the graph asks.
  public var connectsPorts = true
  /// Where the control socket goes; nil for the user's run-time directory.
  public var socketDirectory: String?
  /// Where the state is kept; nil for a directory of the host's name in the user's state directory.
  public var stateDirectory: String?
  /// Whether what users changed in earlier runs is forgotten; their answers to questions are not.
  public var startsFresh = false
  /// A file to which every event of the control tower is appended.
  public var eventLogPath: String?
  /// This program as a file, which is run as the guard; nil for none.
  public var guardProgram: String?
  /// How often meters are read and given out, in nanoseconds; nil for only when a client asks.
  public var metersIntervalNanoseconds: UInt64?

  /// Makes a configuration.
  public init(graph: GraphFile) { self.graph = graph }

  /// The directory of the state; nil where there is none.
  var stateDirectoryPath: String? { stateDirectory ?? StateDirectory.path(hostName: graph.name) }

  /// What the graph's session asks of the hardware.
  var preference: HardwarePreference {
    let preferred = graph.session.preferred
    let ioBuffer: HardwarePreference.IOBuffer? = preferred.ioBuffer.map {
      switch $0 {
      case .frames(let frames): .frames(frames)
      case .duration(let duration): .durationSeconds(duration.seconds)
      }
    }
    return HardwarePreference(
      sampleRateHz: preferred.sampleRateHz,
      ioBuffer: ioBuffer,
      inputChannels: preferred.inputChannels,
      outputChannels: preferred.outputChannels,
      isEnforced: graph.session.enforcesPreferredValues,
    )
  }
}
