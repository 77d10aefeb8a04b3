// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK

/// The state of the process callback of the source client: file players and tones with their ports.
@safe
struct SourceProcess {
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

  /// Allocates the state; `free` releases it. [control-thread]
  static func make(
    _ sources: [(generator: Generator, ports: [AudioOutputPort])]
  ) -> UnsafeMutablePointer<SourceProcess> {
    let allPorts = sources.flatMap(\.ports)
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(1, sources.count))
    var firstPort = 0
    for (index, source) in sources.enumerated() {
      let entry = Entry(
        generator: source.generator,
        firstPort: firstPort,
        channels: source.ports.count,
      )
      unsafe (entries + index).initialize(to: entry)
      firstPort += source.ports.count
    }
    let ports = UnsafeMutablePointer<AudioOutputPort>.allocate(capacity: max(1, allPorts.count))
    for (index, port) in allPorts.enumerated() {
      unsafe (ports + index).initialize(to: port)
    }
    let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
      .allocate(capacity: max(1, allPorts.count))
    unsafe outputs.initialize(repeating: nil, count: max(1, allPorts.count))
    let pointer = UnsafeMutablePointer<SourceProcess>.allocate(capacity: 1)
    unsafe pointer.initialize(
      to: SourceProcess(
        entries: entries,
        entryCount: sources.count,
        ports: ports,
        portCount: allPorts.count,
        outputs: outputs,
      )
    )
    return unsafe pointer
  }

  /// Releases the state of a client that is no longer active. [control-thread]
  static func free(_ pointer: UnsafeMutablePointer<SourceProcess>) {
    unsafe pointer.pointee.entries.deallocate()
    unsafe pointer.pointee.ports.deallocate()
    unsafe pointer.pointee.outputs.deallocate()
    unsafe pointer.deallocate()
  }
}

/// The process callback of the source client.
///
/// [audio-thread & active] — never blocks, never allocates.
@c(multiroute_source_process) @_noLocks @_noAllocation
func sourceProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: SourceProcess.self) { state, scope in
    for index in 0..<(unsafe state.pointee.portCount) {
      let samples = unsafe scope.samples(of: state.pointee.ports[index])
      unsafe state.pointee.outputs[index] = samples.baseAddress
    }
    for index in 0..<(unsafe state.pointee.entryCount) {
      let entry = unsafe state.pointee.entries[index]
      let outputs = unsafe UnsafePointer(state.pointee.outputs + entry.firstPort)
      switch entry.generator {
      case .file(let source):
        unsafe source.read(into: outputs, frames: Int(frames))
      case .tone(let source):
        unsafe source.read(into: outputs, channels: entry.channels, frames: Int(frames))
      }
    }
  }
}
