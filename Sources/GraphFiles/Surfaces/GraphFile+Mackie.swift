// SPDX-License-Identifier: MIT

extension GraphFile {
  /// A unit of a Mackie Control, one entry of `surfaces.mackie`.
  public struct MackieUnit: Sendable, Equatable {
    /// The most units side by side.
    public static let limit = 8

    /// The protocol; the raw value is the name in the file.
    public enum Model: String, Sendable, CaseIterable {
      /// Mackie Control, and devices that behave like one.
      case mackie
      /// Logic Control, which asks for an answer to a challenge.
      case logic
    }

    /// The words in the name of the device on JACK.
    public var device: String
    /// The protocol.
    public var model = Model.mackie
    /// Whether it has strips alone, without a master section.
    public var isExtender = false
    /// Whether its displays have colours that are set as on the X-Touch.
    public var hasColors: Bool

    /// Makes a unit with all defaults: an X-Touch has colours.
    public init(device: String) {
      self.device = device
      hasColors = device.lowercased().contains("x-touch")
    }
  }
}

/// The keys of one entry of `surfaces.mackie`.
enum MackieUnitKey: String, SectionKey {
  static let section = "mackie unit"
  case device, model, extender, colors
}

extension GraphFile.MackieUnit {
  /// Reads a unit; nil for one without a device, which has been reported.
  init?(_ field: Field) {
    guard let section: Section<MackieUnitKey> = field.section(),
      let device = section.required(.device, example: "X-Touch")?
        .text(allowed: "words of the device's name, such as X-Touch")
    else { return nil }
    self.init(device: device)
    model = section[.model]?.choice() ?? model
    isExtender = section[.extender]?.flag() ?? isExtender
    hasColors = section[.colors]?.flag() ?? hasColors
  }
}

extension Field {
  /// The units of a Mackie Control from left to right.
  func mackieUnits() -> [GraphFile.MackieUnit] {
    let entries = list(
      allowed: "a list of units, for example [{device: X-Touch}],",
      limit: GraphFile.MackieUnit.limit,
    )
    let units = (entries ?? []).compactMap { GraphFile.MackieUnit($0) }
    let mains = units.count { !$0.isExtender }
    if mains > 1 {
      error("two units have a master section; write 'extender: true' for all but one")
    } else if mains == 0, !units.isEmpty {
      error("no unit has a master section; one must be without 'extender: true'")
    }
    return units
  }
}
