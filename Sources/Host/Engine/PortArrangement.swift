// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK

/// The ports that a mix reads and writes, in the order of its strips' and routes' channels.
///
/// Trivial memory behind one pointer, made by the control thread, read by the audio thread. Its address
/// is the tag of the mix it belongs to (`MixEngine.apply(_:fade:tag:)`): the audio thread learns
/// from `MixRenderer.beginCycle` which arrangement holds, and the control thread from
/// `MixEvent.planAdopted` which one can be freed.
@safe
struct PortArrangement: BitwiseCopyable {
  /// A recording, and the channels that it takes: of the inputs, or of the outputs.
  struct Tap: BitwiseCopyable {
    let recorder: RecorderTap
    let firstPort: Int
    let isOutput: Bool
  }

  let inputPorts: UnsafeMutablePointer<AudioInputPort>
  let inputCount: Int
  /// What keeps an input silent at times; nil for those that always are let through.
  let gates: UnsafeMutablePointer<InputGateCell?>
  let outputPorts: UnsafeMutablePointer<AudioOutputPort>
  let outputCount: Int
  /// Where the cycle's buffers are noted; one pointer for each port.
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>?>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The chains of effects at these ports.
  let inserts: UnsafeMutablePointer<InsertBinding>
  let insertCount: Int
  let taps: UnsafeMutablePointer<Tap>
  let tapCount: Int

  /// Allocates an arrangement; `free` releases it. [control-thread]
  ///
  /// - Parameters:
  ///   - inputs: The ports that the mix reads.
  ///   - gates: What keeps each input silent at times; shorter where the rest has none.
  ///   - outputs: The ports that it writes.
  ///   - inserts: The chains of effects at these ports.
  ///   - taps: What is recorded of them.
  /// - Returns: The arrangement.
  static func make(
    inputs: [AudioInputPort],
    gates: [InputGateCell?],
    outputs: [AudioOutputPort],
    inserts: [InsertBinding],
    taps: [Tap],
  ) -> UnsafeMutablePointer<PortArrangement> {
    let tapList = UnsafeMutablePointer<Tap>.allocate(capacity: max(1, taps.count))
    for (index, tap) in taps.enumerated() { unsafe (tapList + index).initialize(to: tap) }
    let pointer = UnsafeMutablePointer<PortArrangement>.allocate(capacity: 1)
    let inputPorts = UnsafeMutablePointer<AudioInputPort>.allocate(capacity: max(1, inputs.count))
    for (index, port) in inputs.enumerated() {
      unsafe (inputPorts + index).initialize(to: port)
    }
    let inputGates = UnsafeMutablePointer<InputGateCell?>
      .allocate(capacity: max(1, inputs.count))
    for index in inputs.indices {
      unsafe (inputGates + index).initialize(to: index < gates.count ? gates[index] : nil)
    }
    let outputPorts = UnsafeMutablePointer<AudioOutputPort>
      .allocate(capacity: max(1, outputs.count))
    for (index, port) in outputs.enumerated() {
      unsafe (outputPorts + index).initialize(to: port)
    }
    let inputBuffers = UnsafeMutablePointer<UnsafePointer<Float>?>
      .allocate(capacity: max(1, inputs.count))
    unsafe inputBuffers.initialize(repeating: nil, count: max(1, inputs.count))
    let outputBuffers = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
      .allocate(capacity: max(1, outputs.count))
    unsafe outputBuffers.initialize(repeating: nil, count: max(1, outputs.count))
    let bindings = UnsafeMutablePointer<InsertBinding>.allocate(capacity: max(1, inserts.count))
    for (index, insert) in inserts.enumerated() {
      unsafe (bindings + index).initialize(to: insert)
    }
    unsafe pointer.initialize(
      to: PortArrangement(
        inputPorts: inputPorts,
        inputCount: inputs.count,
        gates: inputGates,
        outputPorts: outputPorts,
        outputCount: outputs.count,
        inputs: inputBuffers,
        outputs: outputBuffers,
        inserts: bindings,
        insertCount: inserts.count,
        taps: tapList,
        tapCount: taps.count,
      )
    )
    return unsafe pointer
  }

  /// Releases an arrangement that the audio thread no longer uses. [control-thread]
  static func free(_ pointer: UnsafeMutablePointer<PortArrangement>) {
    unsafe pointer.pointee.inputPorts.deallocate()
    unsafe pointer.pointee.gates.deallocate()
    unsafe pointer.pointee.outputPorts.deallocate()
    unsafe pointer.pointee.inputs.deallocate()
    unsafe pointer.pointee.outputs.deallocate()
    unsafe pointer.pointee.inserts.deallocate()
    unsafe pointer.pointee.taps.deallocate()
    unsafe pointer.deallocate()
  }

  /// Hands a cycle's buffers to the recordings.
  ///
  /// [audio-thread] — never blocks, never allocates.
  @_noLocks @_noAllocation
  func record(frames: Int) {
    for index in 0..<tapCount {
      let tap = unsafe taps[index]
      let first = tap.firstPort
      if tap.isOutput {
        let buffers = unsafe UnsafeRawPointer(outputs + first)
        unsafe tap.recorder.write(
          buffers.assumingMemoryBound(to: UnsafePointer<Float>?.self),
          frames: frames,
        )
      } else {
        unsafe tap.recorder.write(inputs + first, frames: frames)
      }
    }
  }
}
