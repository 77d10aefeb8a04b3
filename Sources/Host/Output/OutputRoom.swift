// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Logging

/// The two outputs of the host: the control socket, and the stream for the program that runs the host.
///
/// Belongs to the control thread.
final class OutputRoom {
  private let configuration: HostConfiguration
  private let stream: AsyncStream<HostOutput>.Continuation
  private var socket: ControlServer?

  /// Makes a room whose socket is not open yet.
  ///
  /// - Parameters:
  ///   - configuration: The names, and the interval of meters for the program.
  ///   - stream: The stream for the program.
  init(configuration: HostConfiguration, stream: AsyncStream<HostOutput>.Continuation) {
    self.configuration = configuration
    self.stream = stream
  }

  /// Opens the control socket.
  ///
  /// - Parameters:
  ///   - router: Answers requests.
  ///   - thread: The control thread, which carries requests out.
  ///   - logger: The log.
  /// - Throws: `noSocket` if another host has the name, or if the directory cannot hold a socket.
  func open(
    _ router: ControlRouter,
    on thread: ControlThread,
    logger: Logger,
  ) async throws(HostError) {
    var settings = ControlServerConfiguration(
      hostName: configuration.graph.name,
      hostVersion: HostVersion.current,
    )
    settings.directory = configuration.socketDirectory
    settings.executor = thread
    settings.prepareThread = { ControlThread.raisePriority() }
    do throws(ControlServerError) {
      socket = try await ControlServer.start(settings, handler: router, logger: logger)
    } catch {
      throw HostError(.noSocket, "\(error)")
    }
  }

  /// Joins a page in the browser to the control socket's server.
  ///
  /// - Returns: The receiving half of its connection; nil where it has too many, or no socket.
  func join(_ guest: ControlGuest, over wire: any GuestWire) async -> GuestLink? {
    await socket?.join(guest, over: wire)
  }

  /// Passes an event to the control socket and to the program.
  func present(_ event: ControlEvent) {
    socket?.publish(event)
    stream.yield(.event(event))
  }

  /// Passes levels to the control socket, and to the program if it takes them.
  func present(_ meters: Meters) {
    socket?.publish(meters)
    if configuration.metersIntervalNanoseconds != nil { stream.yield(.meters(meters)) }
  }

  /// Sends changed parameters to connections of the control socket.
  func present(_ changes: ParameterChanges, to connections: [ConnectionID]) {
    socket?.publish(changes, to: connections)
  }

  /// Reports to the program, from any thread, whether there are unsaved changes.
  var unsavedReport: @Sendable (_ isUnsaved: Bool) -> Void {
    { [stream] isUnsaved in stream.yield(.unsaved(isUnsaved)) }
  }

  /// Reports to the program that the host is attached.
  func attached(_ status: HostStatus) { stream.yield(.attached(status)) }

  /// Closes the control socket.
  func close() async {
    await socket?.close()
    socket = nil
  }

  /// Reports to the program that the host has ended.
  func end() {
    stream.yield(.stopped)
    stream.finish()
  }
}
