// SPDX-License-Identifier: MIT

public import Sessions

/// An audio session as the host sees it.
///
/// Pure value: [any-thread].
public struct SessionStatus: Codable, Sendable, Hashable {
  /// The session's id.
  public var id: String
  /// The program that it belongs to.
  public var app: String
  /// The category, for instance `multiRoute`.
  @NamedIfKnown public var category: Category?
  /// The mode, for instance `default`.
  @NamedIfKnown public var mode: Mode?
  /// The options by name.
  @OptionNames public var options: CategoryOptions
  /// Whether it is active.
  public var active: Bool
  /// The priority class: `phone`, `alarm`, `assistant` or `app`.
  @NamedIfKnown public var priorityClass: PriorityClass?
  /// The strips that it is heard through.
  public var strips: [String]
  /// The ports of hardware that it plays to past its strips.
  public var direct: [String]
  /// Whether anybody hears it: false where its rules and the mix let it through, and each port at which it would be heard was
  /// disconnected by hand.
  public var connected: Bool
  /// Whether its audio is heard.
  public var sounding: Bool
  /// Why nothing is heard of it, in a sentence; `null` where it is heard.
  @OrNull public var silence: String?
  /// Whether it has been active for long without a sound (ACT-8).
  public var silentForLong: Bool
  /// Its interrupter, or `null`.
  @OrNull public var interruptedBy: SessionInterrupter?
  /// The ids of the sessions that duck it.
  public var duckedBy: [String]
  /// By how much it is lowered in dB, 0 when it is not.
  public var duckGainDB: Double
  /// Since when it is interrupted, or else active or not: CLOCK_MONOTONIC.
  public var sinceMonotonicNanoseconds: UInt64
  /// By which rule it is interrupted or lowered, or `null`.
  @OrNull public var rule: NamedIfKnown<RuleID>?
  /// Its preferences for the hardware.
  public var preferred: PreferredValues

  /// Makes the value from its parts.
  public init(
    id: String,
    app: String,
    category: Category,
    mode: Mode,
    options: CategoryOptions,
    active: Bool,
    priorityClass: PriorityClass,
    strips: [String],
    direct: [String] = [],
    connected: Bool = true,
    sounding: Bool,
    silence: String? = nil,
    silentForLong: Bool,
    interruptedBy: SessionInterrupter?,
    duckedBy: [String],
    duckGainDB: Double,
    sinceMonotonicNanoseconds: UInt64,
    rule: RuleID?,
    preferred: PreferredValues,
  ) {
    self.id = id
    self.app = app
    _category = NamedIfKnown(category)
    _mode = NamedIfKnown(mode)
    self.options = options
    self.active = active
    _priorityClass = NamedIfKnown(priorityClass)
    self.strips = strips
    self.direct = direct
    self.connected = connected
    self.sounding = sounding
    self.silence = silence
    self.silentForLong = silentForLong
    self.interruptedBy = interruptedBy
    self.duckedBy = duckedBy
    self.duckGainDB = duckGainDB
    self.sinceMonotonicNanoseconds = sinceMonotonicNanoseconds
    self.rule = rule.map { NamedIfKnown($0) }
    self.preferred = preferred
  }
}

/// The interrupter of a session: `Interrupter` of `Sessions`, with the session by its id on the wire.
///
/// It travels as one string. Ids are an open set, so a text that is nothing else is taken for one.
/// Pure value: [any-thread].
public enum SessionInterrupter: Sendable, Hashable {
  /// A session, by its id.
  case session(String)
  /// A simulated interruption of a class, such as `simulated phone`.
  case simulated(PriorityClass)
  /// `background`: its app is in the background.
  case background
  /// `muted microphone`.
  case microphoneMute
  /// `lost route`.
  case routeDisconnect
}

extension SessionInterrupter: Codable, CustomStringConvertible {
  /// The text on the wire.
  public var description: String {
    switch self {
    case .session(let id): id
    case .simulated(let priorityClass): "simulated \(priorityClass.name)"
    case .background: "background"
    case .microphoneMute: "muted microphone"
    case .routeDisconnect: "lost route"
    }
  }

  private static let named: [SessionInterrupter] =
    [.background, .microphoneMute, .routeDisconnect] + PriorityClass.allCases.map { .simulated($0) }

  /// Reads the text; one that names no other cause is a session's id.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = Self.named.first { $0.description == text } ?? .session(text)
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A session's preferences for the hardware, `null` for a value without one.
///
/// Pure value: [any-thread].
public struct PreferredValues: Codable, Sendable, Hashable {
  /// The sample rate.
  @OrNull public var sampleRateHz: Double?
  /// The I/O buffer's duration.
  @OrNull public var ioBufferDurationSeconds: Double?
  /// The number of input channels.
  @OrNull public var inputChannels: Int?
  /// The number of output channels.
  @OrNull public var outputChannels: Int?

  /// Makes the value from its parts.
  public init(
    sampleRateHz: Double?,
    ioBufferDurationSeconds: Double?,
    inputChannels: Int?,
    outputChannels: Int?,
  ) {
    self.sampleRateHz = sampleRateHz
    self.ioBufferDurationSeconds = ioBufferDurationSeconds
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
  }
}
