// SPDX-License-Identifier: MIT

public import Sessions

/// Starts a recorder: one that the graph names, or a new one of any strip or route.
///
/// Pure value: [any-thread].
public enum StartRecording: ControlMethod {
  /// The name on the wire.
  public static let name = "startRecording"

  /// The formats of files.
  ///
  /// The graph file's `Format` and `Samples` have the same names: the protocol depends on no graph files.
  public enum Format: String, CaseIterable, WireNamed {
    /// WAV, or RF64 past 4 GiB.
    case wav
    /// Lossless, half the size, at most 8 channels.
    case flac

    /// The names that are allowed, in words.
    public static let allowed = "wav or flac"
  }

  /// How a sample is stored.
  public enum Samples: String, CaseIterable, WireNamed {
    /// 16 bit integers.
    case pcm16
    /// 24 bit integers.
    case pcm24
    /// 32 bit floats; WAV only.
    case float32

    /// The names that are allowed, in words.
    public static let allowed = "pcm16, pcm24 or float32 (wav only)"
  }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The recorder's name.
    public var recorder: String
    /// The strip or route of a new recorder; an existing recorder needs only its name.
    public var from: String?
    /// The absolute path of a new recorder's file.
    public var file: String?
    /// The file's format; by the file's name when `nil`.
    @NamedIfPresent public var format: Format?
    /// How samples are stored; in the format's usual way when `nil`.
    @NamedIfPresent public var samples: Samples?
    /// After how many seconds a new file is begun.
    public var splitAfterSeconds: Double?
    /// Before how many bytes of samples a new file is begun.
    public var splitSizeBytes: Int?

    /// Makes the parameters.
    public init(
      recorder: String,
      from: String? = nil,
      file: String? = nil,
      format: Format? = nil,
      samples: Samples? = nil,
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

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField("recorder", allowed: "a name of 1 to 40 bytes") {
        (1...40).contains($0.recorder.utf8.count) ? nil : "the name is empty or too long"
      },
      ParamField("from", allowed: "a strip's id or a route's name; together with file"),
      ParamField("file", allowed: "an absolute path; together with from") {
        ($0.file?.hasPrefix("/") ?? true) ? nil : "the path is not absolute"
      },
      SessionField.named("format", Format.self),
      SessionField.named("samples", Samples.self),
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

  /// The state of the recorder.
  public typealias Result = RecorderStatus
}

/// Stops a recorder; answers when its file is closed.
///
/// Pure value: [any-thread].
public enum StopRecording: ControlMethod {
  /// The name on the wire.
  public static let name = "stopRecording"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The recorder's name.
    public var recorder: String

    /// Makes the parameters.
    public init(recorder: String) { self.recorder = recorder }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField("recorder", allowed: "a recorder's name, a string")
    ]
  }

  /// The state of the recorder.
  public typealias Result = RecorderStatus
}
