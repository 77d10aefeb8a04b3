// SPDX-License-Identifier: MIT

internal import JACK

/// The ports that a mix reads and writes, in the order of its strips' and routes' channels.
///
/// Trivial memory behind one pointer, made by the control thread, read by the audio thread. Its address
/// is the tag of the mix it belongs to (`MixEngine.apply(_:fade:tag:)`): the audio thread learns
/// from `MixRenderer.beginCycle` which arrangement holds, and the control thread from
/// `MixEvent.planAdopted` which one can be freed.
@safe
struct PortArrangement: BitwiseCopyable {
  let inputPorts: UnsafeMutablePointer<AudioInputPort>
  let inputCount: Int
  let outputPorts: UnsafeMutablePointer<AudioOutputPort>
  let outputCount: Int
  /// Where the cycle's buffers are noted; one pointer for each port.
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>?>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The chains of effects at these ports.
  let inserts: UnsafeMutablePointer<InsertBinding>
  let insertCount: Int

  /// Allocates an arrangement; `free` releases it. [control-thread]
  static func make(
    inputs: [AudioInputPort],
    outputs: [AudioOutputPort],
    inserts: [InsertBinding],
  ) -> UnsafeMutablePointer<PortArrangement> {
    let pointer = UnsafeMutablePointer<PortArrangement>.allocate(capacity: 1)
    let inputPorts = UnsafeMutablePointer<AudioInputPort>.allocate(capacity: max(1, inputs.count))
    for (index, port) in inputs.enumerated() {
      unsafe (inputPorts + index).initialize(to: port)
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
        outputPorts: outputPorts,
        outputCount: outputs.count,
        inputs: inputBuffers,
        outputs: outputBuffers,
        inserts: bindings,
        insertCount: inserts.count,
      )
    )
    return unsafe pointer
  }

  /// Releases an arrangement that the audio thread no longer uses. [control-thread]
  static func free(_ pointer: UnsafeMutablePointer<PortArrangement>) {
    unsafe pointer.pointee.inputPorts.deallocate()
    unsafe pointer.pointee.outputPorts.deallocate()
    unsafe pointer.pointee.inputs.deallocate()
    unsafe pointer.pointee.outputs.deallocate()
    unsafe pointer.pointee.inserts.deallocate()
    unsafe pointer.deallocate()
  }
}
