// SPDX-License-Identifier: MIT

import YAML

/// A graph to begin with: what `multiroute init` has asked, written as a commented file.
///
/// Pure value: [any-thread].
public struct FirstGraph: Sendable {
  /// The uses that have a graph of their own.
  public enum Use: String, CaseIterable, Sendable {
    /// Main and cue of a DJ.
    case dj
    /// A microphone or instrument, heard at low latency.
    case musician
    /// One program at a time, which announcements interrupt.
    case kiosk
    /// An input straight to an output.
    case measuring

    /// One line for people.
    public var summary: String {
      switch self {
      case .dj: "a DJ: the room and the headphones hear different things"
      case .musician: "a musician: hear yourself at low latency, with other programs"
      case .kiosk: "a kiosk: one program is heard at a time, announcements interrupt it"
      case .measuring: "measuring: an input goes straight to an output"
      }
    }
  }

  /// The other end of a route.
  public enum Place: Hashable, Sendable {
    /// JACK ports, one for each channel.
    case ports([String])
    /// A sound card with a clock of its own, by ALSA's name; the host bridges it.
    case device(String)

    /// The keys of a route.
    fileprivate var keys: [(YAMLValue, YAMLValue)] {
      switch self {
      case .ports(let names):
        [(YAMLValue("ports"), .list(names.map { .scalar($0, isQuoted: true) }))]
      case .device(let name):
        [
          (
            YAMLValue("device"),
            .keys([
              (YAMLValue("name"), .scalar(name, isQuoted: true)),
              (YAMLValue("channels"), YAMLValue("2")),
            ])
          )
        ]
      }
    }
  }

  /// The use.
  public var use: Use
  /// The place that everybody hears.
  public var main: Place
  /// The headphones; nil without any.
  public var headphones: Place?
  /// The microphone, or the input to measure; nil without one.
  public var input: Place?
  /// JACK clients that play now, and are to have a session each.
  public var programs: [String]
  /// Whether a phone of the same network may move the faders.
  public var hasPhone: Bool
  /// The folder of the sound files that come with the program; nil where there is none.
  public var media: String?

  /// The ports of a server that is not there yet: one that the host starts has these.
  public static let usualMain = Place.ports(["system:playback_1", "system:playback_2"])
  /// Outputs 3 and 4 of such a server.
  public static let usualHeadphones = Place.ports(["system:playback_3", "system:playback_4"])
  /// The first input of such a server.
  public static let usualInput = Place.ports(["system:capture_1"])

  /// Makes a graph of answers.
  public init(
    use: Use,
    main: Place = usualMain,
    headphones: Place? = nil,
    input: Place? = nil,
    programs: [String] = [],
    hasPhone: Bool = false,
    media: String? = nil,
  ) {
    self.use = use
    self.main = main
    self.headphones = headphones
    self.input = input
    self.programs = programs
    self.hasPhone = hasPhone
    self.media = media
  }

  /// The text of the file.
  public var text: String {
    ([head, session, server, routes, sources, mix]
      + [controls, surfaces, adopt].filter { !$0.isEmpty })
      .joined(separator: "\n\n") + "\n"
  }

  // MARK: - The host

  private var head: String {
    let include =
      use == .kiosk ? "\ninclude: [kiosk] # the policy for kiosks that comes with the program" : ""
    return """
      # \(use.summary.prefix(1).uppercased() + use.summary.dropFirst()).
      #
      #   multiroute check FILE     tells every fault of this file
      #   multiroute run FILE       plays it; 'multiroute run --watch FILE' follows your changes
      #
      # Every key is explained in /usr/share/doc/multiroute/docs/graph-files.md.

      multiroute: 1 # version of the file format
      name: \(use.rawValue) # name of the JACK client, so its ports are \(use.rawValue):…\(include)
      """
  }

  private var session: String {
    let buffer =
      switch use {
      case .dj, .kiosk: "ioBufferDuration: 5 ms"
      case .musician, .measuring: "ioBufferFrames: 64 # 1.3 ms at 48 kHz; take 128 if you hear gaps"
      }
    let options =
      switch use {
      case .dj, .musician:
        "\n  options: [mixWithOthers] # effects and other programs play beside it"
      case .kiosk: "\n  options: [mixWithOthers] # the host has no sound of its own"
      case .measuring: ""
      }
    return """
      session:
        category: \(use == .kiosk ? "playback" : "multiRoute") # \
      \(use == .kiosk ? "one output for all" : "several output routes at once")\(options)
        preferred:
          sampleRate: 48 kHz
          \(buffer)
      """
  }

  private var server: String {
    let hasFour = [main, headphones].contains(Self.usualHeadphones)
    let channels =
      hasFour ? "\n  channels: {capture: 2, playback: 4} # of a server that the host starts" : ""
    return """
      server:
        start: ifNeeded # attach to a running JACK server, else start one
        driver: automatic # the first sound card, or the dummy driver without one\(channels)
      """
  }

  // MARK: - Routes

