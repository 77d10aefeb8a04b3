// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import GraphFiles

/// The sources of a graph with their numbers of channels, and the players and tones among them.
///
/// The bank outlives losses of the server, so players keep their positions. Belongs to the control thread.
final class SourceBank: Sendable {
  /// The channels of a node that is a source, unless its graph says another number.
  static let nodeChannels = 2

  /// The players and tones in the order of the graph.
  let generated: [(name: String, source: HostSource)]
  /// The number of channels of every source, by name.
  let channels: [String: Int]
  /// The thread that reads ahead for all files, also for those of later versions of the graph.
  private let pool: ReadAheadPool

  /// Opens the files of a graph.
  ///
  /// - Parameters:
  ///   - graph: A graph without errors.
  ///   - positions: The start positions of files that resume, in seconds, by source.
  ///   - sampleRateHz: The rate of the server.
  ///   - last: The bank of the version before; nil at the host's start.
  ///   - isKept: Whether a source is the one of that name in the bank before.
  ///   - onFileEvent: Receives the events of a file, on the read-ahead thread.
  /// - Throws: `badGraph` for a file that cannot be played, or a tone that does not fit the rate.
  init(
    graph: GraphFile,
    positions: [String: Double],
    sampleRateHz: Double,
    last: SourceBank? = nil,
    isKept: (GraphFile.Source) -> Bool = { _ in false },
    onFileEvent: @escaping @Sendable (_ source: String, FilePlayerEvent) -> Void,
  ) throws(HostError) {
    let pool = last?.pool ?? ReadAheadPool()
    self.pool = pool
    var generated: [(name: String, source: HostSource)] = []
    var channels: [String: Int] = [:]
    for source in graph.sources {
      let name = source.name
      if isKept(source), let kept = last?.generated.first(where: { $0.name == name }) {
        generated.append(kept)
        channels[name] = last?.channels[name]
        continue
      }
      do throws(AudioFileError) {
        switch source.kind {
        case .file(let file):
          let player = try FilePlayer(
            path: file.resolvedPath,
            settings: FilePlayer.Settings(
              outputSampleRateHz: sampleRateHz,
              channels: source.channels,
              looping: file.isLooping ? .forever : .off,
              start: .seconds(
                file.isResuming
                  ? positions[name] ?? file.startOffset.seconds
                  : file.startOffset.seconds
              ),
            ),
            pool: pool,
            onEvent: { onFileEvent(name, $0) },
          )
          generated.append((name, .file(player)))
          channels[name] = player.source.channels
        case .tone(let tone):
          let generator = try ToneGenerator(
            settings: ToneGenerator.Settings(
              waveform: Self.waveform(tone.wave),
              frequencyHz: tone.frequencyHz,
              levelDB: tone.levelDB,
            ),
            sampleRateHz: sampleRateHz,
          )
          generated.append((name, .tone(generator)))
          channels[name] = source.channels ?? 1
        case .inputRoute(let route):
          channels[name] = source.channels ?? graph.route(named: route)?.channels ?? 1
        case .systemInput:
          channels[name] = source.channels ?? 1
        case .node:
          channels[name] = source.channels ?? Self.nodeChannels
        case .ports(let selectors):
          channels[name] = selectors.count
        }
      } catch {
        throw HostError(.badGraph, "\(graph.path): source '\(name)': \(error)")
      }
    }
    self.generated = generated
    self.channels = channels
  }

  /// These sources, and those of the bank before that it has no more: they fade out.
  func with(leaving last: SourceBank?) -> SourceBank {
    let gone = (last?.generated ?? []).filter { former in
      !generated.contains { $0.name == former.name }
    }
    return SourceBank(
      generated: generated + gone,
      channels: channels.merging(last?.channels ?? [:]) { now, _ in now },
      pool: pool,
    )
  }

  /// The same sources with other names.
  func renamed(_ names: [String: String]) -> SourceBank {
    SourceBank(
      generated: generated.map { (names[$0.name] ?? $0.name, $0.source) },
      channels: Dictionary(channels.map { (names[$0] ?? $0, $1) }) { first, _ in first },
      pool: pool,
    )
  }

  private init(
    generated: [(name: String, source: HostSource)],
    channels: [String: Int],
    pool: ReadAheadPool,
  ) {
    self.generated = generated
    self.channels = channels
    self.pool = pool
  }

  /// Follows the server to another sample rate.
  ///
  /// - Throws: `badGraph` where a source does not fit the rate.
  func reconfigure(sampleRateHz: Double) throws(HostError) {
    for (name, source) in generated {
      do throws(AudioFileError) {
        try source.reconfigure(sampleRateHz: sampleRateHz)
      } catch {
        throw HostError(.badGraph, "source '\(name)' at \(sampleRateHz) Hz: \(error)")
      }
    }
  }

  private static func waveform(_ wave: GraphFile.Source.Wave) -> ToneGenerator.Waveform {
    switch wave {
    case .sine: .sine
    case .pinkNoise: .pinkNoise
    case .click: .impulses
    }
  }
}
