// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Why a route changed (RTE-2).
  public enum RouteChangeReason: UInt, Sendable {
    /// Nobody knows.
    case unknown = 0
    /// A device was connected.
    case newDeviceAvailable = 1
    /// The device in use went away: players pause.
    case oldDeviceUnavailable = 2
    /// The category, mode or options changed, or the session became active.
    case categoryChange = 3
    /// The output was overridden, or the override ended.
    case `override` = 4
    /// The machine woke up.
    case wakeFromSleep = 6
    /// Nothing connected fits the category.
    case noSuitableRouteForCategory = 7
    /// The same ports with other data sources or channels.
    case routeConfigurationChange = 8
  }
}
