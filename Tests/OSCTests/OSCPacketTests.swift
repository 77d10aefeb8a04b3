// SPDX-License-Identifier: MIT

import OSC
import TestSupport
import Testing

@Suite
struct OSCPacketTests {
  private func packet(_ path: String, _ values: [OSCValue] = []) -> OSCPacket {
    .message(OSCMessage(path, values))
  }

  @Test func `OSC-1, OSC-T1 a number and a switch have the bytes of the format`() throws {
    let number: [UInt8] = [0x2F, 0x61, 0, 0, 0x2C, 0x69, 0, 0, 0, 0, 0, 1]
    #expect(packet("/a", [.integer(1)]).bytes == number)
    #expect(try OSCPacket(bytes: number) == packet("/a", [.integer(1)]))
    let flag: [UInt8] = [0x2F, 0x61, 0, 0, 0x2C, 0x54, 0, 0]
    #expect(packet("/a", [.flag(true)]).bytes == flag)
    #expect(try OSCPacket(bytes: flag) == packet("/a", [.flag(true)]))
  }

  @Test func `OSC-2 values of all types come back as they were`() throws {
    let all: [OSCValue] = [
      .text("deck a"), .integer(-5), .float(0.25), .blob([1, 2, 3]), .long(1 << 40), .double(-0.1),
      .time(OSCTime(bits: 0x1234_5678_9ABC_DEF0)), .symbol("name"), .character(65),
      .color(0xFF80_0040), .midi(0x0090_407F), .flag(true), .flag(false), .null, .impulse,
      .text(""), .float(-.infinity), .text("ä"),
    ]
    let sent = packet("/strip/deck-a/gain", all)
    #expect(sent.bytes.count.isMultiple(of: 4))
    #expect(try OSCPacket(bytes: sent.bytes) == sent)
  }

  @Test func `OSC-3 a message without types has no values`() throws {
    #expect(try OSCPacket(bytes: Array("/abc\0\0\0\0".utf8)) == packet("/abc"))
    #expect(try OSCPacket(bytes: packet("/abc").bytes) == packet("/abc"))
  }

  @Test func `OSC-4 bundles keep their time, their order and their bundles`() throws {
    let inner = OSCBundle(at: .immediately, [packet("/c", [.float(1)])])
    let outer = OSCPacket.bundle(
      OSCBundle(
        at: OSCTime(secondsSince1970: 1_700_000_000.5),
        [packet("/a", [.integer(1)]), packet("/b"), .bundle(inner)]
      )
    )
    #expect(outer.bytes.starts(with: Array("#bundle\0".utf8)))
    let read = try OSCPacket(bytes: outer.bytes)
    #expect(read == outer)
    #expect(read.messages.map(\.path) == ["/a", "/b", "/c"])
    guard case .bundle(let bundle) = read else { return }
    #expect(bundle.time.secondsSince1970 == 1_700_000_000.5)
  }

  @Test(arguments: [
    "", "a", "/a", "/abc", "/a\0\0,i\0\0", "/a\0\0,i\0\0\0\0\0", "/a\0\0,s\0\0abcd",
    "/a\0\0,b\0\0\u{7F}\u{7F}\u{7F}\u{7F}", "/a\0\0i\0\0\0", "/a\0\0,[i]\0\0\0\0",
    "/a\0x,i\0\0\0\0\0\0",
    "#bundle\0\0\0", "#bundle\0\0\0\0\0\0\0\0\u{1}\0\0\0\u{9}/a\0\0", "/a\0\0,N\0\0\0\0\0\0",
  ])
  func `packets of the wrong length, type or padding are refused`(text: String) {
    #expect(throws: OSCError.self) { try OSCPacket(bytes: Array(text.utf8)) }
  }

  @Test(arguments: [",[ff]\0\0\0", ",f]\0"])
  func `arrays are refused with the address and the reason`(types: String) throws {
    let bytes = Array("/a\0\0\(types)".utf8) + [UInt8](repeating: 0, count: 8)
    let error = #expect(throws: OSCError.self) { try OSCPacket(bytes: bytes) }
    #expect(error?.description.hasPrefix("/a: no parameter takes an array") == true)
  }

  @Test func `packets with too many or too deep parts are refused`() {
    var nested = packet("/a")
    for _ in 0...OSCLimits.depth { nested = .bundle(OSCBundle([nested])) }
    #expect(throws: OSCError.self) { try OSCPacket(bytes: nested.bytes) }
    let many = OSCPacket.bundle(
      OSCBundle(Array(repeating: packet("/a"), count: OSCLimits.elements))
    )
    #expect(throws: OSCError.self) { try OSCPacket(bytes: many.bytes) }
    let long = packet("/a", Array(repeating: .null, count: OSCLimits.values + 1))
    #expect(throws: OSCError.self) { try OSCPacket(bytes: long.bytes) }
  }

  @Test func `mutated packets are read or refused, and read ones come back`() throws {
    var random = TestSeed.random()
    let seeds: [OSCPacket] = [
      packet("/strip/deck-a/gain", [.float(-6), .text("x"), .blob([1, 2, 3, 4, 5])]),
      packet("/a", [.long(1), .double(2), .midi(3), .color(4), .symbol("s"), .time(.immediately)]),
      .bundle(OSCBundle([packet("/a", [.integer(1)]), .bundle(OSCBundle([packet("/b")]))])),
    ]
    var readCount = 0
    for round in 0..<100_000 {
      var bytes = seeds[round % seeds.count].bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeLast(min(bytes.count - 1, Int.random(in: 1...8, using: &random)))
        default: bytes.insert(0xFF, at: place)
        }
      }
      guard let read = try? OSCPacket(bytes: bytes) else { continue }
      readCount += 1
      // Not a number differs from itself, so bytes are compared.
      if !read.messages.contains(where: { $0.path.contains("\u{FFFD}") || $0.hasBrokenText }) {
        let written = read.bytes
        #expect(try OSCPacket(bytes: written).bytes == written)
      }
    }
    #expect(readCount > 1_000)
  }
}

extension OSCMessage {
  fileprivate var hasBrokenText: Bool { values.contains { $0.text.contains("\u{FFFD}") } }
}
