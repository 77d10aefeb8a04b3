// SPDX-License-Identifier: MIT

public import Sessions

extension GraphFile {
  /// The settings of the control tower.
  public struct Tower: Sendable, Equatable {
    /// The fade of interruptions, 0…10 s.
    public var fadeDuration = Duration.milliseconds(5)
    /// The time for which an active session may be silent before `status` lists it so, 1 s…1 h.
    public var silentAfterDuration = Duration.seconds(60)
    /// The duck.
    public var duck = Duck()
    /// The highest class for each program, by the program's name; others may use `app`.
    public var classes: [String: PriorityClass] = [:]
    /// Whether apps may do over the control socket what is for users' tools only.
    public var letsAppsChangePolicy = false
    /// Whether hardware values that an active session prefers take effect at once, not at its next activation (HW-1).
    public var appliesPreferencesAtOnce = false
    /// Whether the route picker of an app counts as its user's (VOL-4).
    public var letsAppsChooseRoutes = true
  }
}

extension GraphFile.Tower {
  /// The lowering of other sessions while a ducker is active.
  public struct Duck: Sendable, Equatable {
    /// The gain of lowered sessions in dB, −60…0.
    public var gainDB = -14.0
    /// The time of lowering, 0…10 s.
    public var rampDuration = Duration.milliseconds(200)
    /// The time of restoring, 0…10 s.
    public var restoreDuration = Duration.milliseconds(80)
  }
}

/// The keys of `tower`.
enum TowerKey: String, SectionKey {
  static let section = "tower"
  case fade, silentAfter, duck, classes, appsMayChangePolicy, appsMayChooseRoutes
  case appliesPreferencesAtOnce
}

/// The keys of `tower.duck`.
enum DuckKey: String, SectionKey {
  static let section = "duck"
  case gain, ramp, restore
}

/// The keys of `tower.classes`.
enum ClassesKey: String, SectionKey {
  static let section = "classes"
  case phone, alarm, assistant
}

extension GraphFile.Tower {
  /// Takes the values that a section has; others stay.
  mutating func read(_ section: Section<TowerKey>) {
    fadeDuration = section[.fade]?.duration(in: .zero...(.seconds(10))) ?? fadeDuration
    silentAfterDuration =
      section[.silentAfter]?.duration(in: .seconds(1)...(.seconds(3_600))) ?? silentAfterDuration
    if let keys: Section<DuckKey> = section[.duck]?.section() {
      duck.gainDB = keys[.gain]?.decibels(in: -60...0) ?? duck.gainDB
      duck.rampDuration = keys[.ramp]?.duration(in: .zero...(.seconds(10))) ?? duck.rampDuration
      duck.restoreDuration =
        keys[.restore]?.duration(in: .zero...(.seconds(10))) ?? duck.restoreDuration
    }
    letsAppsChangePolicy = section[.appsMayChangePolicy]?.flag() ?? letsAppsChangePolicy
    letsAppsChooseRoutes = section[.appsMayChooseRoutes]?.flag() ?? letsAppsChooseRoutes
    appliesPreferencesAtOnce =
      section[.appliesPreferencesAtOnce]?.flag() ?? appliesPreferencesAtOnce
    if let keys: Section<ClassesKey> = section[.classes]?.section() { readClasses(keys) }
  }

  private mutating func readClasses(_ section: Section<ClassesKey>) {
    var own: [String: PriorityClass] = [:]
    let fields: [(key: ClassesKey, class: PriorityClass)] = [
      (.phone, .phone), (.alarm, .alarm), (.assistant, .assistant),
    ]
    for (key, priorityClass) in fields {
      for entry in section[key]?.list(allowed: "a list of programs", limit: 1_024) ?? [] {
        guard let app = entry.text(allowed: "a program's name") else { continue }
        if let other = own[app] {
          entry.error("\(MessageText.quoted(app)) is in class '\(other.rawValue)' already")
        }
        own[app] = priorityClass
      }
    }
    classes.merge(own) { $1 }
  }
}
