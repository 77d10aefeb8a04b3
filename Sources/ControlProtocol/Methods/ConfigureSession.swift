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
    /// The route-sharing policy, with a category and a mode; `default` when left out.
    public var policy: String?
    /// The sample rate that it would like; 0 is no wish.
    public var preferredSampleRateHz: Double?
    /// The I/O buffer that it would like; 0 is no wish.
    public var preferredIOBufferSeconds: Double?

    /// How many input channels it would like.
    public var preferredInputChannels: Int?
    /// How many output channels it would like.
    public var preferredOutputChannels: Int?
    /// The gain of the input, linear.
    public var inputGain: Double?

    /// Makes the parameters; set what is to change.
    public init(session: String) { self.session = session }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .session,
      SessionField.category { $0.category },
      SessionField.mode { $0.mode },
      SessionField.options { $0.options },
      SessionField.choice("policy", of: SessionField.policies) { $0.policy },
      SessionField.sampleRate { $0.preferredSampleRateHz },
      SessionField.ioBuffer { $0.preferredIOBufferSeconds },
      .integer("preferredInputChannels", in: 1...1_024, "channels") { $0.preferredInputChannels },
      .integer("preferredOutputChannels", in: 1...1_024, "channels") {
        $0.preferredOutputChannels
      },
      .number("inputGain", in: 0...1, "linear") { $0.inputGain },
    ]
  }

  /// When it was carried out.
  public typealias Result = Applied
}
