// SPDX-License-Identifier: MIT

internal import Glibc
internal import GraphFiles
internal import JACK
internal import SystemSupport

/// A guard that runs as a child process, and the channel to it.
///
/// Belongs to the control thread.
final class GuardLink: GuardConnection {
  /// Time for the guard to end by itself once it has read that the host ends.
  private static let graceTime = Duration.milliseconds(500)

  /// The time for which a guard may be stopped: more than the host's own timer needs to see it.
  private static let stopLimitMilliseconds: UInt32 = 800
  private static let lookMilliseconds: UInt32 = 100

  private let child: ChildProcess
  private let channel: GuardChannel

  /// Starts the guard of a host; nil without a program that starts. [control-thread]
  static func start(_ configuration: HostConfiguration) -> (any GuardConnection)? {
    configuration.guardProgram.flatMap { GuardLink(program: $0, name: configuration.graph.name) }
  }

  /// Starts a guard for the host of that name; nil where `program`, this program's file, does not start.
  init?(program: String, name: String) {
    guard let ends = GuardChannel.pair() else { return nil }
    defer { ends.guardian.close() }
    do throws(SystemError) {
      child = try ChildProcess.start(
        program,
        ["guard", "--host", name],
        bond: .detached,
        input: .descriptor(ends.guardian.descriptor),
      )
    } catch {
      ends.host.close()
      return nil
    }
    channel = ends.host
    Self.watch(child)
  }

  /// Kills the guard where it is stopped and the host does not see it: JACK can make the host itself wait for the
  /// stopped guard's client.
  private static func watch(_ child: ChildProcess) {
    _ = BackgroundThread.start(name: "guard-watch") {
      var stoppedMilliseconds: UInt32 = 0
      while child.isRunning, stoppedMilliseconds < stopLimitMilliseconds {
        // Wall time, between two looks at another process.
        usleep(lookMilliseconds * 1_000)
        let isStopped = StoppedProcess.isStopped(child.pid)
        stoppedMilliseconds = isStopped ? stoppedMilliseconds + lookMilliseconds : 0
      }
      // Once it has been reaped its number may be another's.
      if child.isRunning { MetadataMark.killOutside(child.pid) }
    }
  }

  deinit { channel.close() }

  var pid: Int32 { child.pid }

  var isRunning: Bool { child.isRunning }

  var isStopped: Bool { StoppedProcess.isStopped(child.pid) }

  func kill() {
    let child = child
    let hasThread = BackgroundThread.start(name: "guard-end") {
      if child.isRunning { MetadataMark.killOutside(child.pid) }
    }
    if !hasThread { child.send(SIGKILL) }
  }

  func send(_ orders: GuardOrders) -> Bool { channel.send(orders) }

  func end(isInformed: Bool) async {
    if isInformed, await child.exit(within: Self.graceTime) != nil { return }
    kill()
    _ = await child.exit(within: Self.graceTime)
  }
}
