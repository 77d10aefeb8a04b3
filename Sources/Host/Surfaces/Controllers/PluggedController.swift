// SPDX-License-Identifier: MIT

internal import Surfaces

/// A controller that is plugged in. [any-thread]
final class PluggedController: ControllerPort {
  /// The most messages that wait for the surface.
  private static let capacity = 4_096

  let name: String
  let device: String
  let messages: AsyncStream<MIDIMessage>

  private let line: ControllerLine
  private let plug: UInt32
  private let reader: AsyncStream<MIDIMessage>.Continuation

  /// Plugs a device into a line, under the controller's name in the graph or as a guest.
  init(name: String, device: String, line: ControllerLine) {
    self.name = name
    self.device = device
    self.line = line
    plug = line.plugIn()
    (messages, reader) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.capacity))
  }

  func send(_ bytes: [UInt8]) { line.send(bytes, plug: plug) }

  func arm(directControl control: DirectControl?) { line.arm(control, plug: plug) }

  /// Hands a message to the surface.
  ///
  /// - Returns: Whether none had to be dropped for it.
  func present(_ message: MIDIMessage) -> Bool {
    if case .dropped = reader.yield(message) { false } else { true }
  }

  /// Unplugs the device.
  func end() {
    line.unplug()
    reader.finish()
  }
}
