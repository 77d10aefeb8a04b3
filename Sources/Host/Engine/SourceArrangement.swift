// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK

/// The file players and tones that a client plays, with their ports.
///
/// Trivial memory behind one pointer, made by the control thread and read by the audio thread.
@safe
struct SourceArrangement: BitwiseCopyable {
  /// A generator of audio.
  enum Generator {
    case file(FilePlayerSource)
    case tone(ToneSource)
  }

  /// One source, and the range of its channels among all ports.
  struct Entry: BitwiseCopyable {
    let generator: Generator
    let firstPort: Int
    let channels: Int
  }

  let entries: UnsafeMutablePointer<Entry>
  let entryCount: Int
  let ports: UnsafeMutablePointer<AudioOutputPort>
  let portCount: Int
  /// The buffers of the present cycle; one pointer for each port.
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  /// Allocates an arrangement; `free` releases it. [control-thread]
  static func make(
    _ sources: [(generator: Generator, ports: [AudioOutputPort])]
  ) -> UnsafeMutablePointer<SourceArrangement> {
    let allPorts = sources.flatMap(\.ports)
    var list: [Entry] = []
    var firstPort = 0
    for source in sources {
      list.append(
        Entry(generator: source.generator, firstPort: firstPort, channels: source.ports.count)
      )
      firstPort += source.ports.count
    }
    let pointer = UnsafeMutablePointer<SourceArrangement>.allocate(capacity: 1)
    unsafe pointer.initialize(
      to: SourceArrangement(
        entries: .allocate(copying: list),
        entryCount: list.count,
        ports: .allocate(copying: allPorts),
        portCount: allPorts.count,
        outputs: .allocate(copying: Array(repeating: nil, count: allPorts.count)),
      )
    )
    return unsafe pointer
  }

  /// Releases an arrangement that the audio thread no longer uses. [control-thread]
  static func free(_ pointer: UnsafeMutablePointer<SourceArrangement>) {
    unsafe pointer.pointee.entries.deallocate()
    unsafe pointer.pointee.ports.deallocate()
    unsafe pointer.pointee.outputs.deallocate()
    unsafe pointer.deallocate()
  }

  /// Plays a cycle of every source.
  ///
  /// [audio-thread] — waits for the disk while JACK freewheels, never allocates.
  @_noLocks @_noAllocation
  func play(frames: Int, in scope: borrowing ProcessScope) {
    let deadline = scope.freewheelDeadlineNanoseconds
    for index in 0..<portCount {
      let samples = unsafe scope.samples(of: ports[index])
      unsafe outputs[index] = samples.baseAddress
    }
    for index in 0..<entryCount {
      let entry = unsafe entries[index]
      let channels = unsafe UnsafePointer(outputs + entry.firstPort)
      switch entry.generator {
      case .file(let source):
        unsafe source.read(into: channels, frames: frames, until: deadline)
      case .tone(let source):
        unsafe source.read(into: channels, channels: entry.channels, frames: frames)
      }
    }
  }
}
