// SPDX-License-Identifier: MIT

internal import CJACK
internal import Glibc

extension ClientConnection {
  // MARK: - Own ports

  /// Registers a port.
  ///
  /// - Parameters:
  ///   - name: The short name, without the client's.
  ///   - type: The type of port, which the compiler usually infers from the result.
  ///   - flags: `physical`, `terminal` and `canMonitor` count; the direction comes from the type.
  /// - Returns: The port, typed.
  /// - Throws: ``JACKError`` with `nameTaken`, `invalidName`, `refused` (no ports left), `closed`
  ///   or `serverGone`.
  ///
  /// [control-thread]
  public func register<Kind, Direction>(
    _ name: String,
    as type: ClientPort<Kind, Direction>.Type = ClientPort<Kind, Direction>.self,
    flags: PortFlags = [],
  ) throws(JACKError) -> ClientPort<Kind, Direction> {
    let call = "jack_port_register"
    let fullName = "\(self.name):\(name)"
    return try unsafe withClient(call, fullName) { client, state throws(JACKError) in
      try unsafe Self.checkPortName(name, fullName, client, call)
      let properties = flags.subtracting([.input, .output]).union(Direction.flags)
      let handle = unsafe jack_port_register(
        client,
        name,
        Kind.typeName,
        UInt(properties.rawValue),
        0,
      )
      guard let handle = unsafe handle else {
        throw JACKError(
          .refused,
          call: call,
          subject: fullName,
          detail: "refused: the server or this client has all the ports it can have",
        )
      }
      let port = unsafe AnyClientPort(handle: handle)
      state.ports.insert(port)
      relay.updateLatency { $0.ports.insert(port) }
      return ClientPort(untyped: port)
    }
  }

