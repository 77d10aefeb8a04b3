// SPDX-License-Identifier: MIT

public import Sessions

/// Opens an audio session; it ends with this connection, however the connection ends (SES-6).
///
/// Pure value: [any-thread].
public enum OpenSession: ControlMethod {
  /// The name on the wire.
  public static let name = "openSession"

  /// Everybody may open a session; a class above `app` beats or lowers the sessions of others.
  public static func access(of params: Params) -> MethodAccess {
    (params.priorityClass ?? .app) == .app ? .everybody : .priorityClass(app: params.app)
  }

  /// The session's description.
  public struct Params: ControlParams {
    /// The program, under whose name priority classes and permissions are kept.
    public var app: String
    /// A ready configuration by kind of app.
    @NamedIfPresent public var preset: Preset?
    /// The category; the preset's usual one, or `soloAmbient`, when left out.
    @NamedIfPresent public var category: Category?
    /// The mode; not with a preset.
    @NamedIfPresent public var mode: Mode?
    /// The options; not with a preset.
    @OptionNamesIfPresent public var options: CategoryOptions?
    /// The priority class, `app` when left out.
    @NamedIfPresent public var priorityClass: PriorityClass?
    /// The JACK output ports that sound through the session's strip: names, globs or `/patterns/`.
    public var ports: [String]?
    /// The sound file that the host plays in the session, from its activation on; not with `ports`.
    public var file: String?
    /// Where in the file it begins; the default is 0.
    public var startSeconds: Double?
    /// The number of channels of its strip; the default is 2, or those of the file.
    public var channels: Int?
    /// Its output routes; the default is those of its category.
    public var routes: [String]?
    /// The preferred sample rate.
    public var preferredSampleRateHz: Double?
    /// The preferred I/O buffer.
    public var preferredIOBufferSeconds: Double?

    /// The SDK version whose behaviour it follows (SES-7): `latest`, or `ios7` to `ios27`.
    @NamedIfPresent public var compatibility: Compatibility?
    /// Its treatment in the background (SYS-1, SYS-2): `audio` continues, `none` ends its audio,
    /// `suspend` also makes requests wait for its return.
    @NamedIfPresent public var background: Background?
    /// A tag for its music: `background` falls silent while another app's music plays (SYS-6).
    @NamedIfPresent public var music: MusicTag?
    /// Whether hardware values that it prefers while active take effect at once, not at its next activation (HW-1); the
    /// default is the graph file's.
    public var appliesPreferencesAtOnce: Bool?
    /// Whether it is activated at once, as by ``ActivateSession``: where that is refused, the session is not opened either.
    public var activates: Bool?
    /// Whether it plays system sounds: it is never active, and heard beside everything (PLR-5); only without
    /// `preset` and `category`.
    public var systemSounds: Bool?

    /// Makes the parameters of a program; set further ones as needed.
    public init(app: String) { self.app = app }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      SessionField.app { $0.app },
      SessionField.named("preset", Preset.self),
      SessionField.named("category", Category.self),
      SessionField.named("mode", Mode.self),
      SessionField.options(),
      SessionField.named("priorityClass", PriorityClass.self),
      SessionField.ports { $0.ports },
      fileField,
      .number("startSeconds", in: 0...1e9, "seconds from the start of the file; 0 when left out") {
        $0.startSeconds
      },
      .integer("channels", in: 1...64, "2, or those of the file, when left out") { $0.channels },
      SessionField.list("routes", "names of output routes", limit: 64) { $0.routes },
      SessionField.sampleRate { $0.preferredSampleRateHz },
      SessionField.ioBuffer { $0.preferredIOBufferSeconds },
      SessionField.named("compatibility", Compatibility.self),
      SessionField.named("background", Background.self),
      SessionField.named("music", MusicTag.self),
      ParamField("appliesPreferencesAtOnce", allowed: "true or false"),
      ParamField("activates", allowed: "true or false; not with systemSounds") {
        $0.activates == true && $0.systemSounds == true ? "systemSounds is true, too" : nil
      },
      ParamField("systemSounds", allowed: "true or false; true without preset and category") {
        $0.systemSounds == true && ($0.preset != nil || $0.category != nil)
          ? "it is true, with a preset or category" : nil
      },
    ]
  }

  private static let fileField = ParamField<Params>(
    "file",
    allowed: "the absolute path of a sound file, 2 to 4095 bytes without NUL; not with ports or "
      + "systemSounds",
  ) {
    guard let path = $0.file else { return nil }
    guard path.hasPrefix("/"), (2...4_095).contains(path.utf8.count), !path.utf8.contains(0) else {
      return "it is no absolute path"
    }
    return $0.ports != nil || $0.systemSounds == true ? "ports or systemSounds are given, too" : nil
  }

  /// The treatment of a session whose program is in the background.
  public enum Background: String, CaseIterable, WireNamed {
    /// It continues (SYS-1).
    case audio
    /// It is interrupted.
    case none
    /// It is interrupted, and its requests wait for the program's return (SYS-2).
    case suspend
  }

  /// The names of the new session.
  public struct Result: Codable, Sendable, Hashable {
    /// The session's id.
    public var session: String
    /// The id of its strip, `null` if it was opened without ports.
    @OrNull public var strip: String?

    /// Makes the result.
    public init(session: String, strip: String?) {
      self.session = session
      self.strip = strip
    }
  }
}

/// Ends a session; those it interrupted may resume.
///
/// Pure value: [any-thread].
public enum CloseSession: ControlMethod {
  /// The name on the wire.
  public static let name = "closeSession"

  /// A session is its program's and the user's.
  public static func access(of params: Params) -> MethodAccess { .session(params.session) }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String

    /// Makes the parameters.
    public init(session: String) { self.session = session }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [.session]
  }

  /// When it falls silent and others come back.
  public typealias Result = Applied
}
