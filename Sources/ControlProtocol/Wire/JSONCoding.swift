// SPDX-License-Identifier: MIT

package import FoundationEssentials

/// The JSON settings that both ends share.
///
/// JSON has no infinity: the numbers that it cannot hold travel as the strings `"-inf"`, `"inf"`
/// and `"nan"`. Keys are sorted, so that the same value always gives the same line.
package enum JSONCoding {
  /// Makes an encoder.
  package static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan",
    )
    return encoder
  }

  /// Makes a decoder.
  package static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan",
    )
    return decoder
  }
}
