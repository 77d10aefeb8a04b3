// SPDX-License-Identifier: MIT

/// The keys of a source's `tone`.
enum ToneKey: String, SectionKey {
  static let section = "tone"
  case wave, frequency, level
}

extension GraphFile.Source.Tone {
  init(_ section: Section<ToneKey>) {
    wave = section[.wave]?.choice() ?? wave
    frequencyHz = section[.frequency]?.frequencyHz(in: 0.1...96_000) ?? frequencyHz
    levelDB = section[.level]?.decibels(in: -.infinity...0) ?? levelDB
    if wave == .pinkNoise {
      section[.frequency]?.error("means nothing for 'pinkNoise'; remove it")
    }
  }
}
