// SPDX-License-Identifier: MIT

internal import Glibc
internal import JACK
internal import SystemSupport

/// A program that was started because its node is to be connected.
///
/// It has a session of its own, so that a Ctrl-C on the host's terminal does not reach it. It outlives its host unless
/// it, or its node file, chooses otherwise. Safe from any thread: [any-thread].
public final class NodeProgram: Sendable {
  /// Its process.
  public let processID: Int32

  private let child: ChildProcess
  private let name: String

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: Its name or path, and its arguments.
  ///   - environment: Variables that its node file adds. Variables of the dynamic loader, such as `LD_PRELOAD`, are not
  ///     inherited from this process, so they have to be given here.
  ///   - server: The server it is to use, as `$JACK_DEFAULT_SERVER`; `JACK_NO_START_SERVER` is set.
  ///   - lossPolicy: Whether it ends when this process dies.
  /// - Throws: ``InterAppAudioError`` `notFound` where it cannot be started.
  ///
  /// [control-thread]
  public init(
    _ command: [String],
    environment: [String: String] = [:],
    server: String,
    lossPolicy: InstalledNode.LossPolicy = .stay,
  ) throws(InterAppAudioError) {
    guard let program = command.first else {
      throw InterAppAudioError(.notFound, "the node file gives no command to start it")
    }
    do throws(SystemError) {
      // env(1) reports a program that is missing or cannot be executed as a shell does: by its exit status.
      child = try ChildProcess.start(
        "env",
        command,
        environment: environment.merging(
          ["JACK_DEFAULT_SERVER": server, "JACK_NO_START_SERVER": "1"]
        ) { $1 },
        bond: lossPolicy == .stop ? .bound : .detached,
      )
    } catch {
      throw InterAppAudioError(.notFound, "\(program): \(error.reason)")
    }
    processID = child.pid
    name = program
  }

  /// Whether it has ended.
  public var hasEnded: Bool { !child.isRunning }

  /// How it ended, in words; nil while it runs.
  public var end: String? {
    guard let exit = child.exit else { return nil }
    if let signal = exit.signal { return "ended by signal \(signal)" }
    switch exit.status {
    case 126: return "'\(name)' cannot be executed (status 126)"
    case 127: return "'\(name)' is not found (status 127)"
    case let status?: return "ended with status \(status)"
    case nil: return nil
    }
  }

  /// Whether a process is the program or descends from it, by the session that was made for the program.
  public func isAncestor(of pid: Int32) -> Bool { Machine.session(of: pid) == processID }

  /// Sends it a signal, unless it has ended.
  ///
  /// SIGKILL comes from a thread of its own, once the program does not use JACK's store of
  /// metadata, after 0.25 s at the latest: its locks in there would stay, and every JACK program would wait for them.
  public func send(_ signal: Int32) {
    guard signal == SIGKILL else { return child.send(signal) }
    let child = child
    let hasThread = BackgroundThread.start(name: "node-end") {
      if child.isRunning { MetadataMark.killOutside(child.pid) }
    }
    if !hasThread { child.send(SIGKILL) }
  }
}
