// SPDX-License-Identifier: MIT

/// Changes a session's category, mode, options or preferred hardware values; what is left out stays.
///
/// `category` and `options` belong together: a new category without `options` has none.
public enum ConfigureSession: ControlMethod {
  /// The name on the wire.
  public static let name = "configureSession"

  /// What to change.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String
    /// The category.
    public var category: String?
    /// The mode.
    public var mode: String?
    /// The options.
    public var options: [String]?
    /// The sample rate that it would like; 0 is no wish.
    public var preferredSampleRateHz: Double?
    /// The I/O buffer that it would like; 0 is no wish.
    public var preferredIOBufferSeconds: Double?

    /// Makes the parameters; set what is to change.
    public init(session: String) { self.session = session }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .session,
      SessionField.category { $0.category },
      SessionField.mode { $0.mode },
      SessionField.options { $0.options },
      SessionField.sampleRate { $0.preferredSampleRateHz },
      SessionField.ioBuffer { $0.preferredIOBufferSeconds },
    ]
  }

  /// When it was carried out.
  public typealias Result = Applied
}
