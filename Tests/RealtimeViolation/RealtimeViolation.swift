// SPDX-License-Identifier: MIT

import AudioSession
import Glibc
import JACK
import Synchronization

/// The bad twin of the host and of an app: a JACK client whose process callback breaks the rules.
///
/// The compiler's proof is switched off on purpose. Linked with RealtimeSanitizer this program must be
/// stopped (exit status 43); `scripts/test-realtime` fails if it ends by itself. Arguments: what to do
/// (`nothing`, `lock` or `allocate`), and the name of a running server, or `raw` for the callback of an app's
/// raw audio, whose host the environment names.
@main
struct RealtimeViolation {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let fault = Fault(rawValue: arguments[1]) else {
      print("usage: RealtimeViolation nothing|lock|allocate SERVER|raw")
      exit(64)
    }
    let state = UnsafeMutablePointer<BadState>.allocate(capacity: 1)
    unsafe state.initialize(to: BadState(fault: fault))
    if arguments[2] == "raw" {
      try await unsafe runRawAudio(state)
    } else {
      try await unsafe runClient(state, server: arguments[2])
    }
  }

  private static func runClient(
    _ state: UnsafeMutablePointer<BadState>,
    server: String,
  ) async throws {
    let opened = try OpenedClient.open(name: "bad-twin", server: server)
    let client = try unsafe opened.activate(
      process: badProcess,
      context: UnsafeMutableRawPointer(state),
    )
    // A second of cycles; the sanitizer ends the process in the first of them.
    try await Task.sleep(for: .seconds(1))
    print("\(client.connection.processStatistics.cycles) cycles, nobody objected")
    client.close()
  }

  private static func runRawAudio(_ state: UnsafeMutablePointer<BadState>) async throws {
    try AVAudioSession.sharedInstance().setCategory(.playAndRecord)
    let io = try unsafe AudioIO(
      inputChannels: 1,
      outputChannels: 2,
      state: UnsafeMutableRawPointer(state),
      render: badRender,
    )
    try io.start()
    // A second of cycles; the sanitizer ends the process in the first of them.
    try await Task.sleep(for: .seconds(1))
    io.stop()
    print("\(unsafe state.pointee.cycles.load(ordering: .relaxed)) cycles, nobody objected")
  }
}

/// The fault of the callback.
enum Fault: String {
  case nothing, lock, allocate
}

/// The state of the callback.
struct BadState: ~Copyable {
  let fault: Fault
  let mutex = Mutex(0)
  let cycles = Atomic<Int>(0)
  var sink = 0

  init(fault: Fault) { self.fault = fault }
}

/// Breaks the rules of a callback.
@_noLocks @_noAllocation
func misbehave(_ state: UnsafeMutablePointer<BadState>, frames: UInt32) {
  unsafe state.pointee.cycles.wrappingAdd(1, ordering: .relaxed)
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

@c(bad_process) @_noLocks @_noAllocation
func badProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: BadState.self) { state, _ in
    unsafe misbehave(state, frames: frames)
  }
}

@c(bad_render) @_noLocks @_noAllocation
func badRender(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe AudioIOCycle.run(frames, context, as: BadState.self) { state, cycle in
    let input = unsafe cycle.input(0)
    for channel in 0..<2 {
      let output = unsafe cycle.output(channel)
      for frame in 0..<cycle.frames {
        unsafe output[frame] = frame < input.count ? input[frame] : 0
      }
    }
    unsafe misbehave(state, frames: frames)
  }
}
