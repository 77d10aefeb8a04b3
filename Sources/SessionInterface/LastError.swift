// SPDX-License-Identifier: MIT

internal import AudioSession
internal import Foundation

/// Why the last call of this thread failed.
enum LastError {
  private static let key = "multiroute.session.error"

  static var message: String { Thread.current.threadDictionary[key] as? String ?? "" }

  /// Runs a call; 0 or the error's code.
  static func catching(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      Thread.current.threadDictionary[key] = ""
      return 0
    } catch {
      Thread.current.threadDictionary[key] = sentence(error as NSError)
      let code = Int32(truncatingIfNeeded: (error as NSError).code)
      return code == 0 ? Int32(AVAudioSession.ErrorCode.badParam.rawValue) : code
    }
  }

  /// Place, fault and what is allowed, as far as the error says.
  private static func sentence(_ error: NSError) -> String {
    let place = error.userInfo[AVAudioSessionErrorOffendingKey] as? String
    let allowed = error.userInfo[AVAudioSessionErrorAllowedKey] as? [String] ?? []
    return (place.map { "\($0): " } ?? "") + error.localizedDescription
      + (allowed.isEmpty ? "" : "; allowed: " + allowed.joined(separator: ", "))
  }
}
