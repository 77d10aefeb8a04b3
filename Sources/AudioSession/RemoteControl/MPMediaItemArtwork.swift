// SPDX-License-Identifier: MIT

public import Foundation

/// A picture as an app has it, of whatever toolkit: the place of `UIImage` in ``MPMediaItemArtwork``.
///
/// `UIImage` has this function, so an app's own image type needs one line: `extension Image: MPArtworkImage {}`.
/// Implementations are [any-thread].
public protocol MPArtworkImage {
  /// The picture as a PNG file; nil if it has none.
  func pngData() -> Data?
}

/// The picture of the current item.
///
/// Remote controls on Linux take the URL of a picture. One that the app draws is written to a file of the user's, which is
/// removed with the artwork. Immutable: [any-thread].
open class MPMediaItemArtwork: NSObject, @unchecked Sendable {
  /// The URL of the picture; nil if the app's image has no PNG data, or there is no room for it.
  public let url: URL?
  /// The bounds of the picture in pixels; empty for a picture that is a URL.
  public let bounds: CGRect
  private let isOwn: Bool
  private let draw: (CGSize) -> (any MPArtworkImage)?

  /// Makes an artwork from a URL.
  ///
  /// - Parameter url: A file, or an address that the desktop can load.
  public init(url: URL) {
    self.url = url
    bounds = .zero
    isOwn = false
    draw = { _ in nil }
  }

  /// Makes an artwork from a picture that the app draws.
  ///
  /// - Parameters:
  ///   - boundsSize: The size of the whole picture in pixels.
  ///   - requestHandler: Gives the picture in a size; called here, and by ``image(at:)``, on the caller's thread.
  public init<Image: MPArtworkImage>(
    boundsSize: CGSize,
    requestHandler: @escaping (CGSize) -> Image,
  ) {
    bounds = CGRect(origin: .zero, size: boundsSize)
    draw = { requestHandler($0) }
    url = requestHandler(boundsSize).pngData().flatMap { Self.write($0) }
    isOwn = url != nil
  }

  deinit {
    if isOwn, let url { try? FileManager.default.removeItem(at: url) }
  }

  /// The picture in a size; nil for a picture that is a URL. [any-thread]
  public func image(at size: CGSize) -> (any MPArtworkImage)? { draw(size) }

  /// Writes a picture to a file that the user alone may read; nil if it cannot be written.
  private static func write(_ data: Data) -> URL? {
    let folder =
      ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { URL(filePath: $0) }
      ?? FileManager.default.temporaryDirectory
    let url = folder.appending(path: "multiroute-artwork-\(UUID().uuidString).png")
    let isWritten = FileManager.default.createFile(
      atPath: url.path(percentEncoded: false),
      contents: data,
      attributes: [.posixPermissions: 0o600],
    )
    return isWritten ? url : nil
  }
}
