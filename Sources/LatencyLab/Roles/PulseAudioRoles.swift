// SPDX-License-Identifier: MIT

import Glibc

/// The peer: a PulseAudio of its own with a null sink, module-role-ducking and module-role-cork.
///
/// Belongs to the control thread.
final class PulseAudioRoles: RoleSystem {
  let name = "PulseAudio"
  private let environment: [String: String]
  private let daemon: PeerProcess
  private let monitor: PeerProcess
  private let music: PeerProcess
  private let reader: MonitorReader

  /// Starts daemon, music and recorder, separate from the user's PulseAudio.
  ///
  /// - Parameters:
  ///   - program: The name or path of `pulseaudio`; `pacat` and `parec` are looked up in `$PATH`.
  ///   - folder: The folder for its files, which must exist.
  ///   - sounds: The music.
  /// - Throws: ``LabError`` `tool` or `cancelled`.
  init(program: String, folder: String, sounds: RoleSounds) async throws(LabError) {
    let socket = "\(folder)/native"
    environment = [
      "HOME": folder, "XDG_RUNTIME_DIR": folder, "PULSE_SERVER": "unix:\(socket)",
    ]
    let script = "\(folder)/roles.pa"
    try OutputFile.write(Self.script(socket: socket), to: script)
    daemon = try PeerProcess(
      program,
      ["-n", "-F", script, "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1"]
        + ["--disable-shm=yes"],
      environment: environment,
    )
    var patience = Self.patience
    while unsafe access(socket, F_OK) != 0 {
      try await LabError.sleep(.milliseconds(50))
      patience -= 1
      guard patience > 0, !daemon.hasEnded else {
        throw LabError(.tool, "\(program): did not start (Debian's package pulseaudio)")
      }
    }
    let pipe = "\(folder)/monitor"
    guard unsafe mkfifo(pipe, 0o600) == 0 else {
      throw LabError(.badFile, "\(pipe): cannot be made")
    }
    reader = try MonitorReader(path: pipe)
    // The shell opens the pipe in its place.
    monitor = try PeerProcess(
      "sh",
      ["-c", "exec parec \(Self.format) --latency-msec=5 -d speaker.monitor >'\(pipe)'"],
      environment: environment,
    )
    music = try PeerProcess(
      "pacat",
      Self.latency + ["--property=media.role=music", "--file-format=wav", sounds.music],
      environment: environment,
    )
  }

  func play(_ file: String, as role: Role) throws(LabError) -> PeerProcess {
    try PeerProcess(
      "pacat",
      Self.latency + ["--property=media.role=\(role.rawValue)", "--file-format=wav", file],
      environment: environment,
    )
  }

  func step(
    frames: Int,
    _ request: () async throws(LabError) -> Void,
  ) async throws(LabError) -> RoleStep {
    reader.begin(frames: frames)
    try await waitForFrames(Self.leadFrames)
    let requestIndex = reader.frames
    try await request()
    try await waitForFrames(frames)
    let traces = reader.channelSamples.map {
      LevelTrace($0, fullLevelLinear: RoleSounds.levelLinear)
    }
    return RoleStep(music: traces[0], prompt: traces[1], requestIndex: requestIndex)
  }

  func close() async {
    for process in [music, monitor, daemon] { process.stop() }
  }

  private func waitForFrames(_ frames: Int) async throws(LabError) {
    var patience = Self.patience * 25
    while reader.frames < frames {
      try await LabError.sleep(.milliseconds(2))
      patience -= 1
      guard patience > 0, !monitor.hasEnded else {
        throw LabError(.tool, "parec: the monitor has stopped sending")
      }
    }
  }

  private static func script(socket: String) -> String {
    """
    load-module module-null-sink sink_name=speaker rate=48000 channels=2 format=float32le
    load-module module-native-protocol-unix auth-anonymous=1 socket=\(socket)
    load-module module-role-ducking trigger_roles=announce ducking_roles=music
    load-module module-role-cork trigger_roles=phone cork_roles=music

    """
  }

  private static let format = "--raw --format=float32le --rate=48000 --channels=2"
  private static let latency = ["--latency-msec=20"]
  /// Frames recorded before a request.
  private static let leadFrames = 480
  /// Ten seconds.
  private static let patience = 200
}
