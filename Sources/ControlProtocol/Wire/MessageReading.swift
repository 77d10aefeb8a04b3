// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Reads an ``IncomingMessage``, given the methods that there are.
struct MessageReading: DecodableWithConfiguration {
  let message: IncomingMessage

  private enum CodingKeys: String, CodingKey { case jsonrpc, id, method, params }

  /// Reads a message; whatever is wrong with it ends up in `request`, nothing is thrown.
  init(from decoder: any Decoder, configuration registry: MethodRegistry) {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
      message = IncomingMessage(
        unreadable: .invalidRequest("message", "it is not an object", "a request object")
      )
      return
    }
    let id = try? container.decode(RequestID.self, forKey: .id)
    let isNotification = !container.contains(.id)
    do throws(ControlError) {
      try Self.checkEnvelope(container, id: id)
    } catch {
      message = IncomingMessage(id: id, isAnswered: true, request: .failure(error))
      return
    }
    do throws(ControlError) {
      let request = try Self.request(container, registry: registry)
      message = IncomingMessage(id: id, isAnswered: !isNotification, request: .success(request))
    } catch {
      message = IncomingMessage(id: id, isAnswered: !isNotification, request: .failure(error))
    }
  }

  /// Checks what makes an object a JSON-RPC 2.0 request, whatever its method.
  private static func checkEnvelope(
    _ container: KeyedDecodingContainer<CodingKeys>,
    id: RequestID?,
  ) throws(ControlError) {
    guard (try? container.decode(String.self, forKey: .jsonrpc)) == "2.0" else {
      throw .invalidRequest("jsonrpc", "it is missing or not \"2.0\"", "\"2.0\"")
    }
    guard id != nil || !container.contains(.id) else {
      let allowed = "a string or an integer; no id at all for a notification"
      throw .invalidRequest("id", "it is neither a string nor an integer", allowed)
    }
    guard (try? container.decode(String.self, forKey: .method)) != nil else {
      throw .invalidRequest("method", "it is missing or not a string", "a method's name")
    }
  }

  private static func request(
    _ container: KeyedDecodingContainer<CodingKeys>,
    registry: MethodRegistry,
  ) throws(ControlError) -> ControlRequest {
    let name = (try? container.decode(String.self, forKey: .method)) ?? ""
    guard let method = registry[name] else {
      throw ControlError(
        .methodNotFound,
        place: "method",
        fault: "there is no method '\(name.prefix(64))'",
        allowed: registry.names.joined(separator: ", "),
      )
    }
    return try params(of: method, container)
  }

  private static func params<Method: ControlMethod>(
    of method: Method.Type,
    _ container: KeyedDecodingContainer<CodingKeys>,
  ) throws(ControlError) -> ControlRequest {
    do {
      let params: Method.Params
      if container.contains(.params) {
        try refuseUnknownKeys(of: method, container)
        params = try container.decode(Method.Params.self, forKey: .params)
      } else {
        params = try JSONDecoder().decode(Method.Params.self, from: Data("{}".utf8))
      }
      try params.check()
      return ControlRequest(method, params)
    } catch let error as ControlError {
      throw error
    } catch let error as DecodingError {
      throw ControlError(error, fields: Method.Params.fields.map { ($0.name, $0.allowed) })
    } catch {
      throw ControlError(.invalidParams, message: "params: \(error)")
    }
  }

  private static func refuseUnknownKeys<Method: ControlMethod>(
    of method: Method.Type,
    _ container: KeyedDecodingContainer<CodingKeys>,
  ) throws {
    guard let params = try? container.nestedContainer(keyedBy: AnyKey.self, forKey: .params) else {
      throw ControlError(
        .invalidParams,
        place: "params",
        fault: "it is not an object",
        allowed: "an object with parameters by name",
      )
    }
    let names = method.Params.fields.map(\.name)
    guard let stranger = params.allKeys.first(where: { !names.contains($0.stringValue) }) else {
      return
    }
    throw ControlError(
      .invalidParams,
      place: String(stranger.stringValue.prefix(64)),
      fault: "\(method.name) has no such parameter",
      allowed: names.isEmpty ? "no parameters" : names.joined(separator: ", "),
    )
  }
}

/// A key that takes any name.
private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
