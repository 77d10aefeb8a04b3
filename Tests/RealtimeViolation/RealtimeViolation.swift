// SPDX-License-Identifier: MIT

import Glibc
import JACK
import Synchronization

/// The bad twin of the host: a JACK client whose process callback does what it must not.
///
/// The compiler's proof is switched off on purpose. Linked with RealtimeSanitizer this program must be
/// stopped (exit status 43); `scripts/test` fails if it ends by itself. Arguments: what to do
/// (`nothing`, `lock` or `allocate`) and the name of a running server.
@main
struct RealtimeViolation {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let fault = Fault(rawValue: arguments[1]) else {
      print("usage: RealtimeViolation nothing|lock|allocate SERVER")
      exit(64)
    }
    let state = UnsafeMutablePointer<BadState>.allocate(capacity: 1)
    unsafe state.initialize(to: BadState(fault: fault))
    let opened = try OpenedClient.open(name: "bad-twin", server: arguments[2])
    let client = try unsafe opened.activate(
      process: badProcess,
      context: UnsafeMutableRawPointer(state),
    )
    try await Task.sleep(for: .seconds(1))
    print("\(client.connection.processStatistics.cycles) cycles, nobody objected")
    client.close()
  }
}

/// What the callback does wrong.
enum Fault: String {
  case nothing, lock, allocate
}

/// What the callback works on.
struct BadState: ~Copyable {
  let fault: Fault
  let mutex = Mutex(0)
  var sink = 0
}

@c(bad_process) @_noLocks @_noAllocation
func badProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: BadState.self) { state, _ in
    unsafe _unsafePerformance {
      switch unsafe state.pointee.fault {
      case .nothing: break
      case .lock: unsafe state.pointee.mutex.withLock { $0 += 1 }
      case .allocate:
        // Of a size that is not known before, so that it cannot become a stack allocation.
        let memory = unsafe malloc(Int(frames))
        unsafe state.pointee.sink &+= Int(bitPattern: memory)
        unsafe free(memory)
      }
    }
  }
}
