// SPDX-License-Identifier: MIT

import Sessions
import Testing

@testable import GraphFiles
@testable import Host

/// The names of graph files are those of the tower.
struct TowerNamesTests {
  @Test(arguments: GraphFile.Session.Category.allCases)
  func `CAT-1 every category of a graph file is known`(category: GraphFile.Session.Category) {
    #expect(category.sessionCategory.name == category.rawValue)
  }

  @Test(arguments: GraphFile.Session.Mode.allCases)
  func `MOD-1 every mode of a graph file is known`(mode: GraphFile.Session.Mode) {
    #expect(mode.sessionMode.name == mode.rawValue)
    #expect(
      Set(mode.categories.map(\.sessionCategory)).isSubset(of: Set(mode.sessionMode.categories))
    )
  }

  @Test(arguments: GraphFile.Session.Option.allCases)
  func `OPT-1 every option of a graph file is known`(option: GraphFile.Session.Option) {
    #expect(CategoryOptions(name: option.rawValue) != nil)
  }

  @Test(arguments: GraphFile.AppSession.Preset.allCases)
  func `PRE every preset of a graph file is known, with its categories`(
    preset: GraphFile.AppSession.Preset
  ) {
    let known = Sessions.Preset(rawValue: preset.rawValue)
    #expect(known?.categories == preset.categories.map(\.sessionCategory))
  }

  @Test func `ACT-4 every class of a graph file is known`() {
    #expect(
      Set(GraphFile.AppSession.PriorityClass.allCases.map(\.sessionClass))
        == Set(Sessions.PriorityClass.allCases)
    )
  }

  @Test(arguments: [
    ("Mixxx", "Mixxx"), ("naïve app", "na-ve-app"), ("", "session"), ("a:b/c", "a-b-c"),
  ])
  func `names of sessions fit into port names`(app: String, name: String) {
    #expect(SessionName.made(from: app) == name)
  }
}
