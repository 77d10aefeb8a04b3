// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A terminal from which a program is started, and which can be closed.
struct PseudoTerminal {
  /// Starts a program in a terminal, passes on its output, and closes the terminal once a file is there.
  private static let script = """
    import os, pty, select, sys
    flag, words = sys.argv[1], sys.argv[2:]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(words[0], words)
    while not os.path.exists(flag):
        if select.select([terminal], [], [], 0.01)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            sys.stdout.buffer.write(data.replace(b"\\r", b""))
            sys.stdout.buffer.flush()
    os.close(terminal)
    status = os.waitpid(pid, 0)[1]
    sys.exit(os.waitstatus_to_exitcode(status) & 255)
    """

  private let flag: String

  /// Makes a terminal that nothing runs in yet.
  init(in scratch: Scratch) { flag = "\(scratch.path)/closed-\(Scratch.number())" }

  /// The command before the program's own words.
  var prefix: [String] { ["python3", "-c", Self.script, flag] }

  /// Closes it, as a user closes a window.
  func close() throws { try Data().write(to: URL(filePath: flag)) }
}
