// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// A process for good: its id alone is used again after its end.
///
/// Pure value: [any-thread].
struct ProcessIdentity: Codable, Equatable {
  let pid: Int32
  /// The time of its start, in clock ticks since the machine's.
  let startTicks: UInt64
  /// The namespace in which the id counts; containers have their own, and may share the store.
  let namespace: String?

  /// The process that has an id now; nil without one.
  init?(pid: Int32, on machine: Machine = .this) {
    guard let startTicks = machine.startTicks(of: pid) else { return nil }
    self.pid = pid
    self.startTicks = startTicks
    namespace = Self.namespace(on: machine)
  }

  /// Whether it has ended, or is about to; false for a process of another container, which cannot be seen.
  func hasEnded(on machine: Machine = .this) -> Bool {
    guard namespace == Self.namespace(on: machine) else { return false }
    return machine.startTicks(of: pid) != startTicks || machine.state(of: pid) == .ended
  }

  private static func namespace(on machine: Machine) -> String? {
    machine.link("/proc/self/ns/pid")
  }
}

/// The mark of a described client or port: the processes that it lives with, and the values that it was given.
///
/// All servers of a user share one store of metadata, and number their clients and ports alike. The mark tells whose number is meant,
/// and is a property itself, so that it ends with the store. Pure value: [any-thread].
struct DescriptionOwner: Codable, Equatable {
  /// The key of the mark.
  static let key = MetadataKey(rawValue: "urn:multiroute:metadata-owner")
  /// The beginning of keys that no other program uses.
  private static let ownKeys = "urn:multiroute:"

  /// The program whose client it is.
  var writer: ProcessIdentity?
  /// Its server.
  var server: ProcessIdentity?
  /// The texts by key.
  var values: [String: String]

  init(writer: ProcessIdentity?, server: ProcessIdentity?, values: [String: String]) {
    self.writer = writer
    self.server = server
    self.values = values
  }

  /// Reads a mark; nil for another text.
  init?(_ text: String?) {
    guard let text, let owner = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = owner
  }

  /// The mark as text.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Whether the client is gone: its program or its server has ended, or the program is `pid`, whose end is known.
  func isLeft(afterEndOf pid: Int32? = nil, on machine: Machine = .this) -> Bool {
    if let pid, writer?.pid == pid { return true }
    return [writer, server].contains { $0?.hasEnded(on: machine) == true }
  }

  /// The properties to remove for a client that is gone, the mark last, of those that its subject has at `present`.
  ///
  /// Those that others have changed since stay.
  func leftovers(of present: [String: String]) -> [(key: String, text: String)] {
    present
      .filter { key, text in
        key != Self.key.rawValue && (values[key] == text || key.hasPrefix(Self.ownKeys))
      }
      .map { (key: $0.key, text: $0.value) }
      + [(key: Self.key.rawValue, text: present[Self.key.rawValue] ?? self.text)]
  }
}
