// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Logging
internal import ServerControl
internal import SystemSupport

/// The host on its JACK server: attaches, detects a loss, and attaches again.
///
/// Belongs to the control thread.
final class ServerRoom {
  /// The connections of this room to the rest of the host; set once all rooms exist.
  struct Links {
    /// Makes an attachment with an open client.
    var appear: (any OpenedPresence) throws -> Attachment
    /// Begins the rooms that need a server, after each attachment.
    var attached: (_ keepingSessions: Bool) -> Void
    /// Takes the remains of an attachment that has ended.
    var left: (Remains) -> Void
    /// Prepares the rooms for the closing of the clients; also called when these could not be made.
    var closing: () -> Void
    /// Ends the parts of the rooms that end with a lost server.
    var lost: () -> Void
    /// Reports a change of state that outlives the host.
    var stateChanged: () -> Void
  }

  /// The pause between two attempts to attach again.
  private static let retryDelay = Duration.milliseconds(50)

  private let control: Control
  private let hardware: HardwareRoom
  private let server: any HostServer
  private var links: Links?
  private var comingBack: Task<Void, Never>?
  private var restarts = 0
  private var watch = CycleWatch()
  private var lastAttachSeconds: Double?

  /// Makes a room that is not attached yet.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - hardware: The preferred values for the server.
  ///   - server: The server.
  init(control: Control, hardware: HardwareRoom, server: any HostServer) {
    self.control = control
    self.hardware = hardware
    self.server = server
  }

  /// Connects the room to the rest of the host.
  func join(_ links: Links) { self.links = links }

  /// How long the last attachment took, with the start of a server where there was one; nil before the first.
  var attachSeconds: Double? { lastAttachSeconds }

  /// The server's name.
  var name: String { server.name }

  /// The server, and the state of the host towards it, for `status`.
  var status: ServerStatus {
    let identity = hardware.facts.identity
    return ServerStatus(
      name: server.name,
      pid: server.pid ?? identity?.pid,
      owned: server.isOwned,
      driver: server.driverName ?? identity?.driver
        ?? (identity?.kind == .pipewire ? "pipewire" : nil),
      restarts: restarts,
      synchronous: server.isSynchronous ?? identity?.isSynchronous,
      state: control.life.state,
      fault: watch.isStanding ? standstill : nil,
    )
  }

  /// The words for a server that runs no cycles, with the remedy.
  private var standstill: String {
    guard let pid = server.pid ?? hardware.facts.identity?.pid, StoppedProcess.isStopped(pid) else {
      return "it runs no cycles; a client or its driver may hold it up"
    }
    return "it runs no cycles: its process is stopped; 'kill -CONT \(pid)' lets it go on"
  }

  // MARK: - Attaching

  /// Opens clients on the server (which it starts if that is allowed), applies the preferred values, and
  /// makes ports and connections.
  ///
  /// Gains, players and connections are restored after a loss.
  ///
  /// - Throws: ``HostError``; all clients are closed then.
  func attach() async throws(HostError) { try await attach(keepingSessions: false) }

  private func attach(keepingSessions: Bool) async throws(HostError) {
    guard let links else { return }
    let startNanoseconds = control.nowNanoseconds
    do {
      let opened = try await hardware.attach(keepingSessions: keepingSessions)
      // The host may have been asked to end while the server was starting.
      if case .stopped = control.life { throw HostError(.jack, "the host has ended") }
      control.life = .running(try links.appear(opened))
    } catch {
      links.closing()
      throw HostError(error)
    }
    lastAttachSeconds = Double(control.nowNanoseconds - startNanoseconds) * 1e-9
    links.attached(keepingSessions)
  }

  /// Leaves the server and attaches again, and keeps all sessions.
  ///
  /// - Parameter routeGains: The gains in dB that faded routes get back once the clients are closed.
  func attachAnew(_ routeGains: [String: Double]) async {
    guard let last = control.attachment else { return }
    control.life = .starting(leave(last))
    close(last)
    last.setRouteGains(routeGains)
    links?.stateChanged()
    do throws(HostError) {
      try await attach(keepingSessions: true)
      restarts += 1
    } catch {
      guard case .starting(let remains?) = control.life else { return }
      // The server is lost now.
      control.life = .lost(remains)
      lost("the JACK server \"\(server.name)\" did not come back: \(error)", closing: nil)
    }
  }

