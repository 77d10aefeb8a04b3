// SPDX-License-Identifier: MIT

import Synchronization

/// The control side of a mix: owns all memory, takes changes, and tells what happened.
///
/// The audio thread uses ``renderer`` alone. The engine must outlive the last call of the
/// renderer. A change of sample rate takes a new engine.
public final class MixEngine: Sendable {
  /// What the engine is made with.
  public struct Configuration: Sendable, Equatable {
    /// Frames in a second.
    public var sampleRateHz: Double
    /// The time that ``Fade/standard`` takes, in seconds.
    public var standardFadeSeconds: Double
    /// Commands, and events, that may be under way at a time; more of them wait on the control
    /// side.
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
  public let renderer: MixRenderer

  let control: Mutex<MixControl>

  /// The mix as it was last asked for.
  ///
  /// [control-thread]
  public var spec: MixSpec { control.withLock { $0.spec } }

  /// Makes an engine that starts with `spec` in force from the first frame, without fading in.
  ///
  /// - Throws: ``MixError`` when the spec is not valid.
  ///
  /// [control-thread]
  public init(_ spec: MixSpec, configuration: Configuration, tag: UInt64 = 0) throws(MixError) {
    try spec.validate()
    try MixSpec.check(
      configuration.sampleRateHz,
      in: 1...10_000_000,
      "engine",
      "sample rate",
      " Hz",
    )
    self.configuration = configuration
    let control = MixControl(spec, configuration: configuration, tag: tag)
    renderer = control.renderer
    self.control = Mutex(control)
  }

  /// Goes over to another mix, without a click, all in one cycle.
  ///
  /// Values that changed are ramped, sends that are new fade in, sends that are gone fade out.
  /// Where strips or routes come, go or change places, the inputs and outputs that the renderer is
  /// to be given change too; that happens at the start of a cycle, once what goes has faded out:
  /// ``MixRenderer/beginCycle(atFrame:)`` returns the new `tag` from then on. A strip or route
  /// whose number of channels has changed goes and comes.
  ///
  /// - Parameters:
  ///   - spec: The mix to have.
  ///   - fade: How to get there.
  ///   - tag: Names the arrangement of inputs and outputs; may be the bits of an address.
  /// - Throws: ``MixError`` when the spec is not valid.
  ///
  /// [control-thread]
  public func apply(_ spec: MixSpec, fade: Fade = .standard, tag: UInt64) throws(MixError) {
    try spec.validate()
    control.withLock { $0.reconcile(to: spec, by: $0.time(fade), tag: tag) }
  }

  /// Goes over to another mix that keeps the tag in force; see ``apply(_:fade:tag:)``.
  ///
  /// [control-thread]
  public func apply(_ spec: MixSpec, fade: Fade = .standard) throws(MixError) {
    try spec.validate()
    control.withLock { $0.reconcile(to: spec, by: $0.time(fade), tag: $0.tag) }
  }

  /// Frees what the audio thread has done with, sends what had to wait, and returns what happened.
  ///
  /// To be called now and then, every 100 ms or more often.
  ///
  /// [control-thread]
  public func collect() -> [MixEvent] {
    control.withLock { $0.collect() }
  }

  /// Reads all meters, which starts new peaks.
  ///
  /// [control-thread]
  public func meters() -> MixMeters {
    control.withLock { control in
      MixMeters(
        strips: control.spec.strips.map {
          .init(id: $0.id, channels: control.strips[$0.id]?.meters.read() ?? [])
        },
        routes: control.spec.routes.map {
          .init(id: $0.id, channels: control.routes[$0.id]?.meters.read() ?? [])
        },
      )
    }
  }

  /// Frames by which a route is later than its strips: its limiter's look-ahead and its delay.
  ///
  /// - Returns: Nil for an unknown route.
  ///
  /// [control-thread]
  public func latencyFrames(ofRoute id: String) -> Int? {
    control.withLock { control in
      control.spec.routes.first { $0.id == id }.map {
        ($0.limiter?.lookaheadFrames ?? 0) + $0.delayFrames
      }
    }
  }
}
