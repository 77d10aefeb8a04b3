// SPDX-License-Identifier: MIT

/// The division of a TCP stream into packets: SLIP of OSC 1.1, or a size before each packet as in OSC 1.0 (OSC-7).
///
/// The first byte of a stream tells which. Pure value: [any-thread].
package struct OSCFraming: Sendable {
  private enum Kind { case slip, sized }

  private static let end: UInt8 = 0xC0
  private static let escape: UInt8 = 0xDB
  private static let escapedEnd: UInt8 = 0xDC
  private static let escapedEscape: UInt8 = 0xDD

  private var kind: Kind?
  private var bytes: [UInt8] = []
  private var isEscaped = false

  /// Makes the framing of a new stream.
  package init() {}

  /// Takes in bytes of the stream.
  ///
  /// - Returns: The packets that are complete now.
  /// - Throws: ``OSCError`` if the stream cannot be divided; it is of no use any more.
  package mutating func take(_ received: some Sequence<UInt8>) throws(OSCError) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    for byte in received {
      if kind == nil { kind = byte == Self.end ? .slip : .sized }
      switch kind {
      case .slip: try takeEscaped(byte, &packets)
      default: try takeSized(byte, &packets)
      }
    }
    return packets
  }

  /// A packet as it is sent on this stream; streams that have not sent anything get SLIP.
  package func framed(_ packet: [UInt8]) -> [UInt8] {
    if case .sized = kind {
      let size = UInt32(packet.count)
      return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> UInt32($0)) } + packet
    }
    var framed = [Self.end]
    for byte in packet {
      switch byte {
      case Self.end: framed += [Self.escape, Self.escapedEnd]
      case Self.escape: framed += [Self.escape, Self.escapedEscape]
      default: framed.append(byte)
      }
    }
    return framed + [Self.end]
  }

  private mutating func takeEscaped(_ byte: UInt8, _ packets: inout [[UInt8]]) throws(OSCError) {
    switch (isEscaped, byte) {
    case (true, Self.escapedEnd): bytes.append(Self.end)
    case (true, Self.escapedEscape): bytes.append(Self.escape)
    case (true, _): throw OSCError("the byte \(byte) follows an escape of SLIP")
    case (false, Self.end):
      // Packets have an end before and after them, so empty ones lie between two.
      if !bytes.isEmpty { packets.append(bytes) }
      bytes = []
    case (false, Self.escape): break
    case (false, _): bytes.append(byte)
    }
    isEscaped = !isEscaped && byte == Self.escape
    guard bytes.count <= OSCLimits.packetBytes else { throw Self.tooLong }
  }

  private mutating func takeSized(_ byte: UInt8, _ packets: inout [[UInt8]]) throws(OSCError) {
    bytes.append(byte)
    guard bytes.count >= 4 else { return }
    let size = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    guard size <= OSCLimits.packetBytes else { throw Self.tooLong }
    guard bytes.count == 4 + size else { return }
    packets.append(Array(bytes[4...]))
    bytes = []
  }

  private static let tooLong = OSCError(
    "a packet has more than \(OSCLimits.packetBytes) bytes, or the stream is not OSC"
  )
}
