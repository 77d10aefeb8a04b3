// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK
internal import Mixing

/// The ports that a mix reads and writes, in the order of its strips' and routes' channels.
///
/// Trivial memory behind one pointer, made by the control thread and read by the audio thread. Its
/// address is the tag of its mix (`MixEngine.apply(_:fade:tag:)`). `MixRenderer.beginCycle` gives
/// the audio thread the arrangement to use, and `MixEvent.planAdopted` tells the control thread
/// which arrangements it can free.
@safe
struct PortArrangement: BitwiseCopyable {
  /// A recording and its channels: a range of the inputs or of the outputs.
  struct Tap: BitwiseCopyable {
    let recorder: RecorderTap
    let firstPort: Int
    let isOutput: Bool
  }

  /// An input with a gate.
  struct GatedInput: BitwiseCopyable {
    let index: Int
    let gate: InputGateCell
    /// Whether it is silent in the present cycle.
    var isShut = false
  }

  /// A file that the host plays into a strip, and the strip's first input.
  struct Feed: BitwiseCopyable {
    let cell: StripFeedCell
    let firstPort: Int
  }

  /// The contents of an arrangement.
  struct Contents {
    /// The ports that the mix reads; nil for a channel that only a file feeds.
    var inputs: [AudioInputPort?] = []
    /// The gate of each input; inputs beyond the end of the list have none.
    var gates: [InputGateCell?] = []
    /// The ports that the mix writes.
    var outputs: [AudioOutputPort] = []
    /// The approved connections of each output; outputs beyond the end of the list may have any.
    var approvals: [ApprovedConnections?] = []
    /// The files that play into these inputs.
    var feeds: [Feed] = []
    /// The recordings of these ports.
    var taps: [Tap] = []
    /// The chains of effects at these ports.
    var inserts: [InsertBinding] = []
    /// The lines to MIDI controllers; nil at a client without any.
    var controllers: ControllerLines?
  }

  let inputPorts: UnsafeMutablePointer<AudioInputPort?>
  let inputCount: Int
  let gated: UnsafeMutablePointer<GatedInput>
  let gatedCount: Int
  let outputPorts: UnsafeMutablePointer<AudioOutputPort>
  let outputCount: Int
  let approvals: UnsafeMutablePointer<ApprovedConnections?>
  /// The buffers of the present cycle; one pointer for each port.
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>?>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  let feeds: UnsafeMutablePointer<Feed>
  let feedCount: Int
  let taps: UnsafeMutablePointer<Tap>
  let tapCount: Int
  let inserts: UnsafeMutablePointer<InsertBinding>
  let insertCount: Int
  /// The MIDI controllers; nil at a client without any.
  let controllers: ControllerBank?

  /// Allocates an arrangement; `free` releases it. [control-thread]
  static func make(_ contents: Contents) -> UnsafeMutablePointer<PortArrangement> {
    let inputs = contents.inputs
    let outputs = contents.outputs
    let gated = contents.gates.prefix(inputs.count).enumerated().compactMap { index, gate in
      gate.map { GatedInput(index: index, gate: $0) }
    }
    let approvals = outputs.indices.map { index in
      index < contents.approvals.count ? contents.approvals[index] : nil
    }
    let pointer = UnsafeMutablePointer<PortArrangement>.allocate(capacity: 1)
    unsafe pointer.initialize(
      to: PortArrangement(
        inputPorts: .allocate(copying: inputs),
        inputCount: inputs.count,
        gated: .allocate(copying: gated),
        gatedCount: gated.count,
        outputPorts: .allocate(copying: outputs),
        outputCount: outputs.count,
        approvals: .allocate(copying: approvals),
        inputs: .allocate(copying: Array(repeating: nil, count: inputs.count)),
        outputs: .allocate(copying: Array(repeating: nil, count: outputs.count)),
        feeds: .allocate(copying: contents.feeds),
        feedCount: contents.feeds.count,
        taps: .allocate(copying: contents.taps),
        tapCount: contents.taps.count,
        inserts: .allocate(copying: contents.inserts),
        insertCount: contents.inserts.count,
        controllers: contents.controllers?.makeBank(),
      )
    )
    return unsafe pointer
  }

