// SPDX-License-Identifier: MIT

internal import Foundation

/// The seed of all random tests of this process, and generators that come of it.
///
/// A test that draws numbers takes a generator from here, under a name of its own. So it draws the same numbers whichever
/// tests run before it or beside it, and other numbers with another seed.
public enum TestSeed {
  /// The environment variable with the seed, as `7` or as `0x7`.
  static let variable = "MULTIROUTE_TEST_SEED"

  /// The seed where the variable is unset, as in the gate: a red test is red on each machine.
  static let constant: UInt64 = 1

  /// The seed of this process.
  ///
  /// The first look prints it to standard error; a variable that is no number ends the process.
  public static let value: UInt64 = {
    let text = ProcessInfo.processInfo.environment[variable]
    guard let seed = text.map(number) ?? constant else {
      fatalError("\(variable)=\(text ?? ""): give a number from 0 to 2^64 - 1, such as 7 or 0x7")
    }
    FileHandle.standardError.write(Data("seed \(seed)\n".utf8))
    return seed
  }()

  /// The generator of a test.
  ///
  /// - Parameters:
  ///   - name: The name of its sequence: the function it is called in, if left out.
  ///   - number: The round or the argument, for a test that needs several sequences.
  /// - Returns: The generator, at the beginning of its sequence.
  public static func random(
    _ name: String = #function,
    number: Int = 0,
  ) -> SeededRandom {
    SeededRandom(seed: derived(name, number: number))
  }

  /// A seed of a test, for what makes its own generator.
  ///
  /// - Parameters:
  ///   - name: The name of its sequence: the function it is called in, if left out.
  ///   - number: The round or the argument, for a test that needs several sequences.
  /// - Returns: The seed.
  public static func derived(
    _ name: String = #function,
    number: Int = 0,
  ) -> UInt64 {
    derived(from: value, name, UInt64(bitPattern: Int64(number)))
  }

  /// The hash FNV-1a of seed, name and number: the same in each process, as `Hasher` is not.
  package static func derived(from seed: UInt64, _ name: String, _ number: UInt64) -> UInt64 {
    func bytes(_ word: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    return (bytes(seed) + Array(name.utf8) + bytes(number)).reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
  }

  /// The number that a text says, nil where it says none.
  package static func number(_ text: String) -> UInt64? {
    let isHexadecimal = text.lowercased().hasPrefix("0x")
    let digits = text.dropFirst(isHexadecimal ? 2 : 0)
    guard digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt64(digits, radix: isHexadecimal ? 16 : 10)
  }
}
