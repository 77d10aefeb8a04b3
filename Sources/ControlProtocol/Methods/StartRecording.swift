// SPDX-License-Identifier: MIT

/// Starts a recorder: one that the graph names, or a new one of any strip or route.
public enum StartRecording: ControlMethod {
  /// The name on the wire.
  public static let name = "startRecording"

  /// What to record.
  public struct Params: ControlParams {
    /// The recorder's name.
    public var recorder: String
    /// The strip or route of a new recorder; nothing else is needed for one that exists.
    public var from: String?
    /// The absolute path of a new recorder's file.
    public var file: String?
    /// `wav` or `flac`; by the file's name when `nil`.
    public var format: String?
    /// `pcm16`, `pcm24` or `float32`; the format's usual one when `nil`.
    public var samples: String?
    /// After how many seconds a new file is begun.
    public var splitAfterSeconds: Double?
    /// Before how many bytes of samples a new file is begun.
    public var splitSizeBytes: Int?

    /// Makes the parameters.
    public init(
      recorder: String,
      from: String? = nil,
      file: String? = nil,
      format: String? = nil,
      samples: String? = nil,
      splitAfterSeconds: Double? = nil,
      splitSizeBytes: Int? = nil,
    ) {
      self.recorder = recorder
      self.from = from
      self.file = file
      self.format = format
      self.samples = samples
      self.splitAfterSeconds = splitAfterSeconds
      self.splitSizeBytes = splitSizeBytes
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      ParamField("recorder", allowed: "a name of 1 to 40 bytes") {
        (1...40).contains($0.recorder.utf8.count) ? nil : "the name is empty or too long"
      },
      ParamField("from", allowed: "a strip's id or a route's name; together with file"),
      ParamField("file", allowed: "an absolute path; together with from") {
        ($0.file?.hasPrefix("/") ?? true) ? nil : "the path is not absolute"
      },
      ParamField("format", allowed: "wav or flac") {
        $0.format.map { ["wav", "flac"].contains($0) } ?? true ? nil : "it is no such format"
      },
      ParamField("samples", allowed: "pcm16, pcm24 or float32 (wav only)") {
        $0.samples.map { ["pcm16", "pcm24", "float32"].contains($0) } ?? true
          ? nil : "it is no such format"
      },
      .number("splitAfterSeconds", in: 1...86_400, "seconds") { $0.splitAfterSeconds },
      ParamField(
        "splitSizeBytes",
        allowed: "a whole number from 1000000 to 1000000000000, bytes; without splitAfterSeconds",
        isWhole: true,
      ) {
        guard let bytes = $0.splitSizeBytes else { return nil }
        guard (1_000_000...1_000_000_000_000).contains(bytes) else {
          return "\(bytes) is out of range"
        }
        return $0.splitAfterSeconds == nil ? nil : "files are split after seconds already"
      },
    ]
  }

  /// Where the recorder stands.
  public typealias Result = RecorderStatus
}
