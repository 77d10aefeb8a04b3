// SPDX-License-Identifier: MIT

import AudioFiles
import AudioSession
import ControlProtocol
import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Processes that are forked from a program with a session.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ForkTests {
  /// A program that forks: the child tries to change the session, tells its results, and lives on.
  ///
  /// A lock that any thread of the parent held at the fork is never released in the child, so the child may take none.
  private static let program = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <multiroute_session.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <unistd.h>
    static int is_child;
    int pthread_mutex_lock(pthread_mutex_t *mutex) {
      static int (*take)(pthread_mutex_t *);
      if (is_child) {
        printf("child takes a lock\\n");
        fflush(stdout);
        _exit(3);
      }
      if (!take) take = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
      return take(mutex);
    }
    static void told(const char *what, int32_t code) {
      char why[512] = "";
      if (code) mr_session_last_error(why, sizeof why);
      printf("%s %d %s\\n", what, (int)code, why);
      fflush(stdout);
    }
    int main(void) {
      told("parent category", mr_session_set_category("playback", NULL, 0));
      told("parent activate", mr_session_activate());
      int done[2];
      char byte = 0;
      if (pipe(done)) return 1;
      const pid_t child = fork();
      if (child == 0) {
        is_child = 1;
        told("child category", mr_session_set_category("ambient", NULL, 0));
        told("child preferred", mr_session_set_preferred(44100, 0.01));
        told("child ports", mr_session_set_ports("x:*", 2));
        told("child activate", mr_session_activate());
        told("child deactivate", mr_session_deactivate(1));
        printf("child active %d, %.0f Hz\\n", (int)mr_session_is_active(), mr_session_sample_rate());
        char text[64];
        printf("child route '%s'", (mr_session_route(text, sizeof text), text));
        printf(", routes '%s'\\n", (mr_session_routes(text, sizeof text), text));
        fflush(stdout);
        mr_session_set_callback(NULL, NULL);
        if (write(done[1], &byte, 1) != 1) return 1;
        for (;;) pause();
      }
      close(done[1]);
      if (read(done[0], &byte, 1) != 1) {
        printf("child is gone\\n");
        return 1;
      }
      printf("parent active %d\\n", (int)mr_session_is_active());
      told("parent preferred", mr_session_set_preferred(48000, 0));
      printf("child is %d\\n", (int)child);
      fflush(stdout);
      for (;;) pause();
    }
    """

  @Test(.jackServer(channels: 4))
  func `SES-6: a forked child of a C program changes nothing, and does not hold the session`()
    async throws
  {
    let rig = try await SessionRig.running()
    let folder = (try Multiroute.path() as NSString).deletingLastPathComponent
    let source = try rig.scratch.write(Self.program, to: "forks.c")
    let program = rig.scratch.path + "/forks"
    let compiler = try Child(
      "clang",
      [
        "-Wall", "-Wextra", "-Werror", "-I", Repository.path("Sources/CSessionInterface/include"),
        source, "-o", program, "-rdynamic", "-L", folder, "-lmultiroute-session",
        "-Wl,-rpath,\(folder)",
      ],
      in: rig.scratch,
    )
    #expect(try await compiler.waitForEnd() == .code(0), "\(compiler.standardError)")
    let parent = try Child(
      program,
      [],
      environment: [
        "XDG_RUNTIME_DIR": rig.scratch.runtimeDirectory, "MULTIROUTE_HOST": rig.host.name,
        "MULTIROUTE_START": "never", "MULTIROUTE_APP": "forks",
      ],
      in: rig.scratch,
    )
    try await waitUntil("both have told their results") {
      parent.standardOutput.contains("child is ")
    }
    let lines = parent.standardOutput.split(separator: "\n").map(String.init)
    #expect(!lines.contains("child takes a lock") && !lines.contains("child is gone"), "\(lines)")
    for call in ["category", "preferred", "ports", "activate", "deactivate"] {
      let line = try #require(lines.first { $0.hasPrefix("child \(call) ") })
      #expect(!line.hasPrefix("child \(call) 0 ") && line.contains("was forked"), "\(line)")
    }
    #expect(lines.contains("child active 0, 0 Hz") && lines.contains("child route '', routes ''"))
    #expect(lines.contains("parent active 1"), "\(lines)")
    #expect(lines.contains("parent preferred 0 "), "\(lines)")
    let session = try await rig.host.status().sessions.first { $0.app == "forks" }
    #expect(session?.active == true)
    #expect(session?.category == .playback)

    let child = try #require(lines.last.flatMap { Int32($0.dropFirst("child is ".count)) })
    parent.send(SIGKILL)
    _ = try await parent.waitForEnd()
    try await waitUntil("the session has ended with its program") {
      try await rig.host.status().sessions.allSatisfy { $0.app != "forks" }
    }
    #expect(kill(child, SIGKILL) == 0, "the child lived on")
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `players and recorders of a forked child refuse, and its parent plays on`() async throws {
    let rig = try await SessionRig.running()
    let file = try rig.scratch.write(
      [[Float](repeating: 0.25, count: 48_000)],
      to: "level.wav",
      format: .wavPCM16,
    )
    let url = URL(filePath: file)
    let session = rig.session
    try session.setCategory(.playAndRecord)
    try session.setActive(true)
    let player = try AVAudioPlayer(contentsOf: url)
    player.numberOfLoops = -1
    #expect(player.play())
    let recording = URL(filePath: rig.scratch.path + "/rec.wav")
    let recorder = try AVAudioRecorder(url: recording, settings: [:])
    #expect(recorder.record())
    let heard = try rig.recorder(["phones_out_1"])
    try await heard.waitForLevels([0.25])

    let faults = try faultsInForkedChild {
      player.pause()
      player.stop()
      recorder.stop()
      return [
        player.play(), player.prepareToPlay(), recorder.record(), recorder.deleteRecording(),
        (try? AVAudioPlayer(contentsOf: url)) != nil, (try? session.setActive(false)) != nil,
        (try? session.setCategory(.ambient)) != nil, session.isActive,
      ].count { $0 }
    }
    #expect(faults == 0)
    #expect(FileManager.default.fileExists(atPath: recording.path))
    try await heard.recorder.pass(24_000)
    try await heard.waitForLevels([0.25])
    #expect(player.isPlaying && recorder.isRecording && session.isActive)
    let status = try await rig.status()
    #expect(status?.active == true && status?.category == .playAndRecord)
    recorder.stop()
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }
}
