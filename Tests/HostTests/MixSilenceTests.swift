// SPDX-License-Identifier: MIT

import Mixing
import Testing

@testable import Host

/// The words for what keeps a strip from being heard; MixingTests.MixHearingTests holds the judge against a listener.
struct MixSilenceTests {
  /// One change to a deck that is heard on a route, with what is told of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let phrase: String
    let remedy: String
    var outlet = RouteOutlet()
    var unplugged: Set<String> = []
    let change: @Sendable (inout MixSpec) -> Void

    var testDescription: String { phrase }
  }

  static let cases = [
    Case(
      phrase: "its strip 'deck' is muted",
      remedy: "Unmute it: multiroute set mute deck off."
    ) { $0.strips[0].isMuted = true },
    Case(
      phrase: "its strip 'deck' goes to no route",
      remedy: "Give it a send: multiroute set send deck ROUTE 0dB."
    ) { $0.sends = [] },
    Case(
      phrase: "its strip 'deck' is on the cue alone, whose gain on 'main' is at the bottom",
      remedy: "Give it a send: multiroute set send deck ROUTE 0dB."
    ) { spec in
      spec.sends = []
      spec.strips[0].isCued = true
      spec.routes[0].receivesCue = true
      spec.routes[0].cueGainDB = -.infinity
    },
    Case(
      phrase: "the send of its strip 'deck' to 'main' is muted",
      remedy: "Unmute it: multiroute set mute deck main off."
    ) { $0.sends[0].isMuted = true },
    Case(
      phrase: "the send of its strip 'deck' to 'main' is at the bottom",
      remedy: "Raise it: multiroute set gain deck main 0dB."
    ) { $0.sends[0].gainDB = -.infinity },
    Case(
      phrase: "no channel of its strip 'deck' goes to any of 'main'",
      remedy:
        "Let one through: multiroute set send deck main 0dB --strip-channel 1 --route-channel 1."
    ) { $0.sends[0].matrix = [[0], [0]] },
    Case(
      phrase: "the fader of its strip 'deck' is at the bottom",
      remedy: "Raise it: multiroute set gain deck 0dB."
    ) { $0.strips[0].faderDB = -.infinity },
    Case(
      phrase: "the crossfader stands on the other side of its strip 'deck'",
      remedy: "Move it to the middle: multiroute set crossfader 0."
    ) { spec in
      spec.strips[0].crossfaderSide = .b
      spec.crossfader.position = -1
    },
    Case(
      phrase: "strip 'other' is soloed",
      remedy: "End the solo: multiroute set solo other off."
    ) { $0.strips.append(StripSpec(id: "other", channels: 1, isSoloed: true)) },
    Case(
      phrase: "route 'main' is muted",
      remedy: "Unmute it: multiroute set mute main off."
    ) { $0.routes[0].isMuted = true },
    Case(
      phrase: "route 'main' is at the bottom",
      remedy: "Raise it: multiroute set gain main 0dB."
    ) { $0.routes[0].gainDB = -.infinity },
    Case(
      phrase: "route 'main' waits for its ports",
      remedy: "Plug in the device of 'main', or start the program that makes its ports.",
      outlet: RouteOutlet(isThere: false)
    ) { _ in },
    Case(
      phrase: "route 'main' is unplugged, as it is simulated",
      remedy: "Plug it in: multiroute simulate plug main.",
      outlet: RouteOutlet(isThere: false),
      unplugged: ["main"]
    ) { _ in },
    Case(
      phrase: "somebody has disconnected dj:main_out_1, dj:main_out_2 by hand",
      remedy: "Connect dj:main_out_1, dj:main_out_2 to the hardware again.",
      outlet: RouteOutlet(cutChannels: [0, 1])
    ) { _ in },
    Case(
      phrase: "the levels of its strip 'deck' on the way to 'main' are together below -120 dB",
      remedy: "Raise its fader, its send or the route: multiroute set gain deck 0dB."
    ) { spec in
      spec.strips[0].faderDB = -70
      spec.routes[0].gainDB = -70
    },
  ]

  private static func silence(_ one: Case, strips: [String] = ["deck"]) -> MixSilence? {
    var spec = MixSpec(
      strips: [StripSpec(id: "deck", channels: 1)],
      routes: [RouteSpec(id: "main", channels: 2)],
      sends: [SendSpec(strip: "deck", route: "main")],
    )
    one.change(&spec)
    let places = RoutePlaces(
      outlets: ["main": one.outlet],
      ownPorts: ["main": ["dj:main_out_1", "dj:main_out_2"]],
      unplugged: one.unplugged,
    )
    return HeardMix(spec, places: places).silence(ofStrips: strips)
  }

  @Test(arguments: cases)
  func `a cause is told with its names, and with the command that ends it`(_ one: Case) throws {
    let silence = try #require(Self.silence(one))
    #expect(silence.phrase == one.phrase)
    #expect(silence.remedy == one.remedy)
  }

  @Test func `a session is heard if any of its strips is, and else the first one is told`() {
    func silence(_ strips: [String], _ change: @escaping @Sendable (inout MixSpec) -> Void)
      -> String?
    {
      let both = Case(phrase: "", remedy: "") { spec in
        spec.strips.append(StripSpec(id: "other", channels: 1))
        spec.sends.append(SendSpec(strip: "other", route: "main"))
        change(&spec)
      }
      return Self.silence(both, strips: strips)?.phrase
    }
    #expect(silence(["other", "deck"]) { $0.strips[1].isMuted = true } == nil)
    let isSilent: @Sendable (inout MixSpec) -> Void = { spec in
      spec.strips[1].isMuted = true
      spec.strips[0].faderDB = -.infinity
    }
    #expect(silence(["other", "deck"], isSilent) == "its strip 'other' is muted")
    #expect(silence(["gone"], isSilent) == "the mix has no strip 'gone'")
    #expect(silence([], isSilent) == nil)
  }

  @Test func `a closed gate is for the session's rules to tell`() {
    let gated = Case(phrase: "", remedy: "") { $0.strips[0].isGated = true }
    #expect(Self.silence(gated) == nil)
  }
}
