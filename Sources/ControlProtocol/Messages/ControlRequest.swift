// SPDX-License-Identifier: MIT

/// A request that has been read and checked: a method and parameters of that method's type.
public struct ControlRequest: Sendable {
  /// The method asked for.
  public let method: any ControlMethod.Type
  private let storedParams: any Sendable

  /// Makes a request.
  public init<Method: ControlMethod>(_ method: Method.Type, _ params: Method.Params) {
    self.method = method
    storedParams = params
  }

  /// The parameters, if this is a request for `method`.
  /// [any-thread]
  public func params<Method: ControlMethod>(for method: Method.Type) -> Method.Params? {
    guard self.method.name == method.name else { return nil }
    return storedParams as? Method.Params
  }
}

/// What the host answers to a request: the method's `Result`, or an error.
public typealias ControlReply = Result<any Encodable & Sendable, ControlError>
