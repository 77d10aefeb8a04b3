// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Player",
  dependencies: [.package(path: "../MultiRoute")],
  targets: [
    .executableTarget(
      name: "Player",
      dependencies: [
        .product(name: "AVFAudio", package: "MultiRoute"),
        .product(name: "MediaPlayer", package: "MultiRoute"),
      ],
    )
  ],
)
