// SPDX-License-Identifier: MIT

/// The keys of `server`.
enum ServerKey: String, SectionKey {
  static let section = "server"
  case name, start, driver, device, channels, periods, synchronous, realtime, priority, arguments
}

/// The keys of `server.channels`.
enum ServerChannelsKey: String, SectionKey {
  static let section = "channels"
  case capture, playback
}

extension GraphFile.Server {
  init(_ section: Section<ServerKey>) {
    name = section[.name]?.graphName()
    start = section[.start]?.choice() ?? start
    driver = section[.driver]?.choice() ?? driver
    device = section[.device]?.text(allowed: "a device of the driver, for example \"hw:0\"")
    if let device = section[.device], [.automatic, .dummy].contains(driver) {
      device.error("the driver '\(driver.rawValue)' takes no device; write also 'driver: alsa'")
    }
    if let channels: Section<ServerChannelsKey> = section[.channels]?.section() {
      captureChannels = channels[.capture]?.integer(in: 0...GraphFile.portLimit)
      playbackChannels = channels[.playback]?.integer(in: 0...GraphFile.portLimit)
    }
    periods = section[.periods]?.integer(in: 2...16)
    isSynchronous = section[.synchronous]?.flag() ?? isSynchronous
    isRealtime = section[.realtime]?.flag() ?? isRealtime
    realtimePriority = section[.priority]?.integer(in: 1...99)
    if let priority = section[.priority], !isRealtime {
      priority.error("has no meaning with 'realtime: false'; remove one of the two")
    }
    arguments = (section[.arguments]?.list(allowed: "a list of arguments", limit: 64) ?? [])
      .compactMap { $0.text(allowed: "an argument of the server") }
  }
}
