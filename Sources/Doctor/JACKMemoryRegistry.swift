// SPDX-License-Identifier: MIT

/// The file in which jackd lists its servers and their shared memory.
///
/// It is a header with a table of servers, followed by a table of segments; the header holds the
/// sizes. Numbers are little-endian, as on all machines that it is read on.
///
/// Pure value: [any-thread].
struct JACKMemoryRegistry {
  /// A registered server.
  struct Server: Hashable {
    let pid: Int32
    let name: String
  }

  /// A segment of shared memory.
  struct Segment: Hashable {
    /// The process that made it.
    let pid: Int32
    /// Its file's name in /dev/shm.
    let name: String
    let sizeInBytes: UInt64
  }

  let servers: [Server]
  let segments: [Segment]

  /// Size of the table of servers.
  static let maximumServers = 8
  private static let magic: Int32 = 0x4A41_434B
  private static let serversOffset = 24
  private static let serverSize = 264
  /// The size of the largest possible entry; a larger one is damaged.
  private static let largestEntry = 4096

  /// Reads the file; nil where it is not one or is damaged.
  init?(_ bytes: [UInt8]) {
    guard Self.int32(bytes, 0) == Self.magic,
      let headerSize = Self.int32(bytes, 16).map(Int.init),
      let entrySize = Self.int32(bytes, 20).map(Int.init),
      headerSize == Self.serversOffset + Self.maximumServers * Self.serverSize,
      12..<Self.largestEntry ~= entrySize
    else { return nil }
    servers = (0..<Self.maximumServers).compactMap { index in
      let start = Self.serversOffset + index * Self.serverSize
      guard let pid = Self.int32(bytes, start), pid > 0 else { return nil }
      // `jack-UID:NAME:`
      let full = Self.text(bytes, start + 4, limit: Self.serverSize - 4)
      let parts = full.split(separator: ":")
      return Server(pid: pid, name: parts.count > 1 ? String(parts[1]) : full)
    }
    segments = stride(from: headerSize, to: bytes.count - entrySize + 1, by: entrySize)
      .compactMap { start in
        guard let pid = Self.int32(bytes, start + 4), pid > 0,
          let size = Self.int32(bytes, start + 8)
        else { return nil }
        let name = Self.text(bytes, start + 12, limit: entrySize - 12)
        return Segment(
          pid: pid,
          name: String(name.drop { $0 == "/" }),
          sizeInBytes: UInt64(UInt32(bitPattern: size)),
        )
      }
  }

  private static func int32(_ bytes: [UInt8], _ offset: Int) -> Int32? {
    guard offset + 4 <= bytes.count else { return nil }
    let value = bytes[offset..<offset + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int32(bitPattern: value)
  }

  private static func text(_ bytes: [UInt8], _ offset: Int, limit: Int) -> String {
    let end = min(offset + limit, bytes.count)
    guard offset < end else { return "" }
    return String(decoding: bytes[offset..<end].prefix { $0 != 0 }, as: UTF8.self)
  }
}
