// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import NIOCore

/// A client made of bare system calls, to send what no good client would.
final class RawClient: Sendable {
  /// The lines that the host sends, without their newlines; it ends when the host hangs up.
  let lines: AsyncStream<String>
  private let descriptor: CInt
  private let continuation: AsyncStream<String>.Continuation
  private let writing = DispatchQueue(label: "raw client, writing")
  private let reading = DispatchQueue(label: "raw client, reading")

  struct Failure: Error { var code: CInt }

  /// Connects; reads at once by default.
  init(path: String, reads: Bool = true) throws {
    (lines, continuation) = AsyncStream.makeStream()
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    let address = try SocketAddress(unixDomainSocketPath: path)
    let result = unsafe address.withSockAddr { pointer, size in
      unsafe connect(descriptor, pointer, socklen_t(size))
    }
    guard result == 0 else {
      let failure = Failure(code: errno)
      Glibc.close(descriptor)
      throw failure
    }
    if reads { startReading() }
  }

  deinit {
    shutdown(descriptor, CInt(SHUT_RDWR))
    let descriptor = descriptor
    // Last in line, so that the number is not used again under a read or a write.
    reading.async { [writing] in writing.async { Glibc.close(descriptor) } }
  }

  /// Starts to read.
  func startReading() {
    reading.async { [descriptor, continuation] in
      var line: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { break }
        for byte in chunk[..<count] {
          if byte == UInt8(ascii: "\n") {
            continuation.yield(String(decoding: line, as: UTF8.self))
            line.removeAll(keepingCapacity: true)
          } else {
            line.append(byte)
          }
        }
      }
      continuation.finish()
    }
  }

  /// Sends bytes; returns how many the kernel took before the host closed the connection.
  @discardableResult
  func send(bytes: [UInt8]) async -> Int {
    await withCheckedContinuation { continuation in
      writing.async { [descriptor] in
        var sent = 0
        while sent < bytes.count {
          let rest = Array(bytes[sent...].prefix(65_536))
          let count = unsafe Glibc.send(descriptor, rest, rest.count, CInt(MSG_NOSIGNAL))
          guard count > 0 else { break }
          sent += count
        }
        continuation.resume(returning: sent)
      }
    }
  }

  /// Sends a line.
  func send(_ line: String) async { await send(bytes: Array((line + "\n").utf8)) }

  /// Closes the sending side.
  func closeOutput() async {
    await withCheckedContinuation { continuation in
      writing.async { [descriptor] in
        shutdown(descriptor, CInt(SHUT_WR))
        continuation.resume()
      }
    }
  }

  /// The next line, `nil` when the host hung up.
  func line() async -> String? { await lines.first { _ in true } }

  /// Every line until the host hangs up.
  func remainingLines() async -> [String] { await lines.reduce(into: []) { $0.append($1) } }
}
