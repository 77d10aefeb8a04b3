// SPDX-License-Identifier: MIT

/// Stops a recorder; answers when its file is closed.
public enum StopRecording: ControlMethod {
  /// The name on the wire.
  public static let name = "stopRecording"

  /// Which one.
  public struct Params: ControlParams {
    /// The recorder's name.
    public var recorder: String

    /// Makes the parameters.
    public init(recorder: String) { self.recorder = recorder }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      ParamField("recorder", allowed: "a recorder's name, a string")
    ]
  }

  /// What became of the recording.
  public typealias Result = RecorderStatus
}
