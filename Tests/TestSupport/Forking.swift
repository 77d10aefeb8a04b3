// SPDX-License-Identifier: MIT

import Glibc

/// Runs `body` in a forked child of this process, which then ends without cleaning up.
///
/// The child has only the calling thread, so `body` may not wait for another one.
///
/// - Parameter body: Gives the number of its faults, 0 to 200.
/// - Returns: That number.
/// - Throws: ``TestFailure`` when there is no child, or it ended by a signal or after 20 s.
public func faultsInForkedChild(_ body: () -> Int) throws -> Int {
  // Swift has no fork, because a child may do so little.
  typealias Fork = @convention(c) () -> pid_t
  guard let symbol = unsafe dlsym(nil, "fork") else { throw TestFailure("there is no fork") }
  let fork = unsafe unsafeBitCast(symbol, to: Fork.self)
  let child = fork()
  if child == 0 {
    // Ends a child that waits for a thread that it does not have.
    alarm(20)
    _exit(Int32(min(body(), 200)))
  }
  guard child > 0 else { throw TestFailure("no child: errno \(errno)") }
  var status: Int32 = 0
  while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
  guard status & 0x7F == 0 else { throw TestFailure("signal \(status & 0x7F) ended the child") }
  return Int(status >> 8 & 0xFF)
}
