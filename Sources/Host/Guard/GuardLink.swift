// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Glibc

/// The host's side of its guard: starts it, keeps its orders up to date, and ends it.
///
/// Belongs to the control thread.
final class GuardLink {
  /// The guard's process.
  let pid: Int32
  private let channel: GuardChannel
  private var orders: GuardOrders?
  private var isReaped = false

  /// Starts a guard for the host of that name; nil where `program`, this one as a file, does not start.
  init?(program: String, name: String) {
    guard let ends = GuardChannel.pair() else { return nil }
    defer { ends.guardian.close() }
    var pid: Int32 = 0
    let failure = unsafe Self.withCStrings([program, "guard", "--host", name]) { arguments in
      unsafe realtime_spawn_detached(program, arguments, ends.guardian.descriptor, &pid)
    }
    guard failure == 0 else {
      ends.host.close()
      return nil
    }
    self.pid = pid
    channel = ends.host
  }

  deinit { channel.close() }

  /// Whether it runs; a dead one is reaped.
  var isRunning: Bool {
    guard !isReaped else { return false }
    isReaped = waitpid(pid, nil, WNOHANG) == pid
    return !isReaped
  }

  /// Sends orders where they differ from the last ones.
  func send(_ new: GuardOrders) {
    guard new != orders, channel.send(new) else { return }
    orders = new
  }

  /// Tells it that the host ends, and waits a moment for its end.
  func end() {
    guard var last = orders else {
      kill(pid, SIGTERM)
      return reap()
    }
    last.isEnd = true
    send(last)
    reap()
  }

  private func reap() {
    for _ in 0..<100 where isRunning { usleep(5_000) }
    guard isRunning else { return }
    kill(pid, SIGKILL)
    isReaped = waitpid(pid, nil, 0) == pid
  }

  private static func withCStrings(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32,
  ) -> Int32 {
    var copies = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    unsafe copies.append(nil)
    return unsafe body(copies)
  }
}