  /// Leaves the server, attaches to one with other settings, and keeps all sessions.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - former: The settings of the present one.
  ///   - routeGains: The gains in dB that faded routes get back once the clients are closed.
  /// - Throws: ``HostError`` if the host cannot be on such a server; it is back on the present one then, or looks for it.
  func change(
    to settings: GraphFile.Server,
    insteadOf former: GraphFile.Server,
    _ routeGains: [String: Double],
  ) async throws(HostError) {
    guard let last = control.attachment else { throw .serverWent }
    var remains = leave(last)
    remains.losses = FreewheelLosses()
    control.life = .starting(remains)
    close(last)
    last.setRouteGains(routeGains)
    links?.stateChanged()
    watch = CycleWatch()
    await server.change(to: settings)
    do throws(HostError) {
      try await attach(keepingSessions: true)
      restarts += 1
    } catch {
      guard case .starting(let remains?) = control.life else { throw error }
      let name = server.name
      await server.change(to: former)
      do throws(HostError) {
        try await attach(keepingSessions: true)
        restarts += 1
      } catch {
        guard case .starting = control.life else { throw error }
        control.life = .lost(remains)
        lost("the JACK server \"\(server.name)\" did not come back: \(error)", closing: nil)
      }
      throw HostError(error.code, "the JACK server \"\(name)\" cannot be used: \(error)")
    }
  }

  private func leave(_ attachment: Attachment) -> Remains {
    let remains = attachment.remains()
    links?.left(remains)
    return remains
  }

  private func close(_ last: Attachment?) {
    links?.closing()
    last?.close()
  }

  // MARK: - Losses

  /// Handles the loss of the server, and begins to look for it.
  func lose(_ reason: String) {
    startOver("the JACK server \"\(server.name)\" is gone (\(reason)); the host comes back with it")
  }

  /// Attaches anew if the server has put a client to sleep for ever, and tells of one that runs no cycles at all; called by
  /// the host's timer.
  func look() {
    guard let attachment = control.attachment else { return }
    guard !attachment.isStalled(periodFrames: hardware.bufferFrames) else {
      return startOver(
        "the JACK server \"\(server.name)\" has stopped calling the host; the host attaches anew"
      )
    }
    let change = watch.note(
      cycles: attachment.callbacks.count,
      periodSeconds: attachment.periodSeconds,
      nowNanoseconds: control.nowNanoseconds,
    )
    switch change {
    case .stands:
      control.publish(.error(), "the JACK server \"\(server.name)\" gives no sound: \(standstill)")
    case .runs(let nanoseconds):
      publishBack(
        attachMilliseconds: 0,
        "the JACK server \"\(server.name)\" runs cycles again, after \(nanoseconds / 1_000_000_000) s",
      )
    case nil: break
    }
  }

  /// Handles another rate of the server: the host attaches anew, unless a session has asked for that rate.
  func sampleRateChanged(_ hz: Int) {
    guard hardware.sampleRateChanged(hz) else { return }
    startOver("the JACK server \"\(server.name)\" has another rate; the host attaches anew")
  }

  private func startOver(_ message: String) {
    guard let last = control.attachment else { return }
    control.life = .lost(leave(last))
    lost(message, closing: last)
  }

  private func lost(_ message: String, closing last: Attachment?) {
    links?.lost()
    watch = CycleWatch()
    control.publish(.serverLost(.init(server: server.name)), message)
    comingBack = control.task { [weak self] in await self?.comeBack(closing: last) }
  }

  /// Closes the remaining clients, and attaches as soon as a server answers.
  private func comeBack(closing last: Attachment?) async {
    close(last)
    var lastComplaint: String?
    while !Task.isCancelled, control.life.state == .lost {
      do throws(HostError) {
        try await attach()
        return cameBack()
      } catch {
        if control.life.state == .lost, lastComplaint != error.description {
          lastComplaint = error.description
          control.logger.notice("\(error)")
        }
      }
      // Wall time: there is no server, and so there are no cycles.
      await control.sleep(Self.retryDelay)
    }
  }

  private func cameBack() {
    restarts += 1
    let attachNanoseconds = control.nowNanoseconds &- server.answeredNanoseconds
    publishBack(
      attachMilliseconds: Double(attachNanoseconds) / 1e6,
      "attached to the JACK server \"\(server.name)\" again",
    )
  }

  private func publishBack(attachMilliseconds: Double, _ message: String) {
    control.publish(
      .serverBack(
        .init(
          server: server.name,
          sampleRateHz: hardware.sampleRateHz,
          bufferFrames: hardware.bufferFrames,
          attachMilliseconds: attachMilliseconds,
        )
      ),
      message,
    )
  }

  // MARK: - The end

  /// Stops looking for a lost server, because the host ends; returns when no attempt is under way.
  func giveUp() async {
    comingBack?.cancel()
    await comingBack?.value
    comingBack = nil
  }

  /// Restores the settings of another program's server, or stops a server that the host started.
  func end() async { await server.stop() }
}
