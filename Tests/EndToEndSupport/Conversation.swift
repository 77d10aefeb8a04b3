// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A conversation with a program on a terminal of its own.
struct Conversation {
  /// Text of the program, and what is typed once it has come.
  struct Step {
    let awaited: String
    let typed: String
  }

  /// Starts a program in a terminal, and answers it step by step, then reads on until it ends.
  private static let script = """
    import json, os, pty, select, sys, time
    steps, words = json.loads(sys.argv[1]), sys.argv[2:]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(words[0], words)
    text, place = "", 0

    def read():
        # A terminal whose program has ended answers with an error.
        global text
        try:
            data = os.read(terminal, 65536) if select.select([terminal], [], [], 60)[0] else b""
        except OSError:
            data = b""
        text += data.decode(errors="replace").replace("\\r", "")
        return bool(data)

    for awaited, typed in steps:
        while awaited not in text[place:]:
            if not read():
                sys.exit(f"{awaited!r} has not come:\\n{text}")
        place = text.index(awaited, place) + len(awaited)
        os.write(terminal, typed.encode())
    while read():
        pass
    print(text)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 255)
    """

  /// Talks with a program until it ends.
  ///
  /// - Parameters:
  ///   - program: Its path or name.
  ///   - arguments: Its arguments.
  ///   - steps: The conversation.
  ///   - environment: Changes to the environment.
  ///   - scratch: Where its output is kept.
  /// - Returns: All that was shown, and how the program ended.
  /// - Throws: ``TestFailure`` when it does not end.
  static func hold(
    with program: String,
    _ arguments: [String],
    _ steps: [Step],
    environment: [String: String],
    in scratch: Scratch,
  ) async throws -> Multiroute.Output {
    let json = try JSONEncoder().encode(steps.map { [$0.awaited, $0.typed] })
    let child = try Child(
      "python3",
      ["-c", script, String(decoding: json, as: UTF8.self), program] + arguments,
      environment: environment,
      in: scratch,
    )
    let end = try await child.waitForEnd(within: .seconds(90))
    return Multiroute.Output(
      end: end,
      standardOutput: child.standardOutput,
      standardError: child.standardError,
    )
  }
}
