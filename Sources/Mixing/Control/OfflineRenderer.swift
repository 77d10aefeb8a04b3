// SPDX-License-Identifier: MIT

/// Renders a mix from arrays to arrays, in blocks of any size, without JACK.
///
/// Used by one thread at a time: [any-thread].
public struct OfflineRenderer {
  /// A change to the mix at a frame.
  ///
  /// A plain value: [any-thread].
  public struct Change {
    /// The frame at whose start `body` is called; a block ends there.
    public var frame: Int
    /// The change.
    public var body: (MixEngine) throws -> Void

    /// Makes a change.
    public init(atFrame frame: Int, _ body: @escaping (MixEngine) throws -> Void) {
      self.frame = frame
      self.body = body
    }
  }

  /// A move of the crossfader by the audio side itself.
  ///
  /// A plain value: [any-thread].
  public struct Move: Sendable {
    /// The frame at which it moves.
    public var frame: Int
    /// The position, -1 … 1.
    public var position: Double

    /// Makes a move.
    public init(atFrame frame: Int, to position: Double) {
      self.frame = frame
      self.position = position
    }
  }

  /// The mix that is rendered.
  public let engine: MixEngine

  /// Frames in a block, 1 or more; the last one, and those before a change, may be shorter.
  public var blockFrames: Int

  /// Frames rendered since the start.
  public private(set) var position = 0

  /// The events of the audio side while rendering, in order.
  public private(set) var events: [MixEvent] = []

  /// Makes a renderer with its own engine.
  public init(
    _ spec: MixSpec,
    sampleRateHz: Double = 48_000,
    blockFrames: Int = 64,
  ) throws(MixError) {
    engine = try MixEngine(spec, configuration: .init(sampleRateHz: sampleRateHz))
    self.blockFrames = blockFrames
  }

  /// Renders on from where the last call ended.
  ///
  /// During a call, the values of strips and routes may change, but their number and order may not:
  /// that takes another call.
  ///
  /// - Parameters:
  ///   - inputs: Samples for each input channel; short ones, and missing ones, go on as silence.
  ///   - frames: Frames to render.
  ///   - changes: Changes to make meanwhile, at frames counted from the start of this call.
  ///   - moves: Moves of the crossfader by the audio side, at frames counted alike; they divide no block.
  /// - Returns: Samples for each output channel of the spec in force at the start.
  /// - Throws: The error of a change.
  public mutating func render(
    inputs: [[Float]],
    frames: Int,
    changes: [Change] = [],
    moves: [Move] = [],
  ) throws -> [[Float]] {
    let spec = engine.spec
    let sources = PlanarBuffer(inputs, channels: spec.inputChannels, frames: frames)
    let targets = PlanarBuffer([], channels: spec.outputChannels, frames: frames)
    var waiting = changes.sorted { $0.frame < $1.frame }[...]
    var done = 0
    while done < frames {
      while let change = waiting.first, change.frame <= done {
        try change.body(engine)
        waiting.removeFirst()
      }
      let end = min(done + max(1, blockFrames), frames, waiting.first?.frame ?? frames)
      _ = engine.renderer.beginCycle(atFrame: UInt64(position))
      for move in moves where (done..<end).contains(move.frame) {
        engine.renderer.moveCrossfader(
          to: move.position,
          atFrameOffset: UInt32(move.frame - done),
        )
      }
      unsafe engine.renderer.mix(
        inputs: sources.readable(from: done),
        outputs: targets.writable(from: done),
        frames: end - done,
      )
      position += end - done
      done = end
      events += engine.collect()
    }
    // The pointers above do not keep their memory.
    return withExtendedLifetime(sources) { targets.arrays }
  }
}
