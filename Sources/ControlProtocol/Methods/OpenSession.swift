// SPDX-License-Identifier: MIT

/// Opens an audio session; it ends with this connection, in whatever way that ends (SES-6).
public enum OpenSession: ControlMethod {
  /// The name on the wire.
  public static let name = "openSession"

  /// What the session is.
  public struct Params: ControlParams {
    /// The program, under whose name priority classes and permissions are kept.
    public var app: String
    /// A ready configuration by kind of app.
    public var preset: String?
    /// The category; the preset's usual one, or `soloAmbient`, when left out.
    public var category: String?
    /// The mode; not with a preset.
    public var mode: String?
    /// The options; not with a preset.
    public var options: [String]?
    /// The priority class, `app` when left out.
    public var priorityClass: String?
    /// The JACK output ports that sound through the session's strip: names, globs or `/patterns/`.
    public var ports: [String]?
    /// How many channels its strip has; 2 when left out.
    public var channels: Int?
    /// The output routes that it goes to; those of its category when left out.
    public var routes: [String]?
    /// The sample rate that it would like.
    public var preferredSampleRateHz: Double?
    /// The I/O buffer that it would like.
    public var preferredIOBufferSeconds: Double?

    /// Which SDK version it behaves like (SES-7): `latest`, or `ios7` to `ios27`.
    public var compatibility: String?
    /// What becomes of it in the background (SYS-1, SYS-2): `audio` goes on, `none` ends, `suspend` ends, and requests
    /// wait for its return.
    public var background: String?

    /// Makes the parameters; set what is wanted beside the program's name.
    public init(app: String) { self.app = app }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      SessionField.text("app", "the program's name") { $0.app },
      SessionField.choice("preset", of: SessionField.presets) { $0.preset },
      SessionField.category { $0.category },
      SessionField.mode { $0.mode },
      SessionField.options { $0.options },
      SessionField.choice("priorityClass", of: SessionField.classes) { $0.priorityClass },
      SessionField.list("ports", "JACK port names, globs, or /patterns/", limit: 64) { $0.ports },
      .integer("channels", in: 1...64, "2 when left out") { $0.channels },
      SessionField.list("routes", "names of output routes", limit: 64) { $0.routes },
      SessionField.sampleRate { $0.preferredSampleRateHz },
      SessionField.ioBuffer { $0.preferredIOBufferSeconds },
      SessionField.text("compatibility", "latest, or ios7 to ios27") { $0.compatibility },
      SessionField.choice("background", of: SessionField.backgroundModes) { $0.background },
    ]
  }

  /// How it is called.
  public struct Result: Codable, Sendable, Hashable {
    /// The session's id.
    public var session: String
    /// The id of its strip, `null` when it was opened without ports.
    @OrNull public var strip: String?

    /// Makes the result.
    public init(session: String, strip: String?) {
      self.session = session
      self.strip = strip
    }
  }
}
