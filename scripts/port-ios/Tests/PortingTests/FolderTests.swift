// SPDX-License-Identifier: MIT

import Foundation
import Porting
import Testing

/// Files are rewritten in place, and what comes out compiles and behaves as on the device.
@Suite struct FolderTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "port-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ text: String, _ name: String) throws {
    let url = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true,
    )
    try Data(text.utf8).write(to: url)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  private func run(_ program: String, _ arguments: String...) throws -> (
    status: Int32, text: String
  ) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  /// An app's object with observers, a timer and their removal, and what it should say.
  private static let app = """
    import Foundation

    #if os(iOS)
    class Listener: NSObject {
      var log: [String] = []

      func start() {
        NotificationCenter.default.addObserver(self, selector: #selector(heard(_:)), name: Notification.Name("a"), object: nil)
        NotificationCenter.default.addObserver(self, selector: #selector(plain), name: Notification.Name("b"), object: nil)
      }

      func startTimer() {
        Timer.scheduledTimer(timeInterval: 0.01, target: self, selector: #selector(tick), userInfo: nil, repeats: false)
      }

      @objc private func heard(_ notification: Notification) { log.append(notification.name.rawValue) }
      @objc private func plain() { log.append("plain") }
      @objc private func tick() { log.append("tick") }
      func stopOne() { NotificationCenter.default.removeObserver(self, name: Notification.Name("b"), object: nil) }
      func stop() { NotificationCenter.default.removeObserver(self) }
      deinit { NotificationCenter.default.removeObserver(self) }
    }
    #endif
    """

  private static let main = """
    import Foundation

    func post(_ name: String) { NotificationCenter.default.post(name: Notification.Name(name), object: nil) }
    var listener: Listener? = Listener()
    listener!.start()
    post("a")
    post("b")
    listener!.startTimer()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.3))
    listener!.stopOne()
    post("a")
    post("b")
    listener!.stop()
    post("a")
    print(listener!.log.joined(separator: " "))
    // An observer does not keep its object alive.
    listener = Listener()
    listener!.start()
    weak let gone = listener
    listener = nil
    post("a")
    let token = NotificationCenter.default.addObserver(forName: Notification.Name("c"), object: nil, queue: nil) { _ in print("c") }
    post("c")
    NotificationCenter.default.removeObserver(token)
    post("c")
    print(gone == nil)
    """

  @Test(arguments: ["5", "6"])
  func `an app's object compiles and hears what it should`(mode: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(Self.app, "Listener.swift")
    try write(Self.main, "main.swift")
    let ported = try PortedFolder(folder.path)
    #expect(ported.entries.flatMap { $0.ported.remarks } == [])
    #expect(try ported.write().map(\.lastPathComponent) == ["PortedFromIOS.swift"])
    let files = ["Listener.swift", "main.swift", "PortedFromIOS.swift"]
    let paths = files.map { folder.appending(path: $0).path }
    let program = folder.appending(path: "app").path
    let built = try run(
      "/usr/bin/env",
      "swiftc",
      "-swift-version",
      mode,
      "-o",
      program,
      paths[0],
      paths[1],
      paths[2],
    )
    #expect(built.status == 0, "\(built.text)")
    #expect(!built.text.contains("error:"))
    let said = try run(program)
    #expect(said.text == "a plain tick a\nc\ntrue\n")
  }

  @Test func `a second run changes nothing, and other files stay as they are`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(Self.app, "Sources/App/Listener.swift")
    try write("@objc class A {}\n", "Sources/App/Inner/A.swift")
    try write("#if os(iOS)\n#endif\n", "Sources/Other/B.swift")
    try write("@objc class C {}\n", ".build/checkouts/C.swift")
    try write("let package = 1 // @objc\n", "Package.swift")
    let first = try PortedFolder(folder.path)
    #expect(first.entries.count == 3)
    let shims = try first.write()
    #expect(shims.map { $0.path.hasSuffix("Sources/App/PortedFromIOS.swift") } == [true])
    #expect(try text(".build/checkouts/C.swift") == "@objc class C {}\n")
    let before = try [
      "Sources/App/Listener.swift", "Sources/App/Inner/A.swift", "Sources/Other/B.swift",
    ]
    .map(text)
    let second = try PortedFolder(folder.path)
    #expect(second.entries.allSatisfy { !$0.isChanged })
    #expect(try second.write() == [])
    let after = try [
      "Sources/App/Listener.swift", "Sources/App/Inner/A.swift", "Sources/Other/B.swift",
    ]
    .map(text)
    #expect(before == after)
  }

  @Test func `a path without Swift sources is refused with its path`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: PortedFolder.Fault.self) { try PortedFolder(folder.path + "/nowhere") }
    #expect(throws: PortedFolder.Fault.self) { try PortedFolder(folder.path) }
    try write("a", "a.txt")
    #expect(throws: PortedFolder.Fault.self) { try PortedFolder(folder.path + "/a.txt") }
  }
}
