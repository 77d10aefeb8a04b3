// SPDX-License-Identifier: MIT

import JACK
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MIDITests {
  @Test(.jackServer(frames: 256))
  func `events arrive in the same cycle, at their frames, byte for byte`() async throws {
    let server = try testServer().name
    let sender = try OpenedClient.open(name: "sender", server: server)
    let receiver = try OpenedClient.open(name: "receiver", server: server)
    let sending = UnsafeMutablePointer<Sending>.allocate(capacity: 1)
    unsafe sending.initialize(to: Sending(port: try sender.connection.register("out")))
    let receiving = UnsafeMutablePointer<Receiving>.allocate(capacity: 1)
    unsafe receiving.initialize(to: Receiving(port: try receiver.connection.register("in")))
    let activeReceiver = unsafe try receiver.activate(process: receive, context: receiving)
    let activeSender = unsafe try sender.activate(process: send, context: sending)
    try activeSender.connection.connect("sender:out", to: "receiver:in")
    unsafe sending.pointee.shouldSend.store(true, ordering: .releasing)
    try await waitUntil("four events") {
      unsafe receiving.pointee.count.load(ordering: .acquiring) == 4
    }
    activeSender.close()
    activeReceiver.close()
    let events = unsafe receiving.pointee.events
    #expect(unsafe events[0].frame == sending.pointee.frame)
    #expect(unsafe events[1].frame == sending.pointee.frame + 10)
    #expect(unsafe events[2].frame == sending.pointee.frame + 10)
    #expect(unsafe events[3].frame == sending.pointee.frame + 255)
    #expect((0..<3).map { events[0].bytes[$0] } == [0x90, 60, 100])
    #expect((0..<3).map { events[1].bytes[$0] } == [0xB0, 7, 127])
    #expect(events[2].count == 6)
    #expect((0..<6).map { events[2].bytes[$0] } == [0xF0, 0x7D, 1, 2, 3, 0xF7])
    #expect((0..<3).map { events[3].bytes[$0] } == [0x80, 60, 0])
    #expect(unsafe sending.pointee.wrongOrderRefused)
    #expect(unsafe sending.pointee.tooLongRefused)
    unsafe sending.deinitialize(count: 1)
    unsafe sending.deallocate()
    unsafe receiving.deinitialize(count: 1)
    unsafe receiving.deallocate()
  }
}

@safe
struct Sending: ~Copyable {
  let port: MIDIOutputPort
  let shouldSend = Atomic<Bool>(false)
  /// Long enough to be tried with a length that does not fit.
  let exclusive: UnsafeMutableBufferPointer<UInt8>
  var frame: UInt32 = 0
  var wrongOrderRefused = false
  var tooLongRefused = false

  init(port: MIDIOutputPort) {
    self.port = port
    unsafe self.exclusive = .allocate(capacity: 1 << 16)
    unsafe exclusive.initialize(repeating: 0)
    for (index, byte) in ([0xF0, 0x7D, 1, 2, 3, 0xF7] as [UInt8]).enumerated() {
      unsafe exclusive[index] = byte
    }
  }

  deinit {
    unsafe exclusive.deallocate()
  }
}

struct ReceivedEvent: BitwiseCopyable {
  var frame: UInt32 = 0
  var count = 0
  var bytes: InlineArray<8, UInt8> = .init(repeating: 0)
}

struct Receiving: ~Copyable {
  let port: MIDIInputPort
  var events: InlineArray<8, ReceivedEvent> = .init(repeating: ReceivedEvent())
  let count = Atomic<Int>(0)

  init(port: MIDIInputPort) {
    self.port = port
  }
}

@c(jacktests_midi_send) @_noLocks @_noAllocation
func send(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: Sending.self) { state, scope in
    let events = unsafe scope.events(of: state.pointee.port)
    guard unsafe state.pointee.shouldSend.exchange(false, ordering: .acquiring) else { return }
    unsafe state.pointee.frame = scope.frameTime
    _ = events.write(0x90, 60, 100, at: 0)
    _ = events.write(0xB0, 7, 127, at: 10)
    let bytes = unsafe UnsafePointer(state.pointee.exclusive.baseAddress)
    _ = unsafe events.write(UnsafeBufferPointer(start: bytes, count: 6), at: 10)
    unsafe state.pointee.wrongOrderRefused =
      !events.write(0x90, 61, 100, at: 9) && !events.write(0x90, 61, 100, at: scope.frames)
    let tooLong = unsafe UnsafeBufferPointer(start: bytes, count: events.freeBytes + 1)
    unsafe state.pointee.tooLongRefused = !events.write(tooLong, at: 200)
    _ = events.write(0x80, 60, 0, at: 255)
  }
}

@c(jacktests_midi_receive) @_noLocks @_noAllocation
func receive(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: Receiving.self) { state, scope in
    let events = unsafe scope.events(of: state.pointee.port)
    for index in 0..<events.count {
      let place = unsafe state.pointee.count.load(ordering: .relaxed)
      guard place < 8 else { return }
      let event = events[index]
      var copy = ReceivedEvent()
      copy.frame = scope.frameTime + event.frameOffset
      copy.count = unsafe event.bytes.count
      for byte in 0..<min(8, unsafe event.bytes.count) {
        unsafe copy.bytes[byte] = event.bytes[byte]
      }
      unsafe state.pointee.events[place] = copy
      unsafe state.pointee.count.store(place + 1, ordering: .releasing)
    }
  }
}
