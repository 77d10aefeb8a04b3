// MARK: - The package of mutants: the targets that the tests of the pure part need, with the rewritten sources

let mutated = ["Sessions", "Mixing", "Realtime", "GraphFiles"]

for target in package.targets {
  switch target.name {
  case "TestSupport":
    // Its other files drive servers and programs.
    target.dependencies = ["Mixing"]
    target.sources = ["RandomMix.swift", "SeededRandom.swift", "TestSeed.swift"]
  // Files that start the compiler, or another program.
  case "RealtimeTests": target.exclude.append("PlantedViolationTests.swift")
  case "MixingTests": target.exclude.append("AudioThreadTests.swift")
  default: break
  }
}
var needed = Set(mutated.map { $0 + "Tests" })
var count = 0
while needed.count > count {
  count = needed.count
  for target in package.targets where needed.contains(target.name) {
    for dependency in target.dependencies {
      if case .byNameItem(let name, _) = dependency { needed.insert(name) }
    }
  }
}
package.targets.removeAll { !needed.contains($0.name) }
for target in package.targets where mutated.contains(target.name) {
  target.dependencies.append("Mutant")
}
package.targets += [
  .target(name: "CMutant"),
  .target(name: "Mutant", dependencies: ["CMutant"], swiftSettings: [.swiftLanguageMode(.v6)]),
]
package.products = []
package.dependencies = []
