// SPDX-License-Identifier: MIT

/// The control side of a mix: owns all memory, takes changes, and tells what happened.
///
/// One owner calls it from one place at a time; the audio thread uses ``renderer`` alone. The engine must
/// outlive the last call of the renderer. A change of sample rate takes a new engine.
public final class MixEngine: Sendable {
  /// What the engine is made with.
  public struct Configuration: Sendable, Equatable {
    /// Frames in a second.
    public var sampleRateHz: Double
    /// The time that ``Fade/standard`` takes, in seconds.
    public var standardFadeSeconds: Double
    /// Commands and events that may be under way at a time.
    public var queueCapacity: Int

    /// Makes a configuration with fades of 5 ms.
    public init(
      sampleRateHz: Double,
      standardFadeSeconds: Double = 0.005,
      queueCapacity: Int = 8192,
    ) {
      self.sampleRateHz = sampleRateHz
      self.standardFadeSeconds = standardFadeSeconds
      self.queueCapacity = queueCapacity
    }
  }

  /// What the engine was made with.
  public let configuration: Configuration

  /// What the audio thread renders with.
  public var renderer: MixRenderer { fatalError("unwritten") }

  /// The mix as it was last asked for.
  public var spec: MixSpec { fatalError("unwritten") }

  /// Makes an engine that starts with `spec` in force from the first frame, without fading in.
  ///
  /// - Throws: ``MixError`` when the spec is not valid.
  ///
  /// [control-thread]
  public init(_ spec: MixSpec, configuration: Configuration, tag: UInt64 = 0) throws(MixError) {
    self.configuration = configuration
  }

  /// Goes over to another mix, without a click, all in one cycle.
  ///
  /// Values that changed are ramped, sends that are new fade in, sends that are gone fade out. Where
  /// strips or routes are gone, or come in another order, the inputs and outputs that the renderer
  /// is to be given change too; that happens at the start of a cycle, once what goes has faded
  /// out: ``MixRenderer/beginCycle(atFrame:)`` returns the new `tag` from then on.
  ///
  /// - Parameters:
  ///   - spec: The mix to have.
  ///   - fade: How to get there.
  ///   - tag: Names the arrangement of inputs and outputs; may be the bits of an address.
  /// - Throws: ``MixError`` when the spec is not valid.
  ///
  /// [control-thread]
  public func apply(_ spec: MixSpec, fade: Fade = .standard, tag: UInt64) throws(MixError) {
    fatalError("unwritten")
  }

  /// Goes over to another mix that keeps the tag in force; see ``apply(_:fade:tag:)``.
  ///
  /// [control-thread]
  public func apply(_ spec: MixSpec, fade: Fade = .standard) throws(MixError) {
    fatalError("unwritten")
  }

  /// Frees what the audio thread has done with, sends what had to wait, and returns what happened.
  ///
  /// To be called now and then, every 100 ms or more often.
  ///
  /// [control-thread]
  public func collect() -> [MixEvent] { fatalError("unwritten") }

  /// Reads all meters, which starts new peaks.
  ///
  /// [control-thread]
  public func meters() -> MixMeters { fatalError("unwritten") }

  /// Frames by which a route is later than its strips: its limiter's look-ahead, else 0.
  ///
  /// - Returns: Nil for an unknown route.
  ///
  /// [control-thread]
  public func latencyFrames(ofRoute id: String) -> Int? { fatalError("unwritten") }
}
