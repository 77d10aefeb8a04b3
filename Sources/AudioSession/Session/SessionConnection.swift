// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// A session at a host: the link and the session's id there.
///
/// The session ends with the link (SES-6).
final class SessionConnection: Sendable {
  let link: HostLink
  let session: String
  /// What came of requests that waited for the app's return.
  let lateAnswers: LateAnswers

  init(link: HostLink, session: String, lateAnswers: LateAnswers) {
    self.link = link
    self.session = session
    self.lateAnswers = lateAnswers
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
