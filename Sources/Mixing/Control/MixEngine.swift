// SPDX-License-Identifier: MIT

import Synchronization

/// The control side of a mix: it owns all memory, takes changes, and reports events.
///
/// The audio thread uses ``renderer`` alone. The engine must outlive the last call of the
/// renderer. A change of sample rate takes a new engine.
public final class MixEngine: Sendable {
  /// The settings an engine is made with.
  ///
  /// A plain value: [any-thread].
  public struct Configuration: Sendable, Equatable {
    /// Frames in a second.
    public var sampleRateHz: Double
    /// The time that ``Fade/standard`` takes at first, in seconds.
    public var standardFadeSeconds: Double
    /// Capacity of the command queue and of the event queue; further commands wait on the control
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

  /// The settings the engine was made with.
  public let configuration: Configuration

  /// The handle that the audio thread renders with.
  public let renderer: MixRenderer

  let control: Mutex<EngineControl>

  /// Gives ``Fade/standard`` another length from the next change on.
  ///
  /// Moves of the crossfader by the audio thread take as long once ``apply(_:fade:tag:)`` has given it another arrangement.
  ///
  /// - Parameter seconds: The length; at least 0.
  ///
  /// [control-thread]
  public func setStandardFade(seconds: Double) {
    control.withLock { $0.standardFadeSeconds = seconds }
  }

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
    let control = EngineControl(spec, configuration: configuration, tag: tag)
    renderer = control.renderer
    self.control = Mutex(control)
  }

  /// Goes over to another mix, without a click, all in one cycle.
  ///
  /// Changed values are ramped, new sends fade in, removed sends fade out. If strips or routes are
  /// added, removed or reordered, the renderer's inputs and outputs change too. That happens at the
  /// start of a cycle, after the removed ones have faded out: ``MixRenderer/beginCycle(atFrame:)``
  /// returns the new `tag` from then on. A strip or route whose number of channels has changed is
  /// removed and added again.
  ///
  /// - Parameters:
  ///   - spec: The mix to have.
  ///   - fade: The ramp to the new values.
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

  /// Frees memory that the audio thread has left, sends waiting commands, and returns the events.
  ///
  /// To be called now and then, every 100 ms or more often.
  ///
  /// [control-thread]
  public func collect() -> [MixEvent] {
    control.withLock { $0.collect() }
  }

  /// Meters strips that nobody hears, too, or no longer.
  ///
  /// Until then the meter before the fader shows silence for them, so that their inputs cost nothing.
  ///
  /// [control-thread]
  public func watchLevels(_ isOn: Bool) {
    control.withLock { $0.watchLevels(isOn) }
  }

  /// Reads all meters, which starts new peaks.
  ///
  /// [control-thread]
  public func meters() -> MixMeters {
    control.withLock { control in
      MixMeters(
        strips: control.spec.strips.map {
          control.strips[$0.id]?.meters.read(as: $0)
            ?? .init(id: $0.id, pre: [], post: [], isHeard: false, tap: $0.meterTap)
        },
        routes: control.spec.routes.map { route in
          .init(
            id: route.id,
            channels: control.routes[route.id]?.meters.read() ?? [],
            limiterGain: route.limiter == nil
              ? nil : control.routes[route.id]?.limiter.takeLowestGain(),
          )
        },
      )
    }
  }

  /// Whether the input of any of these strips has sounded since this was asked last; meters are not affected.
  ///
  /// Only the input of a strip with an open gate and an open send is listened to.
  ///
  /// [control-thread]
  public func takeSounded(strips: [String]) -> Bool {
    control.withLock { control in
      var hasSounded = false
      for strip in strips where control.strips[strip]?.meters.takeSounded() == true {
        hasSounded = true
      }
      return hasSounded
    }
  }

  /// The strips of whose inputs samples were silenced or clamped, with the counts since each was made.
  ///
  /// [control-thread]
  public func inputFaults() -> [String: InputFaults] {
    control.withLock { control in
      control.strips.compactMapValues { strip in
        let faults = strip.meters.faults
        return faults == InputFaults() ? nil : faults
      }
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
