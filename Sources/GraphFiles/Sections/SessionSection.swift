// SPDX-License-Identifier: MIT

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
    enforcesPreferredValues = section[.enforce]?.flag() ?? enforcesPreferredValues
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
  private static let frameLimits = 16...8_192

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
