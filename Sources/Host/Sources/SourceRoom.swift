// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import GraphFiles

/// The sources of the graph: players and tones, opened at the first attachment and kept from then on, and the ports of other
/// programs.
///
/// It has the files that the host plays for programs, too. Belongs to the control thread.
final class SourceRoom {
  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let bypass: SourceBypass
  private var bank: SourceBank?
  /// The names under which players report that have been renamed since.
  private var renamed: [String: String] = [:]
  private let played = PlayedFiles()
  private var playedToEnd: (_ strip: String) -> Void = { _ in }

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
    guard let player = player(ofStrip: strip) else { return }
    if isPlaying { player.play() } else { player.pause() }
  }

  private func player(ofStrip strip: String) -> FilePlayer? {
    if let feed = played.feed(of: strip) { return feed.player }
    guard case .file(let player)? = bank?.generated.first(where: { $0.name == strip })?.source
    else { return nil }
    return player
  }

  private func publish(_ event: FilePlayerEvent, of former: String) {
    publish(event, "source", renamed[former] ?? former)
  }

  private func publish(_ event: FilePlayerEvent, _ kind: String, _ strip: String) {
    switch event {
    case .endOfFile:
      control.publish(
        .fileEnded(.init(strip: strip)),
        "\(kind) '\(strip)' has played to its end",
      )
    case .underrun(let frames):
      control.publish(
        .error(.init(strip: strip)),
        "\(kind) '\(strip)': the disk was too slow; \(frames) frames of silence",
      )
    case .failed(let error):
      control.publish(.error(.init(strip: strip)), "\(kind) '\(strip)': \(error)")
    }
  }

  // MARK: - Files of programs

  /// Names the listener for files of programs that have played to their ends.
  func join(playedToEnd: @escaping (_ strip: String) -> Void) { self.playedToEnd = playedToEnd }

  /// Prepares another thread to open the file of a program.
  ///
  /// - Parameter sampleRateHz: The rate of the server.
  /// - Returns: The opening, with a number of its own.
  func opening(sampleRateHz: Double) -> FileOpening {
    let room = control.handle(to: self)
    return played.opening(sampleRateHz: sampleRateHz) { ticket, event in
      room { $0.take(event, ofFile: ticket) }
    }
  }

  /// Plays the file of a program into a strip that is about to be added, once its gate opens.
  func play(_ file: OpenedFile, strip: String) { played.add(file, strip: strip) }

  /// Forgets the file of a strip that leaves; its last frames fade out with the strip.
  func leave(strip: String) { played.remove(strip: strip) }

  /// The file that the host plays into a strip; nil for a strip without one.
  func feed(ofStrip strip: String) -> StripFeed? { played.feed(of: strip) }

  /// Lets the file of a strip begin behind a closed gate; ignored for other strips.
  func beginUnheard(strip: String) { played.feed(of: strip)?.cell.beginUnheard() }

  /// The files of programs by strip, for the clients on a server; one that does not fit the rate ends.
  func feeds(sampleRateHz: Double) -> [String: StripFeed] {
    played.feeds(sampleRateHz: sampleRateHz) { strip, error in
      publish(.failed(error), "strip", strip)
      // Not now: the host is just attaching.
      control.task { [weak self] in self?.end(strip) }
    }
  }

  private func take(_ event: FilePlayerEvent, ofFile ticket: UInt64) {
    guard let strip = played.strip(of: ticket) else { return }
    if event == .endOfFile { end(strip) } else { publish(event, "strip", strip) }
  }

  private func end(_ strip: String) {
    // The sessions that it interrupted or lowered come back before its program hears of the end.
    playedToEnd(strip)
    publish(.endOfFile, "strip", strip)
  }
}
