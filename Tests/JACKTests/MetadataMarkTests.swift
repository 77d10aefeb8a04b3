// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JACK
import SystemSupport
import TestSupport
import Testing

/// Programs are killed outside of JACK's store of metadata, where what they have locked would stay locked for ever.
@Suite(.timeLimit(.minutes(1)))
struct MetadataMarkTests {
  @Test(arguments: [false, true])
  func `a program is killed once it has left the store, also one that is stopped in there`(
    isStopped: Bool
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (marks, word) = ("\(folder)/marks", "\(folder)/word")
    try "".write(toFile: marks, atomically: true, encoding: .utf8)
    // It marks the byte of its number (F_OFD_SETLK), and leaves once it has been told three times to go on.
    let program = """
      import fcntl, os, signal, struct, sys, time
      told = []
      signal.signal(signal.SIGCONT, lambda *_: told.append(1))
      marks = open(sys.argv[1])
      fcntl.fcntl(marks, 37, struct.pack("hhqqi", fcntl.F_RDLCK, 0, os.getpid(), 1, 0))
      while len(told) < 3: pass
      open(sys.argv[2], "w").write("left")
      marks.close()
      time.sleep(600)
      """
    let user = try ChildProcess.start(
      "/usr/bin/python3",
      ["-c", program, marks, word],
      bond: .bound,
    )
    try await waitUntil("it is in the store") { MetadataMark.isSet(by: user.pid, in: marks) }
    #expect(!MetadataMark.isSet(by: user.pid + 1, in: marks))
    if isStopped { user.send(SIGSTOP) }
    let meetings = await onOwnThread {
      MetadataMark.killOutside(user.pid, limitMilliseconds: 20_000, in: marks)
    }
    #expect(meetings > 0)
    #expect(await user.exit(within: .seconds(20))?.signal == SIGKILL)
    #expect(try String(contentsOfFile: word, encoding: .utf8) == "left")
  }

  @Test func `a program without a mark is killed at once`() async throws {
    let sleeper = try ChildProcess.start("sleep", ["60"], bond: .bound)
    let meetings = await onOwnThread {
      MetadataMark.killOutside(sleeper.pid, limitMilliseconds: 20_000)
    }
    #expect(meetings == 0)
    #expect(await sleeper.exit(within: .seconds(20))?.signal == SIGKILL)
  }
}
