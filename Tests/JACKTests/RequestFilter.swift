// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import SystemSupport
import TestSupport

/// A program in the place of a server's socket, which passes all on but for some requests.
///
/// A server that fails does so by chance; this one does when it is asked to.
final class RequestFilter {
  /// A request of JACK's protocol, by its number in jack2's JackRequest.h.
  enum Request: Int {
    /// It is answered with a failure.
    case activate = 6
    /// The connection is closed.
    case clientCheck = 22
  }

  private static let program = """
    import os, socket, struct, sys, threading
    path, kind, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.rename(path, path + "-kept")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()

    def answer(server, client):
        while data := server.recv(65536):
            client.sendall(data)

    def serve(client):
        global count
        server = socket.socket(socket.AF_UNIX)
        server.connect(path + "-kept")
        threading.Thread(target=answer, args=(server, client), daemon=True).start()
        while header := client.recv(8, socket.MSG_WAITALL):
            size = struct.unpack("ii", header)[1]
            fields = client.recv(size, socket.MSG_WAITALL) if size else b""
            if struct.unpack("ii", header)[0] == kind and count:
                count -= 1
                if kind == 22: break
                client.sendall(struct.pack("i", -1))
            else:
                server.sendall(header + fields)
        server.shutdown(socket.SHUT_RDWR)
        client.close()

    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """

  private let path: String
  private let process: ChildProcess

  /// Takes the place of a server's socket.
  ///
  /// - Parameters:
  ///   - request: The requests that fail.
  ///   - count: How many of them.
  ///   - server: The server, which runs.
  /// - Throws: ``TestFailure`` when it does not take the place.
  init(failing request: Request, times count: Int, of server: TestServer) async throws {
    path = "/dev/shm/jack_\(server.name)_\(getuid())_0"
    process = try ChildProcess.start(
      "/usr/bin/python3",
      ["-c", Self.program, path, "\(request.rawValue)", "\(count)"],
      bond: .bound,
    )
    try await waitUntil("it has the socket's place") { [path] in
      FileManager.default.fileExists(atPath: path)
        && FileManager.default.fileExists(atPath: path + "-kept")
    }
  }

  /// Gives the socket back.
  ///
  /// - Throws: ``TestFailure`` when it cannot.
  func end() throws {
    process.send(SIGKILL)
    _ = process.waitForExit(within: .seconds(20))
    guard unsafe rename(path + "-kept", path) == 0 else {
      throw TestFailure("the server's socket is not given back")
    }
  }
}
