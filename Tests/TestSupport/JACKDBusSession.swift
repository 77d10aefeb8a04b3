// SPDX-License-Identifier: MIT

internal import Glibc

/// A jackdbus of its own on a message bus of its own, with the dummy driver.
public final class JACKDBusSession: Sendable {
  /// The session's programs, environment and folder.
  public let session: ShellSession
  /// The name of the JACK server.
  public let serverName: String

  /// Environment variables for programs that reach this jackdbus.
  public var environment: [String: String] { session.environment }

  /// Starts the bus and jackdbus on it, and a server if asked for.
  ///
  /// - Parameter startsServer: Whether to start the server, too.
  /// - Throws: ``TestFailure`` when a program is missing or does not answer within 20 s.
  public init(startsServer: Bool = true) async throws {
    session = try ShellSession(script: Self.script)
    serverName = "multiroute-dbus-\(getpid())-\(session.folder.suffix(8))"
    do {
      try await waitUntil("jackdbus answers") {
        (try? call("JackControl.IsStarted")) != nil
      }
      try call("Configure.SetParameterValue", "array:string:engine,driver", "variant:string:dummy")
      try call(
        "Configure.SetParameterValue",
        "array:string:engine,name",
        "variant:string:\(serverName)",
      )
      if startsServer {
        // A machine can have eight servers; other tests may have them all for a while.
        try await waitUntil("jackdbus starts its server") {
          (try? call("JackControl.StartServer")) != nil
        }
      }
    } catch {
      throw TestFailure("\(error): \(session.log)")
    }
  }

  deinit { stop() }

  /// Calls a method of jackdbus's control object.
  ///
  /// - Parameters:
  ///   - method: The interface without its `org.jackaudio.`, and the method.
  ///   - arguments: Arguments as dbus-send takes them.
  /// - Returns: The answer's last value.
  /// - Throws: ``TestFailure`` when jackdbus refuses.
  @discardableResult
  public func call(_ method: String, _ arguments: String...) throws -> String {
    let answer = try session.run(
      [
        "dbus-send", "--session", "--print-reply", "--dest=org.jackaudio.service",
        "/org/jackaudio/Controller", "org.jackaudio.\(method)",
      ] + arguments
    )
    return answer.split(separator: " ").last.map(String.init) ?? ""
  }

  /// Ends the server, jackdbus and the bus, and deletes the session's folder.
  public func stop() { session.stop() }

  // jackdbus is started here and not by the bus, so that its process id is known. It blocks SIGTERM
  // while its server runs; the server is stopped first, because it would leave its memory behind.
  private static let script = """
    dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" \
      --print-address >"$XDG_RUNTIME_DIR/bus-address" & bus=$!
    until [ -s "$XDG_RUNTIME_DIR/bus-address" ]; do kill -0 $bus || break; sleep 0.02; done
    jackdbus auto & server=$!
    read -r _
    dbus-send --session --print-reply --dest=org.jackaudio.service \\
      /org/jackaudio/Controller org.jackaudio.JackControl.StopServer
    kill -KILL $server
    kill $bus
    wait
    """
}
