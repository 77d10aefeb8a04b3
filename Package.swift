// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// What every Swift target is held to.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Audio-thread targets: existentials and array returns are errors too.
let realtime: [SwiftSetting] = strict + [.treatWarning("PerformanceHints", as: .error)]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser",
  package: "swift-argument-parser",
)
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio: [Target.Dependency] = [
  .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"),
]

let web: [Target.Dependency] = [
  .product(name: "NIOHTTP1", package: "swift-nio"),
  .product(name: "NIOWebSocket", package: "swift-nio"),
]

let locks = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")

/// Targets of the program that are never on the audio thread, and need not be fast: 0.8 MB less of 36.
let small: [SwiftSetting] =
  strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// Random tests and simulations compute with these for minutes: optimised in debug builds too, with all checks of such builds.
let computing: [SwiftSetting] = [
  .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

/// Sources that ask for a version of the SDK's module (`#if canImport(AVFoundation, _version: 2360)`) find this one.
let sdkVersion: [SwiftSetting] = [.unsafeFlags(["-user-module-version", "2400.0.0.0"])]

/// The symbols of the library for programs in C.
let exports = Context.packageDirectory + "/Sources/CSessionInterface/exports.map"

/// Programs have no symbols for others, so that the linker leaves out what they do not use, and they start sooner.
let closed: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/CommandSupport/exports.map",
      // Equal functions once, and a tenth of the bytes for the addresses that the loader has to correct.
      "-use-ld=lld", "-Xlinker", "--icf=safe", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
    ],
    .when(configuration: .release),
  )
]

let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")

/// What tests with hosts and programs use.
let endToEnd: [Target.Dependency] = [
  "AVFAudio", "AVFoundation", "AudioFiles", "AudioSession", "CRealtime", "ControlProtocol",
  "ControlSocket", "IOSSources", "InterAppAudio", "JACK", "MediaPlayer", "OSC", "Sessions",
  "SystemSupport", "TestSupport",
]

