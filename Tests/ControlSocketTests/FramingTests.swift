// SPDX-License-Identifier: MIT

import NIOCore
import Testing

@testable import ControlSocket

@Suite struct FramingTests {
  /// Cuts bytes into pieces of a size and returns the lines.
  private func lines(_ text: String, limit: Int, pieces: Int) -> [String] {
    var buffer = LineBuffer(limit: limit)
    var lines: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      buffer.append(ByteBuffer(bytes: rest.prefix(pieces)))
      rest = rest.dropFirst(pieces)
      taking: while true {
        switch buffer.next() {
        case .line(let line): lines.append(String(buffer: line))
        case .incomplete: break taking
        case .tooLong: return lines + ["too long"]
        }
      }
    }
    return lines
  }

  @Test(arguments: [1, 2, 3, 5, 100])
  func linesComeOutAsTheyWentIn(pieces: Int) {
    #expect(lines("ab\ncd\r\n\nefg\nrest", limit: 4, pieces: pieces) == ["ab", "cd", "", "efg"])
    #expect(lines("abcd\nabcde\nx\n", limit: 4, pieces: pieces) == ["abcd", "too long"])
    #expect(lines("abcdefgh", limit: 4, pieces: pieces) == ["too long"])
  }

  @Test func aLastLineNeedsNoNewline() {
    var buffer = LineBuffer(limit: 10)
    buffer.finish()
    guard case .incomplete = buffer.next() else {
      Issue.record("something out of nothing")
      return
    }
    buffer.append(ByteBuffer(string: "end"))
    buffer.finish()
    guard case .line(let line) = buffer.next() else {
      Issue.record("no line")
      return
    }
    #expect(String(buffer: line) == "end")
  }

  @Test func theBucketLetsTheBurstAndThenTheRateThrough() {
    var bucket = TokenBucket(perSecond: 10, burst: 5, nowNanoseconds: 0)
    for _ in 0..<5 { #expect(bucket.take(1, nowNanoseconds: 0) == 0) }
    #expect(bucket.take(1, nowNanoseconds: 0) == 100_000_000)
    #expect(bucket.take(1, nowNanoseconds: 100_000_000) == 100_000_000)
    #expect(bucket.take(1, nowNanoseconds: 10_000_000_000) == 0)
    // A clock that steps back neither adds nor removes tokens.
    #expect(bucket.take(4, nowNanoseconds: 9_000_000_000) == 0)
    #expect(bucket.take(10, nowNanoseconds: 10_000_000_000) == 1_000_000_000)
  }
}
