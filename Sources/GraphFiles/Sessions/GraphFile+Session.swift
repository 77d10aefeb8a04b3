// SPDX-License-Identifier: MIT

public import Sessions

extension GraphFile {
  /// The audio session of the host itself.
  ///
  /// The names are those of `AVAudioSession`.
  public struct Session: Sendable, Equatable {
    /// The category.
    public var category = Category.multiRoute
    /// The mode.
    public var mode = Mode.default
    /// The options, in the order of the file.
    public var options: [CategoryOptions] = []
    /// The preferences for hardware values.
    public var preferred = Preferred()
    /// The answer to another program that changes a preferred value.
    public var enforcement = Enforcement.always
  }
}

extension GraphFile.Session {
  /// The host's answer to another program that changes a preferred hardware value (HW-2).
  public enum Enforcement: String, Sendable, Equatable {
    /// The preferred value is put back.
    case always = "true"
    /// The change stays, and the preference does.
    case never = "false"
    /// The change counts as a user's choice, and replaces the preference.
    case users
  }
}

extension GraphFile.Session {
  /// The preferences for hardware values; nil leaves a value as it is.
  public struct Preferred: Sendable, Equatable {
    /// The I/O buffer length.
    public var ioBuffer: IOBuffer?
    /// The sample rate, 8,000…384,000 Hz.
    public var sampleRateHz: Int?
    /// Input channels, 1…768.
    public var inputChannels: Int?
    /// Output channels, 1…768.
    public var outputChannels: Int?
  }

  /// The preferred length of the I/O buffer, in the unit of the file.
  public enum IOBuffer: Sendable, Equatable {
    /// A duration, 100 µs…1 s; frames follow from the sample rate.
    case duration(Duration)
    /// A number of frames, 16…8,192.
    case frames(Int)
  }
}

/// The keys of `session`.
enum SessionKey: String, SectionKey {
  static let section = "session"
  case category, mode, options, preferred, enforce
}

/// The keys of `session.preferred`.
enum PreferredKey: String, SectionKey {
  static let section = "preferred"
  case ioBufferDuration, ioBufferFrames, sampleRate, inputChannels, outputChannels
}

extension GraphFile.Session {
  init(_ section: Section<SessionKey>) {
    category = section[.category]?.category() ?? category
    mode = section[.mode]?.mode() ?? mode
    options = section[.options]?.categoryOptions() ?? options
    if let keys: Section<PreferredKey> = section[.preferred]?.section() {
      preferred = Preferred(keys)
    }
    enforcement = section[.enforce]?.enforcement() ?? enforcement
  }
}

extension Field {
  /// `true`, `false` or `users`.
  fileprivate func enforcement() -> GraphFile.Session.Enforcement? {
    switch flag(orWord: GraphFile.Session.Enforcement.users.rawValue) {
    case .flag(true): .always
    case .flag(false): .never
    case .word: .users
    case nil: nil
    }
  }
}

extension GraphFile.Session.Preferred {
  init(_ section: Section<PreferredKey>) {
    if let rate = section[.sampleRate]?.frequencyHz(in: 8_000...384_000) {
      sampleRateHz = Int(rate.rounded())
    }
    let duration = section[.ioBufferDuration]?.duration(in: .microseconds(100)...(.seconds(1)))
    let frames = section[.ioBufferFrames]?.integer(in: Self.frameLimits)
    ioBuffer = frames.map { .frames($0) } ?? duration.map { .duration($0) }
    if section[.ioBufferFrames] != nil, let other = section[.ioBufferDuration] {
      other.error("'ioBufferFrames' says it too; keep one of the two")
    }
    let channels = 1...GraphFile.portLimit
    inputChannels = section[.inputChannels]?.integer(in: channels)
    outputChannels = section[.outputChannels]?.integer(in: channels)
    checkFrames(of: section[.ioBufferDuration])
  }

  /// The buffer sizes that JACK servers run at.
  public static let frameLimits = 16...8_192

  /// Reports a duration that no buffer size can give at the preferred rate.
  private func checkFrames(of field: Field?) {
    guard let field, case .duration(let duration) = ioBuffer, let sampleRateHz else { return }
    let frames = Int((duration.nanoseconds * Double(sampleRateHz) / 1e9).rounded())
    if !Self.frameLimits.contains(frames) {
      field.error(
        "\(duration.graphText) is \(frames) frames at \(sampleRateHz) Hz; allowed: "
          + "\(Self.frameLimits.lowerBound) … \(Self.frameLimits.upperBound) frames"
      )
    }
  }
}
