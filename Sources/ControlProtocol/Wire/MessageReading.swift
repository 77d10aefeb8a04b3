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
    return try ParamsReading.request(method, container, key: .params)
  }
}
