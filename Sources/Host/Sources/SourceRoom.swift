// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import GraphFiles

/// The sources of the graph: players and tones, opened at the first attachment and kept from then on, and the ports of other
/// programs.
///
/// Belongs to the control thread.
final class SourceRoom {
  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let bypass: SourceBypass
  private var bank: SourceBank?
  /// The names under which players report that have been renamed since.
  private var renamed: [String: String] = [:]

  /// Makes a room whose files are not open yet.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - graph: The graph.
  init(control: Control, graph: GraphRoom) {
    self.control = control
    inForce = graph
    bypass = SourceBypass(control: control, graph: graph)
  }

  // MARK: - Other programs' ports

  /// The server is there: looks for programs that feed a source and the hardware.
  func begin() { bypass.begin() }
  /// Two ports were connected.
  func connected(_ port: String, to other: String) { bypass.connected(port, to: other) }
  /// Two ports were disconnected.
  func disconnected(_ port: String, from other: String) { bypass.disconnected(port, from: other) }
  /// The sound of these sources that reaches the hardware past their strips.
  func directSounds(ofStrips strips: [String]) -> [DirectSound] {
    bypass.directSounds(ofStrips: strips)
  }
  /// The sources that a client's ports feed.
  func names(ofClient client: String) -> [String] { bypass.names(ofClient: client) }

  // MARK: - Players and tones

  /// Opens the players and tones, or lets them follow the server to another sample rate.
  ///
  /// - Parameters:
  ///   - sampleRateHz: The rate of the server.
  ///   - positions: The start positions of files that resume, in seconds, by source.
  /// - Returns: The sources, for the clients that play them.
  /// - Throws: `badGraph` for a file that cannot be played, or a source that does not fit the rate.
  func open(
    sampleRateHz: Double,
    positions: [String: Double],
  ) throws(HostError) -> SourceBank {
    if let bank {
      try bank.reconfigure(sampleRateHz: sampleRateHz)
      return bank
    }
    let room = control.handle(to: self)
    let opened = try SourceBank(
      graph: graph,
      positions: positions,
      sampleRateHz: sampleRateHz,
    ) { source, event in room { $0.publish(event, of: source) } }
    bank = opened
    return opened
  }

  /// The sources of another version of the graph; those that it has, too, play on.
  ///
  /// - Parameters:
  ///   - next: The version.
  ///   - before: The version in force, with the new names of its sources.
  ///   - names: The new names of sources, by those of the bank.
  ///   - positions: The start positions of files that resume, in seconds, by source.
  ///   - sampleRateHz: The rate of the server.
  /// - Returns: The sources, for ``take(_:)``; nothing is heard of them yet.
  /// - Throws: `badGraph` for a file that cannot be played, or a source that does not fit the rate.
  func prepare(
    _ next: GraphFile,
    after before: GraphFile,
    renaming names: [String: String],
    positions: [String: Double],
    sampleRateHz: Double,
  ) throws(HostError) -> SourceBank {
    let room = control.handle(to: self)
    return try SourceBank(
      graph: next,
      positions: positions,
      sampleRateHz: sampleRateHz,
      last: bank?.renamed(names),
      isKept: { source in
        let now = before.source(named: source.name)
        return now?.kind == source.kind && now?.channels == source.channels
      },
    ) { source, event in room { $0.publish(event, of: source) } }
  }

  /// Goes over to the sources of another version.
  func take(_ bank: SourceBank) { self.bank = bank }

  /// Gives sources other names; they play on.
  ///
  /// - Parameter names: The new name of each, by the present one.
  func rename(_ names: [String: String]) {
    bank = bank?.renamed(names)
    for (old, new) in names {
      let first = renamed.first { $0.value == old }?.key ?? old
      renamed[first] = new
    }
  }

  /// The players and tones with the channels of all sources; nil before the first attachment.
  var present: SourceBank? { bank }

  /// The positions of the files in seconds; nil for one that has played to its end.
  var positions: [String: Double?] {
    var positions: [String: Double?] = [:]
    for (name, source) in bank?.generated ?? [] {
      guard case .file(let player) = source else { continue }
      positions.updateValue(player.hasEnded ? nil : player.positionSeconds, forKey: name)
    }
    return positions
  }

  /// Resumes or pauses the file of a strip; ignored for other strips.
  func setPlaying(_ strip: String, _ isPlaying: Bool) {
    guard case .file(let player)? = bank?.generated.first(where: { $0.name == strip })?.source
    else { return }
    if isPlaying { player.play() } else { player.pause() }
  }

  private func publish(_ event: FilePlayerEvent, of former: String) {
    let source = renamed[former] ?? former
    switch event {
    case .endOfFile:
      control.publish(
        .fileEnded(.init(strip: source)),
        "source '\(source)' has played to its end",
      )
    case .underrun(let frames):
      control.publish(
        .error(.init(strip: source)),
        "source '\(source)': the disk was too slow; \(frames) frames of silence",
      )
    case .failed(let error):
      control.publish(.error(.init(strip: source)), "source '\(source)': \(error)")
    }
  }
}
