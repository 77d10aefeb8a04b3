// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials

/// A request's line for `setSolo`, without newline.
func soloLine(_ strip: String, id: Int) -> String {
  """
  {"jsonrpc":"2.0","id":\(id),"method":"setSolo","params":{"strip":"\(strip)","solo":true}}
  """
}

/// The message of a host's line.
func message(_ line: String?) -> HostMessage? {
  line.flatMap { ReplyDecoder().decode(Data($0.utf8)) }
}

/// The code of the error in a host's line.
func errorCode(_ line: String?) -> ControlErrorCode? {
  switch message(line) {
  case .reply(_, let error): error?.code
  case .failure(let error): error.code
  case .notification, nil: nil
  }
}

/// The id that a host's line answers.
func answeredID(_ line: String?) -> MessageID? {
  if case .reply(let id, _)? = message(line) { id } else { nil }
}

/// An event to publish.
func event(_ message: String) -> ControlEvent {
  ControlEvent(.stopping, time: time, message: message)
}

let time = EventTime(frame: nil, monotonicNanoseconds: 1, wallSeconds: 2)
