// SPDX-License-Identifier: MIT

public import Sessions

/// The details of events about the JACK server, its hardware values and routes.
/// Pure values: [any-thread].
extension EventPayload {
  /// The JACK server is gone.
  public struct ServerLost: Codable, Sendable, Hashable {
    /// The server's name.
    public var server: String

    /// Makes the value from its parts.
    public init(server: String) { self.server = server }
  }

  /// The JACK server is back.
  public struct ServerBack: Codable, Sendable, Hashable {
    /// The server's name.
    public var server: String
    /// Its sample rate.
    public var sampleRateHz: Int
    /// Its I/O buffer.
    public var bufferFrames: Int
    /// The time from the server's first answer to the first cycle.
    public var attachMilliseconds: Double

    /// Makes the value from its parts.
    public init(
      server: String,
      sampleRateHz: Int,
      bufferFrames: Int,
      attachMilliseconds: Double,
    ) {
      self.server = server
      self.sampleRateHz = sampleRateHz
      self.bufferFrames = bufferFrames
      self.attachMilliseconds = attachMilliseconds
    }
  }

  /// The buffer size or the sample rate changed; a value that did not change is left out.
  public struct HardwareChanged: Codable, Sendable, Hashable {
    /// The new sample rate.
    public var sampleRateHz: Int?
    /// The new I/O buffer.
    public var ioBufferFrames: Int?

    /// Makes the value from what changed.
    public init(sampleRateHz: Int? = nil, ioBufferFrames: Int? = nil) {
      self.sampleRateHz = sampleRateHz
      self.ioBufferFrames = ioBufferFrames
    }
  }

  /// The latencies that changed.
  public struct LatencyChanged: Codable, Sendable, Hashable {
    /// The new latency in frames, by the route's name; the whole object on the wire.
    public var framesByRoute: [String: UInt32]

    /// Makes the value.
    public init(framesByRoute: [String: UInt32]) { self.framesByRoute = framesByRoute }

    /// Reads the object of route names.
    public init(from decoder: any Decoder) throws {
      framesByRoute = try decoder.singleValueContainer().decode([String: UInt32].self)
    }

    /// Writes the object of route names.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(framesByRoute)
    }
  }

  /// A cycle was late.
  public struct Xrun: Codable, Sendable, Hashable {
    /// The delay, as JACK measured it.
    public var delayMicroseconds: Double
    /// The probable cause, in words.
    public var cause: String

    /// Makes the value from its parts.
    public init(delayMicroseconds: Double, cause: String) {
      self.delayMicroseconds = delayMicroseconds
      self.cause = cause
    }
  }

  /// A hardware value or a connection that the host no longer enforces.
  public struct GaveWay: Codable, Sendable, Hashable {
    /// A hardware value's name.
    public enum Value: String, Codable, Sendable, Hashable {
      /// The sample rate.
      case sampleRateHz
      /// The I/O buffer.
      case ioBufferFrames
    }

    /// The hardware value; left out for a connection.
    public var value: Value?
    /// The I/O buffer now, with the value `ioBufferFrames`.
    public var ioBufferFrames: Int?
    /// The rule that the host no longer enforces on a port.
    @NamedIfPresent public var rule: RuleID?
    /// The port whose connections another program insists on.
    public var port: String?
    /// The line of the patch rule that the host no longer enforces on the port.
    public var line: Int?

    /// The sample rate stays as another program set it.
    public static let sampleRate = Self(value: .sampleRateHz)

    /// The I/O buffer stays as another program set it.
    public static func ioBuffer(frames: Int) -> Self {
      Self(value: .ioBufferFrames, ioBufferFrames: frames)
    }

    /// The port stays connected to the hardware.
    public static func connection(of port: String, rule: RuleID) -> Self {
      Self(rule: rule, port: port)
    }

    /// The port stays connected as another program has it, against a patch rule.
    public static func patch(of port: String, line: Int) -> Self {
      Self(port: port, line: line)
    }

    private init(
      value: Value? = nil,
      ioBufferFrames: Int? = nil,
      rule: RuleID? = nil,
      port: String? = nil,
      line: Int? = nil,
    ) {
      self.value = value
      self.ioBufferFrames = ioBufferFrames
      self.rule = rule
      self.port = port
      self.line = line
    }
  }

  /// Something failed; at most one of the parts says where.
  public struct Failure: Codable, Sendable, Hashable {
    /// The strip's id.
    public var strip: String?
    /// The route's name.
    public var route: String?
    /// The recorder's name.
    public var recorder: String?

    /// Makes the value from the place, where there is one.
    public init(strip: String? = nil, route: String? = nil, recorder: String? = nil) {
      self.strip = strip
      self.route = route
      self.recorder = recorder
    }
  }
}