  private var routes: String {
    var lines = ["routes:"]
    lines.append("  # Everybody hears this one.")
    lines.append(route("main", "lineOut", main, isLimited: use != .measuring))
    if let headphones, hasHeadphones {
      lines.append("  # You hear this one.")
      lines.append(route("headphones", "headphones", headphones, isLimited: use == .musician))
    }
    if let input, hasInput {
      lines.append("  # The host hears this one.")
      let keys = [(YAMLValue("direction"), YAMLValue("input"))] + input.keys
      lines.append(line("input", [(YAMLValue("type"), YAMLValue("lineIn"))] + keys))
    }
    return lines.joined(separator: "\n")
  }

  /// A kiosk has one output for all, and a measurement needs one.
  private var hasHeadphones: Bool { use == .dj || use == .musician }

  private var hasInput: Bool { use == .musician || use == .measuring }

  private func route(_ name: String, _ type: String, _ place: Place, isLimited: Bool) -> String {
    var keys = [(YAMLValue("type"), YAMLValue(type))] + place.keys
    if isLimited {
      keys.append((YAMLValue("limiter"), .keys([(YAMLValue("ceiling"), YAMLValue("-1 dB"))])))
    }
    return line(name, keys)
  }

  private func line(_ name: String, _ keys: [(YAMLValue, YAMLValue)]) -> String {
    "  \(name): \(YAMLValue.keys(keys).line)"
  }

  // MARK: - Sound

  private var sources: String {
    switch use {
    case .dj:
      guard let media else {
        return """
          # Your files: deck-a: {file: set.flac, loop: true}
          sources: {}
          """
      }
      let files = [("deck-a", "deck-a.flac"), ("deck-b", "deck-b.ogg")]
      let lines = files.map { name, file in
        line(
          name,
          [
            (YAMLValue("file"), .scalar("\(media)/\(file)", isQuoted: true)),
            (YAMLValue("loop"), YAMLValue("true")),
          ]
        )
      }
      return (["# Two files to try it with; write your own here.", "sources:"] + lines).joined(
        separator: "\n"
      )
    case .musician, .measuring:
      guard input != nil else { return "# No input was found.\nsources: {}" }
      return "sources:\n  voice: {input: input}"
    case .kiosk: return "# All sound is that of other programs.\nsources: {}"
    }
  }

  private var mix: String {
    var lines: [String] = []
    switch use {
    case .dj where media != nil:
      lines = ["  - {from: deck-a, to: main}", "  - {from: deck-b, to: main}"]
    case .musician where input != nil:
      lines = ["  - {from: voice, to: main, gain: -6 dB}"]
      if headphones != nil {
        lines.append(
          "  - {from: voice, to: headphones, preFader: true} # your level does not follow the fader"
        )
      }
    case .measuring where input != nil:
      lines = ["  - {from: voice, to: main} # at 0 dB: samples pass as they are"]
    default: break
    }
    return lines.isEmpty ? "mix: []" : "mix:\n" + lines.joined(separator: "\n")
  }

  private var controls: String {
    guard use == .dj, media != nil else { return "" }
    let cue =
      headphones == nil
      ? ""
      : "\n  cue: {to: headphones, sources: [deck-b]} # heard before its fader and the crossfader"
    return """
      controls:
        crossfader: {a: deck-a, b: deck-b, position: -1} # multiroute set crossfader 1 --ramp 2s\(cue)
      """
  }

  private var surfaces: String {
    hasPhone
      ? """
      surfaces:
        # Faders in the browser, also of a phone in your network: 'multiroute run' prints its address with a key.
        web: {port: 8080, lan: true}
      """
      : """
      surfaces:
        web: {port: 8080} # faders in the browser of this machine: http://localhost:8080/; 'lan: true' opens it to your network
      """
  }

  // MARK: - Programs

  private var adopt: String {
    // The kiosk's rules are those of its policy; a measurement leaves all others alone.
    guard use == .dj || use == .musician else { return "" }
    var lines = [
      "# Programs that connect themselves to the card, and are heard through a strip each. The first rule that fits decides.",
      "adopt:",
      "  - {executable: \"/(jack_.*|jaaa|japa|jkmeter|ebumeter|qjackctl|multiroute.*)/\", leave: true}",
    ]
    if use == .dj {
      let listen = headphones == nil ? "main" : "headphones"
      lines += [
        "  - client: \"/Mixxx.*/\"",
        "    session: {preset: musicMaking}",
        "    strips:",
        "      player: {ports: [out_0, out_1], routes: [main]}",
        "      listen: {ports: [out_2, out_3], routes: [\(listen)]}",
      ]
    }
    if use == .musician {
      lines += [
        "  # Synthesizers connect themselves to nothing: they are heard in the room.",
        "  - executable: \"/(fluidsynth|qsynth|amsynth|hydrogen|yoshimi|zynaddsubfx)/\"",
        "    session: {preset: musicMaking}",
        "    routes: [main]",
      ]
    }
    let preset = use == .musician ? "musicMaking" : "player"
    for program in programs {
      lines.append(
        "  - {client: \(YAMLValue.scalar(program, isQuoted: true).line), session: {preset: \(preset)}} # plays now"
      )
    }
    lines.append("  - {session: {preset: player}} # everything else")
    return lines.joined(separator: "\n")
  }
}