let package = Package(
  name: "MultiRoute",
  products: [
    .executable(name: "multiroute", targets: ["multiroute"]),
    .executable(name: "multiroute-lab", targets: ["multiroute-lab"]),
    .executable(name: "engine-cycles", targets: ["engine-cycles"]),
    // Loaded into the programs that `multiroute bench mix` times.
    .library(name: "callback-timer", type: .dynamic, targets: ["CallbackTimer"]),
    .library(name: "InterAppAudio", targets: ["InterAppAudio"]),
    .library(name: "AudioSession", targets: ["AudioSession"]),
    .library(name: "AVFAudio", targets: ["AVFAudio"]),
    .library(name: "AVFoundation", targets: ["AVFoundation"]),
    .library(name: "MediaPlayer", targets: ["MediaPlayer"]),
    .library(name: "AudioToolbox", targets: ["AudioToolbox"]),
    .library(name: "CoreAudio", targets: ["CoreAudio"]),
    .library(name: "CoreMedia", targets: ["CoreMedia"]),
    .library(name: "multiroute-session", type: .dynamic, targets: ["SessionInterface"]),
    .library(name: "JACK", targets: ["JACK"]),
    .library(name: "Mixing", targets: ["Mixing"]),
    .library(name: "Sessions", targets: ["Sessions"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: [
    // MARK: C
    .systemLibrary(
      name: "CJACK",
      pkgConfig: "jack",
      providers: [.apt(["libjack-jackd2-dev"])],
    ),
    // Loads a library with the first call of one of its functions, as the next one does for libsndfile.
    .target(name: "CLateLibrary"),
    .target(name: "CSndfile", dependencies: ["CLateLibrary"]),
    .systemLibrary(
      name: "CSamplerate",
      pkgConfig: "samplerate",
      providers: [.apt(["libsamplerate0-dev"])],
    ),
    // Loads FFmpeg's libraries when the first file of theirs is opened; needs their headers only.
    .target(name: "CMediaFiles"),
    .target(name: "CALSA", linkerSettings: [.linkedLibrary("asound")]),
    .target(name: "CZitaResampler", linkerSettings: [.linkedLibrary("zita-resampler")]),
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "CRealtime"),
    .target(name: "CSystemSupport", linkerSettings: [.linkedLibrary("systemd")]),
    .target(name: "CMixKernels"),
    // Loads PipeWire's mixer; needs the headers only.
    .target(
      name: "CSpaMixer",
      cSettings: [.unsafeFlags(["-isystem", "/usr/include/spa-0.2"])],
    ),
    .target(name: "CCallbackTimes"),
    .target(
      name: "CallbackTimer",
      dependencies: ["CCallbackTimes"],
      exclude: ["exports.map"],
      linkerSettings: [
        .unsafeFlags(
          [
            "-Xlinker",
            "--version-script=\(Context.packageDirectory)/Sources/CallbackTimer/exports.map",
          ]
        ),
        // It is C: without Swift's runtime it loads into any program.
        .unsafeFlags(["-nostartfiles", "-static-stdlib"], .when(configuration: .release)),
      ],
    ),
    .target(
      name: "CWebPage",
      exclude: ["page"],
      // For #embed.
      cSettings: [.unsafeFlags(["-std=c23"])],
    ),
    .target(name: "CMediaPlayer", linkerSettings: [.linkedLibrary("systemd")]),

    // MARK: texts of files
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(name: "YAML", dependencies: ["CYAML"], swiftSettings: strict + computing),
    .target(
      name: "CXML2",
      dependencies: ["CLateLibrary"],
      cSettings: [.unsafeFlags(["-isystem", "/usr/include/libxml2"])],
    ),
    .target(name: "XML", dependencies: ["CXML2"], swiftSettings: strict),

    // MARK: processes, threads and files of the system
    .target(
      name: "SystemSupport",
      dependencies: ["CRealtime", "CSystemSupport"],
      swiftSettings: strict,
    ),

    // MARK: audio thread
    .target(name: "Realtime", dependencies: ["CRealtime"], swiftSettings: realtime),
    .target(
      name: "Mixing",
      dependencies: ["CMixKernels", "CRealtime", "Realtime"],
      swiftSettings: strict,
    ),

    // MARK: JACK and files
    .target(
      name: "JACK",
      dependencies: ["CJACK", "CRealtime", "Realtime", "SystemSupport", logging],
      swiftSettings: strict,
    ),
    .target(
      name: "AudioFiles",
      dependencies: [
        "CMediaFiles", "CRealtime", "CSamplerate", "CSndfile", "Realtime", "SystemSupport",
      ],
      swiftSettings: strict,
    ),

    // MARK: inter-app audio
    .target(
      name: "InterAppAudio",
      dependencies: ["JACK", "Realtime", "SystemSupport", "YAML"],
      swiftSettings: strict,
    ),
    .target(
      name: "NodeKit",
      dependencies: ["AudioFiles", "CRealtime", "InterAppAudio", "JACK"],
      swiftSettings: strict,
    ),

    .systemLibrary(
      name: "CSMF",
      pkgConfig: "smf",
      providers: [.apt(["libsmf-dev"])],
    ),
    .target(name: "MIDIFiles", dependencies: ["CSMF"], swiftSettings: strict),
    .systemLibrary(
      name: "CLiblo",
      pkgConfig: "liblo",
      providers: [.apt(["liblo-dev"])],
    ),
    .target(name: "OSC", dependencies: ["CLiblo", "SystemSupport"] + nio, swiftSettings: strict),
    .systemLibrary(
      name: "CQREncode",
      pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"])],
    ),
    .systemLibrary(
      name: "CMessageDigest",
      pkgConfig: "libmd",
      providers: [.apt(["libmd-dev"])],
    ),
    .target(name: "NSM", dependencies: ["OSC"], swiftSettings: small),
    .executableTarget(
      name: "inter-app-host",
      dependencies: ["InterAppAudio", "JACK"],
      path: "Sources/Examples/InterAppHost",
      swiftSettings: strict,
    ),

    // MARK: devices with clocks of their own
    .target(
      name: "DeviceBridge",
      dependencies: [
        "CALSA", "CRealtime", "CZitaResampler", "ControlProtocol", "JACK", "Realtime", "Sessions",
        "SystemSupport",
      ],
      swiftSettings: strict,
    ),

    // MARK: measurements
    .target(
      name: "LatencyLab",
      dependencies: [
        "AudioFiles", "CALSA", "CCallbackTimes", "CJACK", "CMixKernels", "CRealtime", "CSpaMixer",
        "Console", "ControlProtocol", "ControlSocket", "DeviceBridge", "JACK", "Mixing", "OSC",
        "Realtime", "Sessions", "SystemSupport", histogram,
        logging,
      ],
      swiftSettings: strict + computing,
    ),
    .executableTarget(
      name: "multiroute-lab",
      dependencies: [
        "CommandSupport", "Console", "JACK", "LatencyLab", "ServerControl", argumentParser, logging,
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict,
      linkerSettings: closed,
    ),

    .executableTarget(
      name: "engine-cycles",
      dependencies: ["LatencyLab", argumentParser],
      swiftSettings: strict,
    ),

    // MARK: pure values and rules
    .target(name: "Sessions", swiftSettings: small + computing),
    .target(
      name: "GraphFiles",
      dependencies: ["CRE2", "Sessions", "YAML"],
      swiftSettings: small + computing,
    ),

    // MARK: patches, servers, and the machine's fitness
    .target(name: "Patchbay", dependencies: ["GraphFiles", "JACK"], swiftSettings: small),
    .target(name: "PatchFiles", dependencies: ["GraphFiles", "XML"], swiftSettings: small),
    .target(
      name: "ServerControl",
      dependencies: ["CRealtime", "GraphFiles", "JACK", "SystemSupport", logging],
      swiftSettings: small,
    ),
    .target(name: "Doctor", dependencies: ["SystemSupport"], swiftSettings: small),

    // MARK: control socket
    .target(name: "ControlProtocol", dependencies: ["Sessions"], swiftSettings: small),
    .target(
      name: "ControlSocket",
      dependencies: ["ControlProtocol", "SystemSupport", logging] + nio,
      swiftSettings: small,
    ),

    // MARK: control surfaces
    .target(name: "CAvahi", dependencies: ["CLateLibrary"]),
    .target(
      name: "ServiceDiscovery",
      dependencies: ["CAvahi", "SystemSupport"],
      swiftSettings: strict,
    ),
    .target(
      name: "Surfaces",
      dependencies: [
        "CMessageDigest", "CWebPage", "ControlProtocol", "GraphFiles", "OSC", "Sessions",
        "SystemSupport", logging,
      ] + nio + web,
      swiftSettings: strict,
    ),
    // Apart from what reads a browser's bytes: BoringSSL is compiled for longer than all of that.
    .target(
      name: "WebCertificates",
      dependencies: [
        "Surfaces", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: strict,
    ),

    // MARK: the client library in the shape of the SDK
    .target(name: "CoreAudio", swiftSettings: strict + sdkVersion),
    .target(
      name: "CoreMedia",
      dependencies: ["CoreAudio"],
      swiftSettings: strict + sdkVersion,
    ),
    .target(
      name: "AudioSession",
      dependencies: [
        "AudioFiles", "CMediaPlayer", "ControlProtocol", "ControlSocket", "CoreAudio", "JACK",
        "Realtime", "Sessions", "SystemSupport", locks,
      ],
      swiftSettings: strict,
    ),
    .target(
      name: "AVFAudio",
      dependencies: ["AudioSession"],
      swiftSettings: strict + sdkVersion,
    ),
    .target(
      name: "AVFoundation",
      dependencies: ["AudioSession", "CoreMedia"],
      swiftSettings: strict + sdkVersion,
    ),
    .target(
      name: "MediaPlayer",
      dependencies: ["AudioSession"],
      swiftSettings: strict + sdkVersion,
    ),
    .target(
      name: "AudioToolbox",
      dependencies: ["AudioSession"],
      swiftSettings: strict + sdkVersion,
    ),

    .target(name: "CSessionInterface", exclude: ["exports.map", "python"]),
    .target(
      name: "SessionInterface",
      dependencies: ["AudioSession", "CSessionInterface", "SystemSupport"],
      swiftSettings: strict,
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--version-script=\(exports)"]),
        // SwiftPM links the runtime into programs only.
        .unsafeFlags(["-static-stdlib"], .when(configuration: .release)),
      ],
    ),
    .executableTarget(
      name: "PlayerApp",
      dependencies: ["AVFAudio", "MediaPlayer"],
      path: "Sources/Examples/PlayerApp",
      swiftSettings: strict,
    ),
    .executableTarget(
      name: "RecorderApp",
      dependencies: ["AVFAudio"],
      path: "Sources/Examples/RecorderApp",
      swiftSettings: strict,
    ),

    // MARK: the host and its command line
    .target(
      name: "Console",
      dependencies: ["ControlProtocol", "Sessions", "XML"],
      swiftSettings: small,
    ),
    .target(
      name: "Host",
      dependencies: [
        "AudioFiles", "ControlProtocol", "ControlSocket", "CRealtime", "GraphFiles",
        "InterAppAudio", "JACK", "Mixing", "OSC", "Patchbay", "Realtime", "ServerControl",
        "ServiceDiscovery", "Sessions", "Surfaces", "SystemSupport", "WebCertificates", logging,
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      swiftSettings: strict,
    ),
    .target(
      name: "CommandSupport",
      dependencies: [
        "CQREncode", "Console", "ControlProtocol", "GraphFiles", "SystemSupport", "YAML",
        argumentParser, logging,
      ],
      exclude: ["exports.map"],
      swiftSettings: small,
    ),
    .executableTarget(
      name: "multiroute",
      dependencies: [
        "CommandSupport", "Console", "ControlProtocol", "ControlSocket", "DeviceBridge", "Doctor",
        "GraphFiles", "Host", "InterAppAudio", "JACK", "MIDIFiles", "NSM", "NodeKit", "PatchFiles",
        "ServerControl", "Sessions", "SystemSupport",
        argumentParser, logging,
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: small,
      linkerSettings: closed,
    ),

    // MARK: tests
    .systemLibrary(
      name: "CJACKNet",
      path: "Tests/CJACKNet",
      pkgConfig: "jack",
      providers: [.apt(["libjack-jackd2-dev"])],
    ),
    .target(
      name: "TestSupport",
      dependencies: ["CJACKNet", "JACK", "Mixing", "OSC", "Patchbay", "SystemSupport", logging],
      path: "Tests/TestSupport",
      swiftSettings: strict,
    ),
    .executableTarget(
      name: "RealtimeViolation",
      dependencies: ["AudioSession", "JACK"],
      path: "Tests/RealtimeViolation",
      swiftSettings: strict,
    ),
    .executableTarget(
      name: "ActivationBenchmark",
      dependencies: ["AVFAudio", histogram],
      path: "Tests/ActivationBenchmark",
      swiftSettings: strict,
    ),
    .executableTarget(
      name: "SessionStorm",
      dependencies: ["AVFAudio", "MediaPlayer"],
      path: "Tests/SessionStorm",
      swiftSettings: strict,
    ),
    .executableTarget(
      name: "MetadataStorm",
      dependencies: ["JACK"],
      path: "Tests/MetadataStorm",
      swiftSettings: strict,
    ),
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    // No test target depends on it: the functions it counts must stand in front of no test.
    .executableTarget(
      name: "AudioThreadProbe",
      dependencies: ["AllocationCounter", "Mixing"],
      path: "Tests/AudioThreadProbe",
      swiftSettings: strict,
    ),
    .testTarget(
      name: "DeviceBridgeTests",
      dependencies: ["DeviceBridge"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "RealtimeTests",
      dependencies: ["Realtime", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "MixingTests",
      dependencies: ["CMixKernels", "Mixing", "Realtime", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "JACKTests",
      dependencies: ["JACK", "SystemSupport", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "SystemSupportTests",
      dependencies: ["SystemSupport", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "PatchbayTests",
      dependencies: ["GraphFiles", "JACK", "Patchbay", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "ServerControlTests",
      dependencies: ["ServerControl", "TestSupport", logging],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "DoctorTests",
      dependencies: ["Doctor", "SystemSupport", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "AudioFilesTests",
      dependencies: ["AudioFiles", "CRealtime", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "NSMTests",
      dependencies: ["NSM", "OSC", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "OSCTests",
      dependencies: ["OSC", "TestSupport"] + nio,
      swiftSettings: strict,
    ),
    .testTarget(
      name: "GraphFilesTests",
      dependencies: ["GraphFiles", "Sessions", "TestSupport", "YAML"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "PatchFilesTests",
      dependencies: ["GraphFiles", "PatchFiles", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "InterAppAudioTests",
      dependencies: ["InterAppAudio", "JACK", "NodeKit", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "LatencyLabTests",
      dependencies: [
        "CRealtime", "DeviceBridge", "JACK", "LatencyLab", "SystemSupport", "TestSupport",
      ],
      swiftSettings: strict + computing,
    ),
    .testTarget(
      name: "SessionsTests",
      dependencies: ["Sessions", "TestSupport"],
      swiftSettings: strict + computing
    ),
    .testTarget(
      name: "ControlProtocolTests",
      dependencies: ["ControlProtocol", "Sessions"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "ControlSocketTests",
      dependencies: ["ControlProtocol", "ControlSocket", "TestSupport", logging] + nio,
      swiftSettings: strict,
    ),
    .testTarget(
      name: "CommandSupportTests",
      dependencies: ["CommandSupport", "Console", "GraphFiles", "TestSupport", logging],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "ConsoleTests",
      dependencies: ["Console", "ControlProtocol", "Sessions", "TestSupport"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "HostTests",
      dependencies: [
        "AudioFiles", "ControlProtocol", "ControlSocket", "GraphFiles", "Host", "InterAppAudio",
        "JACK", "Mixing", "Patchbay", "ServerControl", "Sessions", "Surfaces", "SystemSupport",
        "TestSupport", logging,
      ],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "ServiceDiscoveryTests",
      dependencies: ["ServiceDiscovery"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "SurfacesTests",
      dependencies: [
        "ControlProtocol", "GraphFiles", "OSC", "Sessions", "Surfaces", "TestSupport",
      ],
      exclude: ["MackieSession.txt"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "WebCertificatesTests",
      dependencies: ["ControlProtocol", "Surfaces", "TestSupport", "WebCertificates"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "AudioSessionTests",
      dependencies: ["AVFAudio"],
      swiftSettings: strict,
    ),
    .testTarget(
      name: "CoreMediaTests",
      dependencies: ["CoreMedia", "TestSupport"],
      swiftSettings: strict,
    ),
    // Sources of apps are in either language mode. IOSSourceTests compiles these again, by a symbolic link, in Swift 5 mode.
    .target(
      name: "IOSSources",
      dependencies: ["AVFAudio", "AVFoundation", "AudioToolbox", "MediaPlayer"],
      path: "Tests/IOSSources",
      swiftSettings: [.swiftLanguageMode(.v6)],
    ),
    .testTarget(
      name: "IOSSourceTests",
      dependencies: ["AVFAudio", "AVFoundation", "AudioToolbox", "CoreAudio", "MediaPlayer"],
      swiftSettings: [.swiftLanguageMode(.v5)],
    ),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "ControlProtocol", "GraphFiles", "Host", "InterAppAudio", "OSC", "PatchFiles", "Sessions",
        "Surfaces", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      path: "Tests/Fuzz/Targets",
      swiftSettings: strict,
    ),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], swiftSettings: strict),
    // What starts hosts and other programs; internal, for the two targets of tests below (docs/tests.md).
    .target(
      name: "EndToEndSupport",
      dependencies: endToEnd,
      path: "Tests/EndToEndSupport",
      swiftSettings: strict,
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["EndToEndSupport"] + endToEnd,
      swiftSettings: strict,
    ),
    .testTarget(
      name: "LongTests",
      dependencies: ["EndToEndSupport", "LatencyLab"] + endToEnd,
      swiftSettings: strict,
    ),
  ],
)

// The program of scripts/fuzz has no `main` of its own: libFuzzer brings it along.
if Context.environment["MULTIROUTE_FUZZ"] != nil {
  // Of these modules it needs only what reads the files with users' settings; all of them take a minute more to compile.
  let parts: [String: (sources: [String], dependencies: [Target.Dependency])] = [
    "Host": (
      ["Keeping/KeptEntries.swift", "Keeping/KeptState.swift"],
      ["Mixing", "Patchbay", "Sessions", "SystemSupport"]
    ),
    "Mixing": (["Specification/Decibels.swift"], []),
    "Patchbay": (["ConnectionPair.swift"], []),
  ]
  for target in package.targets {
    guard let part = parts[target.name] else { continue }
    target.sources = part.sources
    target.dependencies = part.dependencies
  }
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: ["FuzzTargets"],
      path: "Tests/Fuzz/Driver",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])],
    )
  )
}

// MARK: parts of the package

extension Target {
  /// The names of the targets that it depends on, and of the products of other packages.
  var needs: [String] {
    dependencies.map { dependency in
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): name
      case .productItem(let name, _, _, _): name
      @unknown default: ""
      }
    }
  }
}

extension Package {
  /// Leaves all other targets out, and the products of those.
  func keep(_ names: Set<String>) {
    targets.removeAll { !names.contains($0.name) }
    products.removeAll { product in
      switch product {
      case let library as Product.Library: !names.isSuperset(of: library.targets)
      case let program as Product.Executable: !names.isSuperset(of: program.targets)
      default: false
      }
    }
  }

  /// These targets, and all that they depend on.
  func closure(of names: [String]) -> Set<String> {
    var found: Set<String> = []
    var open = names
    while let name = open.popLast() {
      guard found.insert(name).inserted else { continue }
      open += targets.first { $0.name == name }?.needs ?? []
    }
    return found
  }
}

// MULTIROUTE_PART=Sessions,GraphFiles: only these with their tests (scripts/test quick PART).
if let part = Context.environment["MULTIROUTE_PART"] {
  let tests = part.split(separator: ",").map { "\($0)Tests" }
  package.keep(package.closure(of: tests))
}

// MULTIROUTE_GATE: what scripts/test tests. The laboratory, TLS and the long tests are built by scripts/test all only: they take as
// long to compile as all the rest.
if Context.environment["MULTIROUTE_GATE"] != nil {
  let long: Set = [
    "ActivationBenchmark", "CCallbackTimes", "CSpaMixer", "CallbackTimer", "LatencyLab",
    "LatencyLabTests", "LongTests", "WebCertificates", "WebCertificatesTests", "engine-cycles",
    "multiroute-lab",
  ]
  package.keep(Set(package.targets.map(\.name)).subtracting(long))
  for host in package.targets where host.name == "Host" {
    host.dependencies.removeAll { dependency in
      if case .byNameItem("WebCertificates", _) = dependency { true } else { false }
    }
    // Without TLS it refuses a page with a certificate.
    host.swiftSettings = (host.swiftSettings ?? []) + [.define("WITHOUT_TLS")]
  }
  package.dependencies.removeAll { dependency in
    if case .sourceControl(_, let location, _) = dependency.kind {
      location.hasSuffix("/swift-nio-ssl")
    } else {
      false
    }
  }
}

// Where all of a package is compiled, as by scripts/test, whole modules take less processor time: 17 % for HostTests, 42 % for Host.
// Where many modules wait for one, or it is the last, both processors are needed for it: file by file.
if Context.environment["MULTIROUTE_WHOLE_MODULES"] != nil {
  let flags = [
    "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode",
    "-no-emit-module-separately-wmo",
  ]
  let fileByFile: Set = ["EndToEndTests", "LatencyLab", "LongTests"]
  for target in package.targets
  where target.type != .system && !fileByFile.contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
  }
}
