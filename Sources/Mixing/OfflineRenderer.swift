// SPDX-License-Identifier: MIT

/// Renders a mix from arrays to arrays, in blocks of any size, without JACK.
public struct OfflineRenderer {
  /// A change to the mix at a frame.
  public struct Change {
    /// The frame at whose start `body` is called; a block ends there.
    public var frame: Int
    /// What to change.
    public var body: (MixEngine) throws -> Void

    /// Makes a change.
    public init(atFrame frame: Int, _ body: @escaping (MixEngine) throws -> Void) {
      self.frame = frame
      self.body = body
    }
  }

  /// The mix that is rendered.
  public let engine: MixEngine

  /// Frames in a block; the last one, and those before a change, may be shorter.
  public var blockFrames: Int

  /// What the audio side told while rendering, in order.
  public private(set) var events: [MixEvent] = []

  /// Makes a renderer with an engine of its own.
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
  /// - Parameters:
  ///   - inputs: Samples for each input channel; short ones, and missing ones, go on as silence.
  ///   - frames: Frames to render.
  ///   - changes: What happens on the way, at frames counted from the start of this call.
  /// - Returns: Samples for each output channel of the spec in force at the end.
  /// - Throws: What a change throws.
  public mutating func render(
    inputs: [[Float]],
    frames: Int,
    changes: [Change] = [],
  ) throws -> [[Float]] { fatalError("unwritten") }
}
