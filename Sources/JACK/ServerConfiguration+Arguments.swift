// SPDX-License-Identifier: MIT

internal import Glibc

extension ServerConfiguration {
  /// The driver by its name, and the device where it has one.
  var resolvedDriver: (name: String, device: String?) {
    switch driver {
    case .automatic:
      if let card = TextFile.read("/proc/asound/cards").flatMap(Self.firstCard) {
        ("alsa", "hw:\(card)")
      } else {
        ("dummy", nil)
      }
    case .alsa(let device): ("alsa", device)
    case .dummy: ("dummy", nil)
    case .other(let name): (name, nil)
    }
  }

  /// The number of the first card in the text of /proc/asound/cards.
  static func firstCard(_ text: String) -> Int? {
    for line in text.split(separator: "\n") {
      if let number = line.split(separator: " ").first.flatMap({ Int($0) }) { return number }
    }
    return nil
  }

  /// The command line, without the program.
  var arguments: [String] {
    let (driverName, device) = resolvedDriver
    var arguments = ["-n", name, isRealtime ? "-R" : "-r"]
    if isRealtime, let realtimePriority { arguments += ["-P", "\(realtimePriority)"] }
    if isSynchronous { arguments.append("-S") }
    arguments += extraServerArguments
    arguments += ["-d", driverName]
    if let device { arguments += ["-d", device] }
    arguments += ["-r", "\(sampleRateHz)", "-p", "\(periodFrames)"]
    if driverName == "alsa" { arguments += ["-n", "\(periods)"] }
    let channelFlags = driverName == "alsa" ? ("-i", "-o") : ("-C", "-P")
    if let captureChannels { arguments += [channelFlags.0, "\(captureChannels)"] }
    if let playbackChannels { arguments += [channelFlags.1, "\(playbackChannels)"] }
    return arguments + extraDriverArguments
  }
}
