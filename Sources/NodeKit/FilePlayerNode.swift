// SPDX-License-Identifier: MIT

internal import AudioFiles
public import InterAppAudio
internal import JACK

/// A generator: loops a sound file, with the host's transport or always.
///
/// Belongs to the audio thread after publishing.
@safe
public struct FilePlayerNode: ~Copyable {
  private let player: FilePlayer
  private let source: FilePlayerSource
  private let followsTransport: Bool
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The number of the file's frames per frame of the host.
  private let fileFramesPerFrame: Double
  private let fileFrames: Int
  /// The host's frame at which the next frames of the file are heard.
  private var nextFrame = 0

  /// The delay after a jump while the host plays, in seconds: the file is read meanwhile and heard at the right position.
  private static let leadSeconds = 0.25
  private let leadFrames: Int

  init(path: String, followsTransport: Bool, sampleRateHz: Double) throws(AudioFileError) {
    player = try FilePlayer(
      path: path,
      settings: FilePlayer.Settings(
        outputSampleRateHz: sampleRateHz,
        channels: 2,
        looping: .forever,
      ),
      pool: ReadAheadPool(),
    )
    source = player.source
    self.followsTransport = followsTransport
    fileFramesPerFrame = player.info.sampleRateHz / sampleRateHz
    fileFrames = player.info.frames ?? .max
    leadFrames = Int(sampleRateHz * Self.leadSeconds)
    unsafe pointers = .allocate(capacity: 2)
    unsafe pointers.initialize(repeating: nil, count: 2)
  }

  deinit { unsafe pointers.deallocate() }

  /// Renders a cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func render(_ io: inout NodeIO, _ scope: borrowing ProcessScope) {
    let time = io.hostTime(scope)
    for channel in 0..<2 {
      let output = unsafe io.output(channel, scope)
      unsafe pointers[channel] = output.baseAddress
      for index in 0..<output.count { unsafe output[index] = 0 }
    }
    let frames = Int(scope.frames)
    guard !followsTransport || isInPlace(time, frames: frames) else { return }
    unsafe source.read(into: pointers, frames: frames)
  }

  /// Whether the next frames of the file belong to this cycle; seeks in the file if the host has jumped. [audio-thread]
  @_noLocks @_noAllocation
  private mutating func isInPlace(_ time: HostTime, frames: Int) -> Bool {
    let frame = Int(time.sampleInTimeline)
    if frame == nextFrame {
      guard time.isPlaying else { return false }
      if source.isReady() {
        nextFrame += frames
        return true
      }
    }
    // The host has not reached the position to which the file was sent.
    let isAhead = frame < nextFrame && nextFrame - frame <= leadFrames + frames
    guard !time.isPlaying || !isAhead else { return false }
    let cycles = frames > 0 ? (leadFrames + frames - 1) / frames : 0
    nextFrame = time.isPlaying ? frame + cycles * frames : frame
    source.seek(toFrame: Int(Double(nextFrame) * fileFramesPerFrame) % fileFrames)
    return false
  }

  /// Publishes a player.
  ///
  /// - Parameters:
  ///   - path: A sound file of one or two channels.
  ///   - followsTransport: Whether it is silent while the host's transport is stopped.
  ///   - description: The description to publish.
  ///   - client: The preferred name of its client.
  ///   - server: The server's name; nil takes the default one.
  /// - Returns: The node.
  /// - Throws: `JACKError`, or ``InterAppAudioError`` if the file cannot be played.
  ///
  /// [control-thread]
  public static func publish(
    path: String,
    followsTransport: Bool = false,
    _ description: NodeDescription = ShippedNode.player.description,
    client: String? = nil,
    server: String? = nil,
  ) throws -> PublishedNode<FilePlayerNode> {
    try unsafe PublishedNode(
      description,
      client: client,
      server: server,
      process: playerProcess,
    ) { rate, _ in
      do throws(AudioFileError) {
        return try FilePlayerNode(
          path: path,
          followsTransport: followsTransport,
          sampleRateHz: rate,
        )
      } catch {
        throw InterAppAudioError(.invalidProperty, "\(path): \(error)")
      }
    }
  }
}

/// The callback of the player. [audio-thread]
@c(multiroute_node_player) @_noLocks @_noAllocation
func playerProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<FilePlayerNode>.self) { node, scope in
    unsafe node.pointee.state.render(&node.pointee.io, scope)
  }
}
