// SPDX-License-Identifier: MIT

public import InterAppAudio
internal import JACK

/// An effect: two delay lines that feed each other, so that echoes alternate between the sides.
///
/// Belongs to the audio thread after publishing.
@safe
public struct StereoDelay: ~Copyable {
  /// The settings of a delay.
  ///
  /// Pure value: [any-thread].
  public struct Settings: Sendable {
    /// The range of `delaySeconds`.
    public static let delayRangeSeconds = 0.001...5.0
    /// The range of `feedbackLinear`.
    public static let feedbackRangeLinear: ClosedRange<Float> = 0...0.95
    /// The range of `mixLinear`.
    public static let mixRangeLinear: ClosedRange<Float> = 0...1

    /// The time between two echoes, in seconds, 0.001 … 5.
    public var delaySeconds: Double
    /// The share of each echo that is repeated, linear, 0 … 0.95.
    public var feedbackLinear: Float
    /// The level of the echoes beside the dry sound, linear, 0 … 1; 0 passes the sound bit for bit.
    public var mixLinear: Float

    /// Makes settings; publishing refuses values out of range.
    public init(delaySeconds: Double = 0.35, feedbackLinear: Float = 0.4, mixLinear: Float = 0.35) {
      self.delaySeconds = delaySeconds
      self.feedbackLinear = feedbackLinear
      self.mixLinear = mixLinear
    }

    /// Throws if a value is out of range.
    ///
    /// - Throws: ``InterAppAudioError`` `invalidProperty` with name, value and range.
    func check() throws(InterAppAudioError) {
      try InterAppAudioError.check("time", delaySeconds, in: Self.delayRangeSeconds, " s")
      try InterAppAudioError.check("feedback", feedbackLinear, in: Self.feedbackRangeLinear)
      try InterAppAudioError.check("mix", mixLinear, in: Self.mixRangeLinear)
    }
  }

  private let settings: Settings
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let length: Int
  private var place = 0

  init(_ settings: Settings, sampleRateHz: Double) {
    self.settings = settings
    length = max(1, Int(settings.delaySeconds * sampleRateHz))
    unsafe left = .allocate(capacity: length)
    unsafe right = .allocate(capacity: length)
    unsafe left.initialize(repeating: 0, count: length)
    unsafe right.initialize(repeating: 0, count: length)
  }

  deinit {
    unsafe left.deallocate()
    unsafe right.deallocate()
  }

  /// Renders a cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func render(_ io: borrowing NodeIO, _ scope: borrowing ProcessScope) {
    let inputs = unsafe (io.input(0, scope), io.input(1, scope))
    let outputs = unsafe (io.output(0, scope), io.output(1, scope))
    let frameCount = unsafe min(outputs.0.count, outputs.1.count)
    let feedback = settings.feedbackLinear
    let mix = settings.mixLinear
    for index in 0..<frameCount {
      let (dryLeft, dryRight) = unsafe (inputs.0[index], inputs.1[index])
      let (echoLeft, echoRight) = unsafe (left[place], right[place])
      unsafe left[place] = dryLeft + echoRight * feedback
      unsafe right[place] = dryRight + echoLeft * feedback
      unsafe outputs.0[index] = mix == 0 ? dryLeft : dryLeft + echoLeft * mix
      unsafe outputs.1[index] = mix == 0 ? dryRight : dryRight + echoRight * mix
      place = place + 1 == length ? 0 : place + 1
    }
  }

  /// Publishes a delay.
  ///
  /// - Throws: `JACKError`, or ``InterAppAudioError`` `invalidProperty` for settings out of range.
  ///
  /// [control-thread]
  public static func publish(
    _ description: NodeDescription = ShippedNode.delay.description,
    settings: Settings = Settings(),
    client: String? = nil,
    server: String? = nil,
  ) throws -> PublishedNode<StereoDelay> {
    try settings.check()
    return try unsafe PublishedNode(
      description,
      client: client,
      server: server,
      process: delayProcess,
    ) { rate, _ in StereoDelay(settings, sampleRateHz: rate) }
  }
}

/// The callback of the delay. [audio-thread]
@c(multiroute_node_delay) @_noLocks @_noAllocation
func delayProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<StereoDelay>.self) { node, scope in
    unsafe node.pointee.state.render(node.pointee.io, scope)
  }
}
