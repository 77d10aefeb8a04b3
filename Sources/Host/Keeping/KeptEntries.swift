// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Mixing
internal import Sessions
internal import Synchronization
internal import SystemSupport

/// The faults of single values, noted while a file is read. [any-thread]
final class ReadingFaults: Sendable {
  /// Its place in a decoder's user information.
  private static let key = CodingUserInfoKey(rawValue: "multiroute.faults")

  private let noted = Mutex<[String]>([])

  /// The faults so far, in the order of the file.
  var all: [String] { noted.withLock { $0 } }

  /// Collects the faults of the values that a decoder reads.
  func collect(of decoder: JSONDecoder) {
    if let key = Self.key { decoder.userInfo[key] = self }
  }

  /// Notes a fault with the place of its value.
  static func note(_ fault: String, at path: [any CodingKey], of decoder: any Decoder) {
    let place = path.map(\.stringValue).joined(separator: ".")
    let faults = key.flatMap { decoder.userInfo[$0] } as? ReadingFaults
    faults?.noted.withLock { $0.append("\(place): \(fault)") }
  }

  /// An error of a decoder in words.
  static func words(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      context.debugDescription
    case .keyNotFound(let key, _): "'\(key.stringValue)' is missing"
    default: "\(error)"
    }
  }
}

/// A value that users may have damaged, and that is brought into its range.
///
/// Pure value: [any-thread].
protocol Repairable: Decodable {
  /// The value in its range.
  ///
  /// - Parameter note: Receives the faults.
  /// - Returns: The value; nil if it has to be left out.
  func repaired(_ note: (String) -> Void) -> Self?
}

/// A dictionary of which entries that cannot be used are left out, and others are kept.
///
/// Pure value: [any-thread].
@propertyWrapper
struct KeptEntries<Value: Repairable & Codable & Sendable & Equatable>: Codable, Sendable, Equatable
{
  var wrappedValue: [String: Value] = [:]

  init(wrappedValue: [String: Value]) { self.wrappedValue = wrappedValue }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: EntryKey.self)
    for key in values.allKeys {
      let path = decoder.codingPath + [key]
      do {
        let value = try values.decode(Value.self, forKey: key)
        wrappedValue[key.stringValue] = value.repaired {
          ReadingFaults.note($0, at: path, of: decoder)
        }
      } catch {
        ReadingFaults.note("left out, \(ReadingFaults.words(error))", at: path, of: decoder)
      }
    }
  }

  func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// The name of an entry.
private struct EntryKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Lenient reading. [any-thread]
extension KeyedDecodingContainer {
  /// Reads the entries of a part that may be missing or of another kind.
  func entries<Value: Repairable & Codable & Sendable & Equatable>(
    _ key: Key,
    of decoder: any Decoder,
  ) -> [String: Value] {
    let entries: KeptEntries<Value>? = part(key, of: decoder)
    return entries?.wrappedValue ?? [:]
  }

  /// Reads a part that may be missing; one that cannot be used is left out.
  func part<Value: Decodable>(_ key: Key, of decoder: any Decoder) -> Value? {
    do {
      return try decodeIfPresent(Value.self, forKey: key)
    } catch {
      let fault = "left out, \(ReadingFaults.words(error))"
      ReadingFaults.note(fault, at: decoder.codingPath + [key], of: decoder)
      return nil
    }
  }
}

// MARK: - Ranges

/// Pure value: [any-thread].
extension Double {
  /// A gain in dB in the range of the mix; nil if it is not a number.
  fileprivate func repairedGain(_ note: (String) -> Void) -> Double? {
    guard !isNaN else {
      note("left out, a gain that is not a number")
      return nil
    }
    guard self > Decibels.maximumGainDB else { return self }
    note("\(self) dB is brought to \(Decibels.maximumGainDB) dB")
    return Decibels.maximumGainDB
  }
}

/// Pure value: [any-thread].
extension KeptLevel: Repairable {
  func repaired(_ note: (String) -> Void) -> Self? {
    var level = self
    guard let gainDB = gainDB.repairedGain(note) else { return nil }
    level.gainDB = gainDB
    return level
  }
}

/// Pure value: [any-thread].
extension KeptPosition: Repairable {
  func repaired(_ note: (String) -> Void) -> Self? {
    guard !position.isNaN else {
      note("left out, a position that is not a number")
      return nil
    }
    guard !(-1...1).contains(position) else { return self }
    note("\(position) is brought into -1 to 1")
    return Self(position: min(max(position, -1), 1), graphPosition: graphPosition)
  }
}

/// Pure value: [any-thread].
extension KeptApp: Repairable {
  func repaired(_ note: (String) -> Void) -> Self? {
    var app = self
    app.gainDB = gainDB?.repairedGain(note)
    if let pan, !(-1...1).contains(pan) {
      note("pan \(pan) is not from -1 to 1")
      app.pan = nil
    }
    return app
  }
}

/// Pure value: [any-thread].
extension KeptState.Permission: Repairable {
  func repaired(_ note: (String) -> Void) -> Self? { self }
}

/// Pure value: [any-thread].
extension FileIdentity: Repairable {
  func repaired(_ note: (String) -> Void) -> Self? { self }
}

/// Pure value: [any-thread].
extension KeptEntries: Repairable {
  func repaired(_ note: (String) -> Void) -> Self? { self }
}

/// Pure value: [any-thread].
extension HardwarePreferences: Repairable {
  func repaired(_ note: (String) -> Void) -> Self? {
    do throws(SessionError) {
      return try HardwarePreferences(
        sampleRateHz: sampleRateHz,
        ioBufferSeconds: ioBufferSeconds,
        inputChannels: inputChannels,
        outputChannels: outputChannels,
        inputGainLinear: inputGainLinear,
      )
    } catch {
      note("left out, \(error)")
      return nil
    }
  }
}

/// Seconds from the start of a file. Pure value: [any-thread].
extension Double: Repairable {
  func repaired(_ note: (String) -> Void) -> Self? {
    guard !(isFinite && self >= 0 && self < 1e9) else { return self }
    note("left out, \(self) is no position in a file")
    return nil
  }
}

/// Days since 1970. Pure value: [any-thread].
extension Int: Repairable {
  func repaired(_ note: (String) -> Void) -> Self? { self }
}
