// SPDX-License-Identifier: MIT

/// What identifies a node, or with wildcards what is looked for.
public struct AudioComponentDescription: Hashable, Sendable {
  /// The kind, such as `aurx`; 0 looks for any.
  public var componentType: FourCharCode
  /// The maker's own code of the product; 0 looks for any.
  public var componentSubType: FourCharCode
  /// The maker's code; 0 looks for any.
  public var componentManufacturer: FourCharCode
  /// Flags; only those in `componentFlagsMask` are compared.
  public var componentFlags: UInt32
  /// Which flags matter when looking.
  public var componentFlagsMask: UInt32

  /// Makes a description; what is left out is a wildcard.
  public init(
    componentType: FourCharCode = .any,
    componentSubType: FourCharCode = .any,
    componentManufacturer: FourCharCode = .any,
    componentFlags: UInt32 = 0,
    componentFlagsMask: UInt32 = 0,
  ) {
    self.componentType = componentType
    self.componentSubType = componentSubType
    self.componentManufacturer = componentManufacturer
    self.componentFlags = componentFlags
    self.componentFlagsMask = componentFlagsMask
  }

  /// Makes the description of a node.
  public init(kind: NodeKind, subtype: FourCharCode, manufacturer: FourCharCode) {
    self.init(
      componentType: kind.componentType,
      componentSubType: subtype,
      componentManufacturer: manufacturer,
    )
  }

  /// Whether `other` is what this description, with its wildcards, looks for.
  public func finds(_ other: AudioComponentDescription) -> Bool {
    func fits(_ wanted: FourCharCode, _ found: FourCharCode) -> Bool {
      wanted == .any || wanted == found
    }
    return fits(componentType, other.componentType)
      && fits(componentSubType, other.componentSubType)
      && fits(componentManufacturer, other.componentManufacturer)
      && componentFlags & componentFlagsMask == other.componentFlags & componentFlagsMask
  }
}
