// SPDX-License-Identifier: MIT

import CRealtime
import ControlProtocol
import ControlSocket
import FoundationEssentials
import Glibc
import SystemSupport

/// Requests to a host from a thread that waits for each answer.
///
/// The thread has real-time priority where the user may, as the host's own threads have: otherwise it would wait for a
/// processor behind the browser, and its times would not be the host's.
///
/// Pure functions: [any-thread].
enum PromptClient {
  /// Changes a gain to and fro.
  ///
  /// - Parameters:
  ///   - strip: The strip.
  ///   - count: The number of requests.
  ///   - path: The path of the host's socket.
  /// - Returns: The time of each in microseconds, from the request to its answer.
  /// - Throws: ``LabError`` `host` or `tool`.
  static func setGains(
    of strip: String,
    _ count: Int,
    path: String,
  ) async throws(LabError) -> [Double] {
    let result: Result<[Double], LabError> = await withCheckedContinuation { continuation in
      let hasThread = BackgroundThread.start(name: "lab-prompt") {
        BackgroundThread.raisePriority(priority)
        continuation.resume(
          returning: Result { () throws(LabError) in
            try times(of: strip, count, path)
          }
        )
      }
      if !hasThread {
        continuation.resume(returning: .failure(LabError(.tool, "the system has no thread")))
      }
    }
    return try result.get()
  }

  private static func times(
    of strip: String,
    _ count: Int,
    _ path: String,
  ) throws(LabError) -> [Double] {
    guard let descriptor = SocketProbe.connect(to: path) else {
      throw LabError(.host, "\(path): nobody listens")
    }
    defer { close(descriptor) }
    var patience = timeval(tv_sec: answerSeconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    var times: [Double] = []
    for number in 1...max(count, 1) {
      let change = SetGain.Params(
        target: .strip(strip),
        gainDB: number.isMultiple(of: 2) ? -6 : 0,
      )
      let id = MessageID.integer(Int64(number))
      guard let request = try? MessageEncoder().request(SetGain.self, change, id: id) else {
        throw LabError(.tool, "the request has no form")
      }
      let start = realtime_now_nanoseconds()
      let answer = try exchange([UInt8](request) + [newline], descriptor)
      times.append(Double(realtime_now_nanoseconds() - start) / 1_000)
      guard case .reply(id, nil) = ReplyDecoder().decode(Data(answer)) else {
        throw LabError(.host, "setGain: \(String(decoding: answer, as: UTF8.self))")
      }
      usleep(.random(in: pauseMicroseconds))
    }
    return times
  }

  /// Sends a line, and waits for the next one.
  private static func exchange(
    _ line: [UInt8],
    _ descriptor: CInt,
  ) throws(LabError) -> ArraySlice<UInt8> {
    guard unsafe write(descriptor, line, line.count) == line.count else {
      throw LabError(.host, "the request cannot be sent (errno \(errno))")
    }
    var answer: [UInt8] = []
    while answer.last != newline {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(descriptor, &bytes, bytes.count)
      guard count > 0 else { throw LabError(.host, "no answer (errno \(errno))") }
      answer += bytes.prefix(count)
    }
    return answer.dropLast()
  }

  private static let newline = UInt8(ascii: "\n")
  /// Below the host's threads, above all others.
  private static let priority: Int32 = 1
  private static let answerSeconds = 10
  private static let pauseMicroseconds: ClosedRange<UInt32> = 3_000...7_000
}
