// SPDX-License-Identifier: MIT

import GraphFiles
import Surfaces
import Synchronization

/// A controller that a test moves, with a record of what it is sent.
final class ScriptedController: ControllerPort {
  let name: String
  let device: String
  let messages: AsyncStream<MIDIMessage>

  private struct State {
    var sent: [[UInt8]] = []
    var armed: [DirectControl?] = []
  }

  private let state = Mutex(State())
  private let stream: AsyncStream<MIDIMessage>.Continuation

  /// Plugs the controller of this name in.
  init(_ name: String = "box", device: String = "Box") {
    self.name = name
    self.device = device
    (messages, stream) = AsyncStream.makeStream(of: MIDIMessage.self)
  }

  /// All messages that were sent to it.
  var sent: [[UInt8]] { state.withLock { $0.sent } }

  /// All controls that were armed, in their order; nil for none.
  var armed: [DirectControl?] { state.withLock { $0.armed } }

  /// Forgets what was sent to it.
  func forget() { state.withLock { $0.sent = [] } }

  /// Moves a control.
  func move(_ bytes: [UInt8], crossfaderPosition: Double? = nil) {
    stream.yield(MIDIMessage(bytes: bytes, frame: 0, crossfaderPosition: crossfaderPosition))
  }

  /// Unplugs it.
  func unplug() { stream.finish() }

  func send(_ bytes: [UInt8]) { state.withLock { $0.sent.append(bytes) } }

  func arm(directControl control: DirectControl?) { state.withLock { $0.armed.append(control) } }
}
