// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK

/// A plan and the objects that it uses; freed together.
///
/// Belongs to the control thread.
@safe
final class AppPlanHolder: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<AppPlan>
  let number: UInt64
  private let voices: [Voice]
  private let recordings: [Recording]

  init(
    number: UInt64,
    outputs: [AudioOutputPort],
    inputs: [AudioInputPort],
    voices: [Voice],
    recordings: [Recording],
  ) {
    self.number = number
    self.voices = voices
    self.recordings = recordings
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(
      to: AppPlan(
        number: number,
        outputPorts: Self.copy(outputs),
        outputs: Self.copy([UnsafeMutablePointer<Float>?](repeating: nil, count: outputs.count)),
        outputCount: outputs.count,
        inputPorts: Self.copy(inputs),
        inputs: Self.copy([UnsafePointer<Float>?](repeating: nil, count: inputs.count)),
        inputCount: inputs.count,
        voices: Self.copy(voices.map { unsafe VoiceRenderer(state: $0.state) }),
        voiceCount: voices.count,
        taps: Self.copy(recordings.map(\.entry)),
        tapCount: recordings.count,
      )
    )
  }

  deinit {
    unsafe pointer.pointee.outputPorts.deallocate()
    unsafe pointer.pointee.outputs.deallocate()
    unsafe pointer.pointee.inputPorts.deallocate()
    unsafe pointer.pointee.inputs.deallocate()
    unsafe pointer.pointee.voices.deallocate()
    unsafe pointer.pointee.taps.deallocate()
    unsafe pointer.deallocate()
  }

  private static func copy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    for (index, element) in elements.enumerated() {
      unsafe (pointer + index).initialize(to: element)
    }
    return unsafe pointer
  }
}
