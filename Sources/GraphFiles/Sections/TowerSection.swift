// SPDX-License-Identifier: MIT

internal import Sessions

/// The keys of `tower`.
enum TowerKey: String, SectionKey {
  static let section = "tower"
  case fade, silentAfter, duck, classes
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
  init(_ section: Section<TowerKey>) {
    fadeDuration = section[.fade]?.duration(in: .zero...(.seconds(10))) ?? fadeDuration
    silentAfterDuration =
      section[.silentAfter]?.duration(in: .seconds(1)...(.seconds(3_600))) ?? silentAfterDuration
    if let keys: Section<DuckKey> = section[.duck]?.section() {
      duck.gainDB = keys[.gain]?.decibels(in: -60...0) ?? duck.gainDB
      duck.rampDuration = keys[.ramp]?.duration(in: .zero...(.seconds(10))) ?? duck.rampDuration
      duck.restoreDuration =
        keys[.restore]?.duration(in: .zero...(.seconds(10))) ?? duck.restoreDuration
    }
    if let keys: Section<ClassesKey> = section[.classes]?.section() { readClasses(keys) }
  }

  private mutating func readClasses(_ section: Section<ClassesKey>) {
    let fields: [(key: ClassesKey, class: PriorityClass)] = [
      (.phone, .phone), (.alarm, .alarm), (.assistant, .assistant),
    ]
    for (key, priorityClass) in fields {
      for entry in section[key]?.list(allowed: "a list of programs", limit: 1_024) ?? [] {
        guard let app = entry.text(allowed: "a program's name") else { continue }
        if let other = classes[app] {
          entry.error("\(MessageText.quoted(app)) is in class '\(other.rawValue)' already")
        }
        classes[app] = priorityClass
      }
    }
  }
}
