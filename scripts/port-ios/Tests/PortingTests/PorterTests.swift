// SPDX-License-Identifier: MIT

import Foundation
import Porting
import Testing

@Suite struct PorterTests {
  private func port(_ source: String) -> PortedFile {
    var handlers = Handlers()
    handlers.add(source)
    return Porter(handlers: handlers).port(source)
  }

  /// Checks the outcome of one rewriting, after a check that a second one changes nothing.
  private func expect(_ source: String, becomes wanted: String, remarks: Int = 0) {
    let ported = port(source)
    #expect(ported.source == wanted)
    #expect(ported.remarks.count == remarks, "\(ported.remarks)")
    let again = port(ported.source)
    #expect(again.source == ported.source)
    #expect(again.changes.isEmpty)
  }

  @Test func `conditions on iOS hold on Linux too`() {
    expect(
      "#if os(iOS)\nlet a = 1\n#endif\n",
      becomes: "#if os(iOS) || os(Linux)\nlet a = 1\n#endif\n"
    )
    expect(
      "#if !os(iOS) // comment\n#elseif os(tvOS) || os(iOS)\n#endif\n",
      becomes:
        "#if !(os(iOS) || os(Linux)) // comment\n#elseif os(tvOS) || (os(iOS) || os(Linux))\n#endif\n",
    )
    for left in [
      "#if os(macOS)\n#endif\n", "#if os(iOS) && os(Linux)\n#endif\n", "#if DEBUG\n#endif\n",
    ] {
      expect(left, becomes: left)
    }
  }

  @Test func `attributes of Objective-C go, and leave lines and comments as they are`() {
    expect(
      """
      @objcMembers
      final class A: NSObject {
        /// Says so.
        @objc private func one() {}
        @objc(two:) dynamic func two(_ x: Int) {}
        @available(iOS 13, *) @objc
        func three() {}
        @objc // why
        func four() {}
      }
      """,
      becomes: """
        final class A: NSObject {
          /// Says so.
          private func one() {}
          func two(_ x: Int) {}
          @available(iOS 13, *) func three() {}
          // why
          func four() {}
        }
        """,
    )
  }

  @Test func `observers of notifications become closures`() {
    expect(
      """
      class A {
        func start() {
          NotificationCenter.default.addObserver(
            self,
            selector: #selector(changed(_:)),  // here
            name: AVAudioSession.routeChangeNotification,
            object: nil
          )
          center.addObserver(self, selector: #selector(Self.done), name: .x, object: session)
          center.addObserver(self, selector: #selector(A.old(note:)), name: .y, object: nil)
          NotificationCenter.default.removeObserver(self, name: .x, object: nil)
          NotificationCenter.default.removeObserver(self)
        }
        func changed(_ n: Notification) {}
        func done() {}
        func old(note: NSNotification) {}
      }
      """,
      becomes: """
        class A {
          func start() {
            NotificationCenter.default.addObserver(
              self,
              name: AVAudioSession.routeChangeNotification,
              object: nil
            ) { [weak self] notification in self?.changed(notification) }
            center.addObserver(self, name: .x, object: session) { [weak self] _ in self?.done() }
            center.addObserver(self, name: .y, object: nil) { [weak self] notification in self?.old(note: NSNotification(notification)) }
            NotificationCenter.default.removeObservers(of: self, name: .x, object: nil)
            NotificationCenter.default.removeObserver(self)
          }
          func changed(_ n: Notification) {}
          func done() {}
          func old(note: NSNotification) {}
        }
        """,
    )
  }

  @Test func `timers become closures that keep their target`() {
    expect(
      """
      t = Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(tick), userInfo: nil, repeats: true)
      u = Timer(timeInterval: 2, target: self, selector: #selector(tock(_:)), userInfo: nil, repeats: false)
      func tick() {}
      func tock(_ timer: Timer) {}
      """,
      becomes: """
        t = Timer.scheduledTimer(timeInterval: 1, repeats: true) { [self] _ in self.tick() }
        u = Timer(timeInterval: 2, repeats: false) { [self] timer in self.tock(timer) }
        func tick() {}
        func tock(_ timer: Timer) {}
        """,
    )
  }

  @Test func `remote commands become closures, controls on the screen stay`() {
    expect(
      """
      center.playCommand.addTarget(self, action: #selector(play))
      center.seekForwardCommand.addTarget(self, action: #selector(seek(_:)))
      center.skipForwardCommand.addTarget(self, action: #selector(skip(_:)))
      center.likeCommand.addTarget(self, action: #selector(like(event:)))
      center.playCommand.removeTarget(self, action: #selector(play))
      center.playCommand.removeTarget(self)
      center.playCommand.removeTarget(token)
      func play() {}
      func skip(_ event: MPSkipIntervalCommandEvent) -> MPRemoteCommandHandlerStatus { .success }
      func like(event: MPFeedbackCommandEvent) {}
      func seek(_ event: MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus { .success }
      """,
      becomes: """
        center.playCommand.addTarget { [weak self] _ in self?.play(); return .success }
        center.seekForwardCommand.addTarget { [weak self] event in self?.seek(event) ?? .commandFailed }
        center.skipForwardCommand.addTarget { [weak self] event in guard let event = event as? MPSkipIntervalCommandEvent else { return .commandFailed }; return self?.skip(event) ?? .commandFailed }
        center.likeCommand.addTarget { [weak self] event in guard let event = event as? MPFeedbackCommandEvent else { return .commandFailed }; self?.like(event: event); return .success }
        center.playCommand.removeTarget(nil)
        center.playCommand.removeTarget(nil)
        center.playCommand.removeTarget(token)
        func play() {}
        func skip(_ event: MPSkipIntervalCommandEvent) -> MPRemoteCommandHandlerStatus { .success }
        func like(event: MPFeedbackCommandEvent) {}
        func seek(_ event: MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus { .success }
        """,
    )
    let button =
      "button.addTarget(self, action: #selector(tap), for: .touchUpInside)\nfunc tap() {}\n"
    expect(button, becomes: button, remarks: 1)
  }

  @Test func `a place that cannot be rewritten is said with its place`() {
    let source = """
      import Combine
      center.addObserver(self, selector: #selector(missing), name: .x, object: nil)
      Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(tick), userInfo: 3, repeats: true)
      func tick() {}
      @objc protocol P { @objc optional func maybe() }
      """
    let ported = port(source)
    #expect(ported.remarks.count == 5, "\(ported.remarks)")
    #expect(ported.remarks.contains { $0.hasPrefix("1:1: there is no module Combine") })
    #expect(ported.remarks.contains { $0.hasPrefix("2:") && $0.contains("missing") })
    #expect(ported.remarks.contains { $0.hasPrefix("3:") && $0.contains("userInfo") })
    #expect(ported.remarks.contains { $0.contains("optional requirement") })
    let guarded = "#if canImport(UIKit)\nimport UIKit\n#endif\n"
    expect(guarded, becomes: guarded)
  }

  @Test func `source that does not parse is left as it is`() {
    for source in [
      "", "#if os(iOS", "class {", "@objc", "addObserver(self, selector:", "\u{FEFF}let a = 1\n",
    ] {
      _ = port(port(source).source)
    }
  }
}
