// SPDX-License-Identifier: MIT

public import Foundation

/// The picture of what plays.
///
/// Remote controls on Linux take the place of a picture, a file or an address in the net, where the SDK's take the picture
/// itself.
open class MPMediaItemArtwork: NSObject, @unchecked Sendable {
  /// Where the picture is.
  public let url: URL

  /// Names a picture.
  ///
  /// - Parameter url: A file, or an address that the desktop can load.
  public init(url: URL) { self.url = url }
}
