// SPDX-License-Identifier: MIT

public import Sessions

/// Everything that another version of the graph does to a running host: the result of ``ApplyGraph``.
///
/// Pure value: [any-thread].
public struct GraphPlan: Codable, Sendable, Hashable {
  /// The differences of the two versions, in the order of the reference of graph files.
  public var changes: [Change]
  /// The audible part of it; strips and routes without an entry go on sample for sample.
  public var heard: [Heard]
  /// The sessions that are heard in another way, open or end, or may record or no longer.
  public var sessions: [SessionChange]
  /// The hardware values that change.
  public var hardware: [HardwareChange]
  /// The change of the connection with the JACK server; `null` for none.
  @OrNull public var server: ServerChange?

  /// Whether the two versions are the same.
  public var isEmpty: Bool { changes.isEmpty }

  /// Makes a plan without anything to do.
  public init() {
    changes = []
    heard = []
    sessions = []
    hardware = []
  }
}

extension GraphPlan {
  /// One part of the graph that differs.
  public struct Change: Codable, Sendable, Hashable {
    /// The kind of difference.
    public enum Kind: String, WireNamed, CaseIterable {
      /// Only the new version has it.
      case added
      /// Both have it, with other values.
      case changed
      /// Only the old version has it.
      case gone
      /// Both have it, by another name.
      case renamed
    }

    /// The part, such as `source deck-a`.
    public var part: String
    /// The kind of difference.
    @NamedIfKnown public var kind: Kind?
    /// The old name of a renamed part; left out for others.
    public var was: String?
    /// The values that differ, as the file writes them; empty for added and gone parts.
    public var values: [Value]

    /// Makes the value from its parts.
    public init(part: String, kind: Kind, was: String? = nil, values: [Value] = []) {
      self.part = part
      _kind = NamedIfKnown(kind)
      self.was = was
      self.values = values
    }
  }

  /// A value that differs.
  public struct Value: Codable, Sendable, Hashable {
    /// The key, with those above it inside of the part.
    public var key: String
    /// The old value, `null` for none.
    @OrNull public var from: String?
    /// The new value, `null` for none.
    @OrNull public var to: String?

    /// Makes the value from its parts.
    public init(key: String, from: String?, to: String?) {
      self.key = key
      self.from = from
      self.to = to
    }
  }

  /// An audible change of a strip, a route, or the send between them.
  public struct Heard: Codable, Sendable, Hashable {
    /// The kind of audible change.
    public enum Effect: String, WireNamed, CaseIterable {
      /// It begins with a fade.
      case fadesIn
      /// It ends with a fade.
      case fadesOut
      /// A level moves to another one.
      case ramps
      /// It fades out, is silent for a time, and fades in.
      case pauses
    }

    /// The strip's id; left out for a route.
    public var strip: String?
    /// The route's name; left out for a strip, and there beside the strip for a send.
    public var route: String?
    /// The kind of audible change.
    @NamedIfKnown public var effect: Effect?
    /// The length of each fade or ramp.
    public var rampMilliseconds: Double
    /// The silence between the fades of a pause; 0 for others, `null` where its length is not known before.
    @OrNull public var silentMilliseconds: Double?
    /// The reason, in words.
    public var reason: String

    /// Makes the value from its parts.
    public init(
      strip: String? = nil,
      route: String? = nil,
      effect: Effect,
      rampMilliseconds: Double,
      silentMilliseconds: Double? = 0,
      reason: String,
    ) {
      self.strip = strip
      self.route = route
      _effect = NamedIfKnown(effect)
      self.rampMilliseconds = rampMilliseconds
      self.silentMilliseconds = silentMilliseconds
      self.reason = reason
    }
  }

  /// A session that is treated in another way.
  public struct SessionChange: Codable, Sendable, Hashable {
    /// The change of a session.
    public enum Effect: String, WireNamed, CaseIterable {
      /// A session begins.
      case opens
      /// It ends.
      case ends
      /// It is interrupted.
      case interrupted
      /// Its interruption ends.
      case resumes
      /// It falls silent without an interruption.
      case silenced
      /// It is heard again.
      case heard
      /// It is lowered, or lowered to another level.
      case ducked
      /// It is no longer lowered.
      case restored
      /// It may no longer record.
      case losesRecording
      /// It may record now.
      case mayRecord
    }

    /// The session's id.
    public var session: String
    /// Its program.
    public var app: String
    /// The kind of change.
    @NamedIfKnown public var effect: Effect?
    /// The reason, in words.
    public var reason: String

    /// Makes the value from its parts.
    public init(session: String, app: String, effect: Effect, reason: String) {
      self.session = session
      self.app = app
      _effect = NamedIfKnown(effect)
      self.reason = reason
    }
  }

  /// A hardware value that changes.
  public struct HardwareChange: Codable, Sendable, Hashable {
    /// The value's name: `sampleRateHz` or `ioBufferFrames`.
    public var value: String
    /// The actual value now.
    public var from: Int
    /// The value that is asked for.
    public var to: Int

    /// Makes the value from its parts.
    public init(value: String, from: Int, to: Int) {
      self.value = value
      self.from = from
      self.to = to
    }
  }

  /// A change of the connection with the JACK server.
  public struct ServerChange: Codable, Sendable, Hashable {
    /// The kind of change.
    public enum Effect: String, WireNamed, CaseIterable {
      /// A running host does not take this version: stop it, and start it with this graph.
      case hostStartsAgain
      /// The host ends its own server and starts another one.
      case restarts
      /// The host leaves its server and goes over to one with other settings, which it starts if it may.
      case changes
    }

    /// The kind of change.
    @NamedIfKnown public var effect: Effect?
    /// How long everything is silent, after the time that the last attachment took; `null` where it is not known.
    @OrNull public var silentMilliseconds: Double?
    /// The reason, in words.
    public var reason: String

    /// Makes the value from its parts.
    public init(effect: Effect, silentMilliseconds: Double?, reason: String) {
      _effect = NamedIfKnown(effect)
      self.silentMilliseconds = silentMilliseconds
      self.reason = reason
    }
  }
}

/// The version of the graph that is in force.
///
/// Pure value: [any-thread].
public struct GraphVersion: Codable, Sendable, Hashable {
  /// The number of the version: 1 for the graph of the host's start.
  public var number: Int
  /// The path of the graph file.
  public var path: String
  /// SHA-256 of its text in hexadecimal, `null` where the host was not given the text.
  @OrNull public var digest: String?
  /// When it came into force, in seconds since 1970-01-01 UTC.
  public var sinceSeconds: Double

  /// Makes the value from its parts.
  public init(number: Int, path: String, digest: String?, sinceSeconds: Double) {
    self.number = number
    self.path = path
    self.digest = digest
    self.sinceSeconds = sinceSeconds
  }
}