  /// Takes a port away.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func unregister(_ port: AnyClientPort) throws(JACKError) {
    try unsafe withPort(port, "jack_port_unregister") { client, handle, state throws(JACKError) in
      let name = unsafe Self.string(jack_port_name(handle))
      let uuid = unsafe jack_port_uuid(handle)
      relay.updateLatency { $0.remove(port) }
      guard unsafe jack_port_unregister(client, handle) == 0 else {
        throw JACKError(.refused, call: "jack_port_unregister", subject: name)
      }
      state.ports.remove(port)
      ledger.forget(uuid)
    }
  }

  /// Takes a port away.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func unregister<Kind, Direction>(
    _ port: ClientPort<Kind, Direction>
  ) throws(JACKError) {
    try unregister(port.untyped)
  }

  /// Gives a port another short name.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `nameTaken`, `invalidName`, `refused`, `closed` or
  ///   `serverGone`.
  ///
  /// [control-thread]
  public func rename<Kind, Direction>(
    _ port: ClientPort<Kind, Direction>,
    to name: String,
  ) throws(JACKError) {
    let call = "jack_port_rename"
    let fullName = "\(self.name):\(name)"
    try unsafe withPort(port.untyped, call) { client, handle, _ throws(JACKError) in
      guard unsafe Self.string(jack_port_short_name(handle)) != name else { return }
      try unsafe Self.checkPortName(name, fullName, client, call)
      guard unsafe jack_port_rename(client, handle, name) == 0 else {
        throw JACKError(.refused, call: call, subject: fullName)
      }
    }
  }

  /// Properties of one of this client's ports.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func info<Kind, Direction>(
    of port: ClientPort<Kind, Direction>
  ) throws(JACKError) -> PortInfo {
    let call = "jack_port_name"
    return try unsafe withPort(port.untyped, call) { client, handle, _ throws(JACKError) in
      guard let info = unsafe PortInfo(port: handle, of: client) else {
        throw JACKError(.noSuchPort, call: call, subject: name)
      }
      return info
    }
  }

  // MARK: - Any port

  /// Properties of a port of any client, by its full name or an alias.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func port(named name: String) throws(JACKError) -> PortInfo {
    let call = "jack_port_by_name"
    return try unsafe withPort(named: name, call) { client, handle throws(JACKError) in
      guard let info = unsafe PortInfo(port: handle, of: client) else {
        throw JACKError(.noSuchPort, call: call, subject: name)
      }
      return info
    }
  }

  /// All ports that fit, in the order of the server.
  ///
  /// - Parameters:
  ///   - pattern: A POSIX extended regular expression, found anywhere in the full name. Nil: all.
  ///   - kind: `AudioKind.self` or `MIDIKind.self`. Nil: all.
  ///   - flags: Flags that the ports must have.
  /// - Returns: Properties of each.
  /// - Throws: ``JACKError`` with `invalidValue` (the pattern), `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func ports(
    matching pattern: String? = nil,
    kind: (any PortKind.Type)? = nil,
    flags: PortFlags = [],
  ) throws(JACKError) -> [PortInfo] {
    let call = "jack_get_ports"
    if let pattern { try RegularExpression.check(pattern, call: call) }
    return try unsafe withClient(call, pattern ?? "") { client, _ throws(JACKError) in
      let names = unsafe jack_get_ports(client, pattern, kind?.typeName, UInt(flags.rawValue))
      return unsafe Self.strings(names).compactMap { name in
        unsafe jack_port_by_name(client, name).flatMap { unsafe PortInfo(port: $0, of: client) }
      }
    }
  }

  /// Gives a port of any client a further name; two are possible.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `invalidName`, `refused` (it has two), `closed` or
  ///   `serverGone`.
  ///
  /// [control-thread]
  public func addAlias(_ alias: String, toPort name: String) throws(JACKError) {
    let call = "jack_port_set_alias"
    try unsafe withPort(named: name, call) { _, handle throws(JACKError) in
      let longest = Int(jack_port_name_size()) - 1
      guard !alias.isEmpty, alias.utf8.count <= longest else {
        throw JACKError(
          .invalidName,
          call: call,
          subject: name,
          detail: "an alias has 1 to \(longest) bytes, \"\(alias)\" has \(alias.utf8.count)",
        )
      }
      guard unsafe jack_port_set_alias(handle, alias) == 0 else {
        throw JACKError(
          .refused,
          call: call,
          subject: name,
          detail: "no room for \"\(alias)\": a port can have two aliases",
        )
      }
    }
  }

  /// Takes a further name from a port of any client.
  ///
  /// - Throws: ``JACKError`` with `noSuchPort`, `refused` (not its alias), `closed` or
  ///   `serverGone`.
  ///
  /// [control-thread]
  public func removeAlias(_ alias: String, fromPort name: String) throws(JACKError) {
    let call = "jack_port_unset_alias"
    try unsafe withPort(named: name, call) { _, handle throws(JACKError) in
      guard unsafe jack_port_unset_alias(handle, alias) == 0 else {
        throw JACKError(
          .refused,
          call: call,
          subject: name,
          detail: "\"\(alias)\" is not an alias of this port",
        )
      }
    }
  }

  // MARK: - Helpers

  /// Runs `body` with a port of this client that is still registered.
  func withPort<Result: Sendable>(
    _ port: AnyClientPort,
    _ call: String,
    _ body: (OpaquePointer, OpaquePointer, inout State) throws(JACKError) -> Result,
  ) throws(JACKError) -> Result {
    try unsafe withClient(call, name) { client, state throws(JACKError) in
      guard state.ports.contains(port), let handle = unsafe port.handle else {
        throw JACKError(
          .noSuchPort,
          call: call,
          subject: name,
          detail: "the port is not, or no longer, registered by this client",
        )
      }
      return try unsafe body(client, handle, &state)
    }
  }

  /// Runs `body` with any port there is.
  func withPort<Result: Sendable>(
    named name: String,
    _ call: String,
    _ body: (OpaquePointer, OpaquePointer) throws(JACKError) -> Result,
  ) throws(JACKError) -> Result {
    try unsafe withClient(call, name) { client, _ throws(JACKError) in
      guard let handle = unsafe jack_port_by_name(client, name) else {
        throw JACKError(.noSuchPort, call: call, subject: name)
      }
      return try unsafe body(client, handle)
    }
  }

  private static func checkPortName(
    _ name: String,
    _ fullName: String,
    _ client: OpaquePointer,
    _ call: String,
  ) throws(JACKError) {
    let longest = Int(jack_port_name_size()) - 1
    guard !name.isEmpty, fullName.utf8.count <= longest else {
      throw JACKError(
        .invalidName,
        call: call,
        subject: fullName,
        detail: "the name of a port, with its client's, has 3 to \(longest) bytes",
      )
    }
    guard unsafe jack_port_by_name(client, fullName) == nil else {
      throw JACKError(
        .nameTaken,
        call: call,
        subject: fullName,
        detail: "there is a port of this name already",
      )
    }
  }

  static func string(_ characters: UnsafePointer<CChar>?) -> String {
    guard let characters = unsafe characters else { return "" }
    return unsafe String(cString: characters)
  }

  /// Copies and frees a list of JACK's.
  static func strings(
    _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> [String] {
    guard let list = unsafe list else { return [] }
    defer { unsafe jack_free(list) }
    var strings: [String] = []
    var index = 0
    while let characters = unsafe list[index] {
      unsafe strings.append(String(cString: characters))
      index += 1
    }
    return strings
  }
}

/// The regular expressions that JACK matches port names with.
///
/// Pure function: [any-thread].
enum RegularExpression {
  /// Finds faults of a pattern, for which JACK would only report that there are no such ports.
  static func check(_ pattern: String, call: String) throws(JACKError) {
    var expression = unsafe regex_t()
    let fault = unsafe regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB)
    defer { unsafe regfree(&expression) }
    guard fault != 0 else { return }
    let message = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      unsafe regerror(fault, &expression, buffer.baseAddress, buffer.count)
      return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
    throw JACKError(
      .invalidValue,
      call: call,
      subject: pattern,
      detail: "not a regular expression: \(message)",
    )
  }
}