  /// Releases an arrangement that the audio thread no longer uses. [control-thread]
  static func free(_ pointer: UnsafeMutablePointer<PortArrangement>) {
    unsafe pointer.pointee.inputPorts.deallocate()
    unsafe pointer.pointee.gated.deallocate()
    unsafe pointer.pointee.outputPorts.deallocate()
    unsafe pointer.pointee.approvals.deallocate()
    unsafe pointer.pointee.inputs.deallocate()
    unsafe pointer.pointee.outputs.deallocate()
    unsafe pointer.pointee.feeds.deallocate()
    unsafe pointer.pointee.taps.deallocate()
    unsafe pointer.pointee.inserts.deallocate()
    unsafe pointer.pointee.controllers?.free()
    unsafe pointer.deallocate()
  }

  /// Collects the inputs of a cycle; one whose gate is shut is silent.
  ///
  /// [audio-thread & active] — never blocks, never allocates.
  @_noLocks @_noAllocation
  func collectInputs(in scope: borrowing ProcessScope) {
    // The gates come first: a direct connection that goes in between must still be seen, or it is heard twice.
    for place in 0..<gatedCount {
      unsafe gated[place].isShut = gated[place].gate.isShut(in: scope)
    }
    unsafe scope.collect(from: inputPorts, count: inputCount, into: inputs)
    for place in 0..<gatedCount where unsafe gated[place].isShut {
      unsafe inputs[gated[place].index] = nil
    }
  }

  /// Collects the outputs of a cycle.
  ///
  /// [audio-thread & active] — never blocks, never allocates.
  @_noLocks @_noAllocation
  func collectOutputs(in scope: borrowing ProcessScope) {
    unsafe scope.collect(from: outputPorts, count: outputCount, into: outputs)
  }

  /// Plays a cycle of each file into its strip; the inputs are read.
  ///
  /// - Parameters:
  ///   - renderer: The mix, whose cycle has begun.
  ///   - frames: Frames in the cycle.
  ///   - deadlineNanoseconds: The time until which the disk is waited for; 0 to wait never.
  /// [audio-thread] — never allocates.
  @_noLocks @_noAllocation
  func playFeeds(_ renderer: MixRenderer, frames: Int, until deadlineNanoseconds: UInt64) {
    for index in 0..<feedCount {
      let feed = unsafe feeds[index]
      unsafe feed.cell.play(
        into: inputs,
        first: feed.firstPort,
        renderer,
        frames: frames,
        until: deadlineNanoseconds,
      )
    }
  }

  /// Silences each output that has not exactly its approved connections in this cycle.
  ///
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  func silenceUnapproved(frames: Int, in scope: borrowing ProcessScope) {
    for index in 0..<outputCount {
      guard let approved = unsafe approvals[index], !approved.hold(in: scope),
        let samples = unsafe outputs[index]
      else { continue }
      for frame in 0..<frames { unsafe samples[frame] = 0 }
    }
  }

  /// Hands a cycle's buffers to the recordings.
  ///
  /// - Parameters:
  ///   - frames: Frames in the cycle.
  ///   - deadlineNanoseconds: The time until which the disk is waited for; 0 to wait never.
  /// [audio-thread] — never allocates.
  @_noLocks @_noAllocation
  func record(frames: Int, until deadlineNanoseconds: UInt64) {
    for index in 0..<tapCount {
      let tap = unsafe taps[index]
      let first = tap.firstPort
      if tap.isOutput {
        let buffers = unsafe UnsafeRawPointer(outputs + first)
        unsafe tap.recorder.write(
          buffers.assumingMemoryBound(to: UnsafePointer<Float>?.self),
          frames: frames,
          until: deadlineNanoseconds,
        )
      } else {
        unsafe tap.recorder.write(inputs + first, frames: frames, until: deadlineNanoseconds)
      }
    }
  }
}
