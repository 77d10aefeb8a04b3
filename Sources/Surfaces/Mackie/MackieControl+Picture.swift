// SPDX-License-Identifier: MIT

/// The picture of the mixer on each unit.
///
/// Pure value: [any-thread].
extension MackieControl {
  /// All that a unit is to show.
  ///
  /// - Parameters:
  ///   - unit: The unit.
  ///   - notice: The text that covers the lower line of the unit with the master section.
  /// - Returns: The picture; without a strip for places to the right of the last one.
  func picture(of unit: Int, notice: String?) -> MackiePicture {
    var picture = MackiePicture()
    for index in 0..<MackieUnit.stripCount { show(index, of: unit, in: &picture) }
    if panels[unit].unit.hasColors {
      picture.colors = (0..<MackieUnit.stripCount).map { color($0, of: unit).rawValue }
    }
    if !panels[unit].unit.isExtender { showMaster(of: unit, in: &picture) }
    let noticeUnit = panels.firstIndex { !$0.unit.isExtender } ?? 0
    if let notice, unit == noticeUnit {
      let line = MackieText.line(notice, length: MackieText.lineLength)
      picture.text.replaceSubrange(MackieText.lineLength..., with: line)
    }
    return picture
  }

  private func show(_ index: Int, of unit: Int, in picture: inout MackiePicture) {
    let fader = faderTarget(index, of: unit)
    let pot = potTarget(index, of: unit)
    picture.faders[index] = position(of: fader)
    picture.rings[index] = pot.map(ring) ?? 0

    let strip = strip(index, of: unit)
    func isOn(_ name: String) -> Bool {
      strip.map { mixer.flag("/strip/\($0.id)/\(name)") == true } ?? false
    }
    picture.lamps[MackieLamp.solo(index)] = isOn(cues ? "cue" : "solo")
    picture.lamps[MackieLamp.mute(index)] = isOn("mute")
    picture.lamps[MackieLamp.select(index)] = strip != nil && strip?.id == selected
    let recorder = unit * MackieUnit.stripCount + index
    picture.lamps[MackieLamp.record(index)] =
      mixer.recorders.indices.contains(recorder) && isRecording(mixer.recorders[recorder])

    let column = index * MackieText.cellLength
    put(MackieText.cell(strip?.name ?? ""), at: column, in: &picture)
    // The hand is on the fader, so the eye looks for its value.
    let target = panels[unit].touched[index] ? fader : pot
    put(
      MackieText.cell(target.map(text) ?? ""),
      at: MackieText.lineLength + column,
      in: &picture,
    )
  }

  private func color(_ index: Int, of unit: Int) -> MackieColor {
    guard let strip = strip(index, of: unit) else { return .off }
    func isOn(_ name: String) -> Bool { mixer.flag("/strip/\(strip.id)/\(name)") == true }
    if isOn("mute") { return .red }
    if isOn("solo") { return .yellow }
    return isOn("cue") ? .cyan : .white
  }

  private func put(_ cell: [UInt8], at offset: Int, in picture: inout MackiePicture) {
    picture.text.replaceSubrange(offset..<offset + cell.count, with: cell)
  }

  private func showMaster(of unit: Int, in picture: inout MackiePicture) {
    picture.faders[MackieUnit.stripCount] = position(
      of: faderTarget(MackieUnit.stripCount, of: unit)
    )
    let isRolling = mixer.flag("/transport/rolling")
    let lamps: [(Int, Bool)] = [
      (MackieLamp.key(.pan), assignment == .pan),
      (MackieLamp.key(.send), assignment != .pan),
      (MackieLamp.key(.flip), isFlipped),
      (MackieLamp.key(.cue), cues),
      (MackieLamp.key(.stop), isRolling == false),
      (MackieLamp.key(.play), isRolling == true),
      (MackieLamp.key(.record), mixer.recorders.contains(where: isRecording)),
      (MackieLamp.time, !showsBeats),
      (MackieLamp.beats, showsBeats),
      (MackieLamp.anySolo, mixer.isAnySoloed),
    ]
    for (lamp, isLit) in lamps { picture.lamps[lamp] = isLit }
    picture.digits = time + assignmentDigits
  }

  // MARK: - Values

  private func position(of target: MackieTarget?) -> UInt16 {
    guard let target, let value = mixer.number(target.path) else { return 0 }
    return UInt16((target.position(of: value) * 1023).rounded())
  }

  private func ring(_ target: MackieTarget) -> UInt8 {
    guard let value = mixer.number(target.path) else { return 0 }
    let isMuted = target.mute.map { mixer.flag($0) == true } ?? false
    return target.ring(value, isMuted: isMuted)
  }

  private func text(_ target: MackieTarget) -> String {
    mixer.number(target.path).map(target.text) ?? ""
  }

  private func isRecording(_ recorder: MackieMixer.Part) -> Bool {
    mixer.flag("/recorder/\(recorder.id)/recording") == true
  }

  private var time: [UInt8] {
    if showsBeats {
      return MackieText.digits(MackieText.beats(mixer.text("/transport/beat") ?? ""), dots: [2, 4])
    }
    let text = mixer.number("/transport/position").map(MackieText.time) ?? "          "
    return MackieText.digits(text, dots: [2, 4, 6])
  }

  private var assignmentDigits: [UInt8] {
    switch assignment {
    case .pan: MackieText.digits("Pn", dots: [1])
    case .send(let route) where route < 9: MackieText.digits("S\(route + 1)", dots: [])
    case .send(let route): MackieText.digits(String("\(route + 1)".suffix(2)), dots: [])
    }
  }

  /// A strip's whole name, and where it is heard, or the host's sentence why it is not, or is lowered.
  func summary(of strip: MackieMixer.Part) -> String {
    let path = "/strip/\(strip.id)"
    if let why = mixer.text(path + "/why"), !why.isEmpty { return "\(strip.name): \(why)" }
    let gain = mixer.number(path + "/gain") ?? -.infinity
    let heard = mixer.destinations(of: strip).filter {
      mixer.flag("\(path)/send/\($0.id)/mute") != true
    }
    let routes = heard.isEmpty ? "no route" : heard.map(\.name).joined(separator: ", ")
    return "\(strip.name): \(MackieText.gain(gain)) dB to \(routes)"
  }
}
