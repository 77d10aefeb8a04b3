// SPDX-License-Identifier: MIT

/// The details of events about strips, the mix and recorders. Pure values: [any-thread].
extension EventPayload {
  /// A strip.
  public struct Strip: Codable, Sendable, Hashable {
    /// The strip's id.
    public var strip: String

    /// Makes the value.
    public init(strip: String) { self.strip = strip }
  }

  /// Samples of a strip, or of what a route's effects return, were no sound.
  public struct InputFault: Codable, Sendable, Hashable {
    /// The strip's id, where they came in at a strip.
    public var strip: String?
    /// The route's name, where they came from a route's effects.
    public var route: String?
    /// The capture port, where programs hear them through gates.
    public var capture: String?
    /// Samples since the last event that were replaced by silence: infinite, not a number, or 60 dB over full scale.
    public var silencedSamples: UInt64
    /// Samples since the last event that were clamped to 24 dB over full scale.
    public var clampedSamples: UInt64

    /// Makes the value from its parts.
    public init(of target: MixTarget, silencedSamples: UInt64, clampedSamples: UInt64) {
      strip = target.strip
      route = target.route
      self.silencedSamples = silencedSamples
      self.clampedSamples = clampedSamples
    }

    /// Makes the value of a capture port.
    public init(ofCapture port: String, silencedSamples: UInt64, clampedSamples: UInt64) {
      capture = port
      self.silencedSamples = silencedSamples
      self.clampedSamples = clampedSamples
    }
  }

  /// A fade has ended.
  public struct FadeFinished: Codable, Sendable, Hashable {
    /// The fade's number, as the method `fade` answered it.
    public var fade: UInt64
    /// The strip's id, where a strip takes part.
    public var strip: String?
    /// The route's name, where a route takes part.
    public var route: String?
    /// The gain now.
    public var gainDB: Double?

    /// Makes the value from its parts.
    public init(fade: UInt64, of target: MixTarget, gainDB: Double?) {
      self.fade = fade
      strip = target.strip
      route = target.route
      self.gainDB = gainDB
    }
  }

  /// A change of the mix: the parameters of the method that made it, or a connection that a user took away.
  public struct MixChanged: Codable, Sendable, Hashable {
    /// The strip's id.
    public var strip: String?
    /// The route's name; with `strip`, the send between them.
    public var route: String?
    /// The new gain.
    public var gainDB: Double?
    /// The length of the change's ramp.
    public var rampMilliseconds: Double?
    /// Whether it is muted now.
    public var muted: Bool?
    /// Whether the strip is soloed now.
    public var solo: Bool?
    /// Whether the strip is heard on the cue route now.
    public var cue: Bool?
    /// The strip's new pan.
    public var pan: Double?
    /// The strip's channel, where one cell of a send was changed.
    public var stripChannel: Int?
    /// The route's channel, where one cell of a send was changed.
    public var routeChannel: Int?
    /// The crossfader's new position.
    public var position: Double?
    /// The new effects, in order.
    public var nodes: [String]?
    /// The new share of the effects.
    public var wet: Double?
    /// The effect that was bypassed, is heard again, or is tried again.
    public var node: String?
    /// Whether the effect is bypassed now.
    public var bypassed: Bool?
    /// The output port of a connection that a user took away.
    public var source: String?
    /// The input port of a connection that a user took away.
    public var destination: String?

    private init() {}

    /// The mix of the last run is in force; the event's message names what differs from the graph.
    public static var kept: Self { Self() }

    /// Effects that were too late are tried again.
    public static func triedAgain(node: String) -> Self {
      var change = Self()
      change.node = node
      return change
    }

    /// A user took a connection away.
    public static func disconnected(_ source: String, from destination: String) -> Self {
      var change = Self()
      change.source = source
      change.destination = destination
      return change
    }

    /// A method changed something of a target.
    init(of target: MixTarget? = nil, _ fill: (inout Self) -> Void) {
      strip = target?.strip
      route = target?.route
      fill(&self)
    }
  }

  /// A report about a recorder.
  public struct Recording: Codable, Sendable, Hashable {
    /// The kinds of reports.
    public enum State: String, Codable, Sendable, Hashable {
      /// A file was begun.
      case began
      /// A file is complete.
      case finished
      /// Writing failed; the recorder tries again by itself.
      case failed
      /// Frames are missing in the file.
      case lost
    }

    /// The recorder's name.
    public var recorder: String
    /// The kind of report.
    public var state: State
    /// The file's path; left out with `lost`.
    public var file: String?
    /// The frames that were written or lost, with `finished` and `lost`.
    public var frames: Int?
    /// The fault, with `failed`.
    public var fault: String?

    /// Makes the value from its parts.
    public init(
      recorder: String,
      state: State,
      file: String? = nil,
      frames: Int? = nil,
      fault: String? = nil,
    ) {
      self.recorder = recorder
      self.state = state
      self.file = file
      self.frames = frames
      self.fault = fault
    }
  }
}

/// Parameters of a method that changes the mix.
public protocol MixParams: ControlParams {
  /// The change as the event `mixChanged` reports it.
  var change: EventPayload.MixChanged { get }
}

extension SetGain.Params: MixParams {
  /// The change as the event `mixChanged` reports it.
  public var change: EventPayload.MixChanged {
    EventPayload.MixChanged(of: target) {
      $0.gainDB = gainDB
      $0.rampMilliseconds = rampMilliseconds
    }
  }
}

extension SetMute.Params: MixParams {
  /// The change as the event `mixChanged` reports it.
  public var change: EventPayload.MixChanged {
    EventPayload.MixChanged(of: target) { $0.muted = muted }
  }
}

extension SetSolo.Params: MixParams {
  /// The change as the event `mixChanged` reports it.
  public var change: EventPayload.MixChanged {
    EventPayload.MixChanged(of: .strip(strip)) { $0.solo = solo }
  }
}

extension SetCue.Params: MixParams {
  /// The change as the event `mixChanged` reports it.
  public var change: EventPayload.MixChanged {
    EventPayload.MixChanged(of: MixTarget(strip: strip, route: route)) { $0.cue = cue }
  }
}

extension SetPan.Params: MixParams {
  /// The change as the event `mixChanged` reports it.
  public var change: EventPayload.MixChanged {
    EventPayload.MixChanged(of: .strip(strip)) {
      $0.pan = pan
      $0.rampMilliseconds = rampMilliseconds
    }
  }
}

extension SetSend.Params: MixParams {
  /// The change as the event `mixChanged` reports it.
  public var change: EventPayload.MixChanged {
    EventPayload.MixChanged(of: .send(strip: strip, route: route)) {
      $0.gainDB = gainDB
      $0.stripChannel = stripChannel
      $0.routeChannel = routeChannel
      $0.rampMilliseconds = rampMilliseconds
    }
  }
}

extension SetCrossfader.Params: MixParams {
  /// The change as the event `mixChanged` reports it.
  public var change: EventPayload.MixChanged {
    EventPayload.MixChanged {
      $0.position = position
      $0.rampMilliseconds = rampMilliseconds
    }
  }
}

extension SetInserts.Params: MixParams {
  /// The change as the event `mixChanged` reports it.
  public var change: EventPayload.MixChanged {
    EventPayload.MixChanged(of: target) {
      $0.nodes = nodes
      $0.wet = wet
    }
  }
}

extension SetBypass.Params: MixParams {
  /// The change as the event `mixChanged` reports it.
  public var change: EventPayload.MixChanged {
    EventPayload.MixChanged(of: target) {
      $0.node = node
      $0.bypassed = bypassed
    }
  }
}
