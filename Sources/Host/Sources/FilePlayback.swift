// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK

/// A JACK client that plays one sound file, once.
///
/// Belongs to the task that made it; ``close()`` ends it. [any-thread]
@safe
public final class FilePlayback {
  /// The client's name as JACK gave it.
  public let name: String
  /// The number of its outputs.
  public let channels: Int

  private let player: FilePlayer
  private let connection: ClientConnection
  private let arrangement: UnsafeMutablePointer<SourceArrangement>
  private let state: UnsafeMutablePointer<SourceProcess>
  private var client: ActiveClient?

  /// The longest wait for a connection of the ports.
  private static let patience = Duration.seconds(3)

  /// Opens the file and the client, silent.
  ///
  /// - Parameters:
  ///   - path: The sound file.
  ///   - name: The client's name.
  ///   - server: The JACK server's name.
  /// - Throws: ``HostError`` where the file cannot be played or the server does not answer.
  public init(path: String, name: String, server: String) throws(HostError) {
    do {
      let opened = try OpenedClient.open(name: name, server: server)
      let connection = opened.connection
      var settings = FilePlayer.Settings(outputSampleRateHz: Double(try connection.sampleRateHz))
      settings.isPlaying = false
      let player = try FilePlayer(path: path, settings: settings, pool: ReadAheadPool())
      var ports: [AudioOutputPort] = []
      for channel in 0..<player.source.channels {
        ports.append(try connection.register("out_\(channel + 1)", flags: .terminal))
      }
      let arrangement = unsafe SourceArrangement.make([(.file(player.source), ports)])
      let state = unsafe SourceProcess.make(arrangement)
      unsafe self.arrangement = arrangement
      unsafe self.state = state
      self.player = player
      self.connection = connection
      self.name = connection.name
      channels = player.source.channels
      client = try unsafe opened.activate(
        process: sourceProcess,
        context: UnsafeMutableRawPointer(state),
      )
    } catch let error as AudioFileError {
      throw HostError(.badGraph, "\(path): \(error)")
    } catch {
      throw HostError(.noServer, "\(error)")
    }
  }

  /// Waits until the ports are connected, plays, and returns at the end of the sound.
  ///
  /// Plays after three seconds even without a connection.
  public func play() async throws {
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline, !isConnected {
      try await Task.sleep(for: .milliseconds(5))
    }
    player.play()
    while !player.hasEnded { try await Task.sleep(for: .milliseconds(10)) }
    // The device still has to play the last samples.
    let frames = Double((try? connection.bufferFrames) ?? 0)
    try await Task.sleep(for: .seconds(2 * frames / player.info.sampleRateHz))
  }

  private var isConnected: Bool {
    (0..<channels).allSatisfy { channel in
      (try? connection.connections(ofPort: "\(name):out_\(channel + 1)"))?.isEmpty == false
    }
  }

  /// Closes the client.
  ///
  /// Where libjack does not return in time, the memory stays, because a callback may still run.
  public func close() {
    guard let client = client.take(), client.close() != .timedOut else { return }
    unsafe SourceProcess.free(state)
    unsafe SourceArrangement.free(arrangement)
  }
}
