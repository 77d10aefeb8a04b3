// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// A session at a host: the link and the session's id there.
///
/// The session ends with the link (SES-6).
final class SessionConnection: Sendable {
  let link: HostLink
  let session: String

  init(link: HostLink, session: String) {
    self.link = link
    self.session = session
  }

  deinit { link.close() }

  /// Reads everything about the session.
  func detail(limitSeconds: Double) throws(HostFault) -> (result: SessionDetail, order: Int64) {
    try link.call(
      GetSession.self,
      GetSession.Params(session: session),
      limitSeconds: limitSeconds,
    )
  }
}
