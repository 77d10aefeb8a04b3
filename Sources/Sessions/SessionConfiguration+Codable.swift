// SPDX-License-Identifier: MIT

extension SessionConfiguration: Codable {
  private enum CodingKeys: String, CodingKey {
    case category, mode, options, policy
  }

  /// Decodes a configuration and checks it: an invalid combination does not decode.
  ///
  /// - Parameter decoder: Where the four values are.
  /// - Throws: `DecodingError`, with the refusal as its description.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    let category = try values.decode(Category.self, forKey: .category)
    let mode = try values.decode(Mode.self, forKey: .mode)
    let options = try values.decode(CategoryOptions.self, forKey: .options)
    let policy = try values.decode(RouteSharingPolicy.self, forKey: .policy)
    do throws(SessionError) {
      try restore(category: category, mode: mode, options: options, policy: policy)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.message)
      )
    }
  }

  /// Encodes the four values.
  ///
  /// - Parameter encoder: Where to put them.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(category, forKey: .category)
    try values.encode(mode, forKey: .mode)
    try values.encode(options, forKey: .options)
    try values.encode(policy, forKey: .policy)
  }
}
