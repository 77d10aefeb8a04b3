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

  /// The length of a change of feedback or mix in seconds, and of the fade from one time to another.
  private static let changeSeconds = 0.02
  private static let fadeSeconds = 0.05

  private let sampleRateHz: Double
  private let changeFrames: Int
  private let fadeFrames: Int
  private var feedback: ParameterRamp
  private var mix: ParameterRamp
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let length: Int
  private var place = 0
  /// The delay that is heard, and the one that it fades to.
  private var delayFrames: Int
  private var nextDelayFrames: Int
  private var fade = ParameterRamp(restingAt: 0)

  init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    changeFrames = Int(Self.changeSeconds * sampleRateHz)
    fadeFrames = Int(Self.fadeSeconds * sampleRateHz)
    feedback = ParameterRamp(restingAt: settings.feedbackLinear)
    mix = ParameterRamp(restingAt: settings.mixLinear)
    length = max(1, Int(Settings.delayRangeSeconds.upperBound * sampleRateHz))
    delayFrames = min(length, max(1, Int(settings.delaySeconds * sampleRateHz)))
    nextDelayFrames = delayFrames
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
    feedback.head(for: Float(io.parameter(1)), frames: changeFrames)
    mix.head(for: Float(io.parameter(2)), frames: changeFrames)
    beginFade(toMilliseconds: io.parameter(0))
    for index in 0..<frameCount {
      let (dryLeft, dryRight) = unsafe (inputs.0[index], inputs.1[index])
      let (echoLeft, echoRight) = nextEchoes()
      let (feedback, mix) = (feedback.next(), mix.next())
      unsafe left[place] = dryLeft + echoRight * feedback
      unsafe right[place] = dryRight + echoLeft * feedback
      unsafe outputs.0[index] = mix == 0 ? dryLeft : dryLeft + echoLeft * mix
      unsafe outputs.1[index] = mix == 0 ? dryRight : dryRight + echoRight * mix
      place = place + 1 == length ? 0 : place + 1
    }
  }

  /// Begins to fade to another time, unless a fade is under way: a jump would click, and a glide would change the pitch.
  @_noLocks @_noAllocation
  private mutating func beginFade(toMilliseconds milliseconds: Double) {
    let frames = min(length, max(1, Int(milliseconds * sampleRateHz / 1_000)))
    guard frames != delayFrames, nextDelayFrames == delayFrames else { return }
    nextDelayFrames = frames
    fade.head(for: 1, frames: fadeFrames)
  }

  /// The echoes at this frame, both of them during a fade.
  @_noLocks @_noAllocation
  private mutating func nextEchoes() -> (left: Float, right: Float) {
    let heard = slot(of: delayFrames)
    guard nextDelayFrames != delayFrames else { return unsafe (left[heard], right[heard]) }
    let next = slot(of: nextDelayFrames)
    let share = fade.next()
    if !fade.isMoving {
      delayFrames = nextDelayFrames
      fade = ParameterRamp(restingAt: 0)
    }
    return unsafe (
      left[heard] + (left[next] - left[heard]) * share,
      right[heard] + (right[next] - right[heard]) * share
    )
  }

  /// The place of the sound from so many frames ago.
  @_noLocks @_noAllocation
  private func slot(of delay: Int) -> Int {
    place >= delay ? place - delay : place - delay + length
  }

  /// The parameters, in the order in which the callback reads them.
  private static func parameters(_ settings: Settings) -> [NodeParameter] {
    [
      NodeParameter(
        "time",
        range: Settings.delayRangeSeconds.lowerBound * 1_000...Settings.delayRangeSeconds.upperBound
          * 1_000,
        unit: "ms",
        taper: .logarithmic,
        description: "the time between two echoes",
        value: settings.delaySeconds * 1_000,
      ),
      NodeParameter(
        "feedback",
        range: 0...0.95,
        description: "the share of each echo that is repeated",
        value: settings.feedbackLinear.asWritten,
      ),
      NodeParameter(
        "mix",
        range: 0...1,
        description: "the level of the echoes; 0 passes the sound bit for bit",
        value: settings.mixLinear.asWritten,
      ),
    ]
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
    var description = description
    description.parameters = parameters(settings)
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
