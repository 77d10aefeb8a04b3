// SPDX-License-Identifier: MIT

internal import CJACKNet
internal import Glibc

/// The sound card of a stepped server: JACK's network master, which runs one cycle at a time.
///
/// Its calls block. It belongs to the thread of its server's ``CycleClock``.
@safe
final class NetworkMaster {
  private let handle: OpaquePointer
  private let frames: Int
  private let captures: AudioMemory
  private let playbacks: AudioMemory
  private let sentMIDI: [MIDIMemory]
  private let heardMIDI: [MIDIMemory]

  /// The number of capture ports.
  var captureChannels: Int { captures.channels }

  /// Waits for a server that looks for a master.
  ///
  /// - Parameters:
  ///   - port: The UDP port at which it looks.
  ///   - rate: The sample rate in Hz.
  ///   - frames: The length of the period.
  ///   - seconds: The longest wait.
  /// - Throws: ``TestFailure`` when the port is taken or no server came.
  init(port: UInt16, rate: UInt32, frames: Int, seconds: Int32) throws {
    var request = jack_master_t()
    request.audio_input = -1
    request.audio_output = -1
    request.midi_input = -1
    request.midi_output = -1
    request.buffer_size = UInt32(frames)
    request.sample_rate = rate
    request.time_out = seconds
    var result = jack_slave_t()
    guard
      let handle = unsafe jack_net_master_open("127.0.0.1", Int32(port), &request, &result)
    else { throw TestFailure("no server asked for a master at UDP port \(port), or it is taken") }
    unsafe self.handle = unsafe handle
    self.frames = frames
    captures = AudioMemory(channels: Int(result.audio_input), frames: frames)
    playbacks = AudioMemory(channels: Int(result.audio_output), frames: frames)
    sentMIDI = (0..<Int(result.midi_input)).map { _ in MIDIMemory(frames: frames) }
    heardMIDI = (0..<Int(result.midi_output)).map { _ in MIDIMemory(frames: frames) }
  }

  deinit { unsafe jack_net_master_close(handle) }

  /// Runs one cycle of the server.
  ///
  /// - Parameters:
  ///   - sound: The samples that the capture ports bring, channel by channel.
  ///   - midi: The messages that the MIDI capture port brings, with offsets in the cycle, in their order.
  ///   - mayWait: Whether a server that does not answer for two seconds is waited for on.
  /// - Returns: The samples that the playback ports had, and the messages of the MIDI playback port.
  /// - Throws: ``TestFailure`` when the server does not answer, or lost something.
  func run(
    _ sound: [[Float]],
    _ midi: [(offset: Int, bytes: [UInt8])],
    mayWait: () -> Bool,
  ) throws -> (sound: [[Float]], midi: [(offset: Int, bytes: [UInt8])]) {
    try write(midi)
    captures.write(sound)
    guard send() >= 0 else { throw TestFailure("the server takes no cycle") }
    // netjack waits for two seconds: a client that takes longer holds the cycle, and loses nothing.
    while receive() < 0 {
      guard mayWait() else { throw TestFailure("the server does not answer") }
      // Where the call fails at once: the time until the server answers.
      usleep(1_000)
    }
    return (playbacks.read(), try readMIDI())
  }

  private func send() -> Int32 {
    var buffers = unsafe sentMIDI.map { unsafe Optional($0.memory) }
    return unsafe jack_net_master_send(
      handle,
      Int32(captures.channels),
      captures.pointers,
      Int32(buffers.count),
      &buffers,
    )
  }

  private func receive() -> Int32 {
    var buffers = unsafe heardMIDI.map { unsafe Optional($0.memory) }
    return unsafe jack_net_master_recv(
      handle,
      Int32(playbacks.channels),
      playbacks.pointers,
      Int32(buffers.count),
      &buffers,
    )
  }

  private func write(_ messages: [(offset: Int, bytes: [UInt8])]) throws {
    for memory in sentMIDI { memory.clear() }
    guard !messages.isEmpty else { return }
    guard let memory = sentMIDI.first else {
      throw TestFailure("MIDI for a server that was started without")
    }
    guard messages.count <= memory.capacity else {
      throw TestFailure("\(messages.count) messages in a cycle that takes \(memory.capacity)")
    }
    for message in messages {
      guard message.bytes.count <= MIDIMemory.messageBytes,
        memory.write(message.bytes, at: message.offset)
      else { throw TestFailure("a message that netjack cannot bring: \(message)") }
    }
  }

  private func readMIDI() throws -> [(offset: Int, bytes: [UInt8])] {
    guard let memory = heardMIDI.first else { return [] }
    return try memory.messages.map { message in
      guard let bytes = message.bytes else {
        throw TestFailure(
          "a client sent more than \(MIDIMemory.messageBytes) bytes, which netjack cannot bring"
        )
      }
      return (message.offset, bytes)
    }
  }
}

/// Samples for C, channel by channel.
@safe
private final class AudioMemory {
  let channels: Int
  private let frames: Int
  private let samples: UnsafeMutablePointer<Float>
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  init(channels: Int, frames: Int) {
    self.channels = channels
    self.frames = frames
    unsafe samples = .allocate(capacity: max(channels * frames, 1))
    unsafe samples.initialize(repeating: 0, count: max(channels * frames, 1))
    unsafe pointers = .allocate(capacity: max(channels, 1))
    unsafe pointers.initialize(repeating: nil, count: max(channels, 1))
    for channel in 0..<channels { unsafe pointers[channel] = unsafe samples + channel * frames }
  }

  deinit {
    unsafe samples.deallocate()
    unsafe pointers.deallocate()
  }

  func write(_ sound: [[Float]]) {
    for channel in 0..<channels {
      unsafe (samples + channel * frames).update(from: sound[channel], count: frames)
    }
  }

  func read() -> [[Float]] {
    (0..<channels).map { channel in
      unsafe Array(UnsafeBufferPointer(start: samples + channel * frames, count: frames))
    }
  }
}
