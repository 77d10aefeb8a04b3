// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Surfaces

@Suite
struct WebPageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/CWebPage/page").standardizedFileURL

  @Test func `the program has the files of the folder, all of them and no others`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(PageFiles.program.all.map(\.name) == names.sorted())
    for file in PageFiles.program.all {
      #expect(try Data(contentsOf: Self.folder.appending(path: file.name)) == Data(file.bytes))
    }
  }

  @Test func `all files together have at most 150 KB, and each has a media type`() {
    let files = PageFiles.program.all
    #expect(files.reduce(0) { $0 + $1.bytes.count } <= 150_000)
    #expect(files.filter { $0.type == nil } == [])
  }

  @Test func `a file comes with its type, its mark and the policy`() async {
    let script = PageFile(name: "main.js", bytes: Array("export {}".utf8))
    let site = WebPageSite(files: PageFiles([script]))
    let answer = await site.answer(WebRequest(path: "/main.js"))
    #expect(answer.status == 200)
    #expect(answer.type == "text/javascript; charset=utf-8")
    #expect(answer.body == script.bytes)
    #expect(answer.headers["ETag"] == script.mark)
    #expect(answer.headers["Cache-Control"] == "no-cache")
    #expect(answer.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
    #expect(answer.headers["Content-Security-Policy"]?.contains("unsafe") == false)
  }

  @Test func `the folder's address is the page`() async {
    let page = PageFile(name: "index.html", bytes: Array("<!doctype html>".utf8))
    let answer = await WebPageSite(files: PageFiles([page])).answer(WebRequest(path: "/"))
    #expect(answer.type == "text/html; charset=utf-8")
    #expect(answer.body == page.bytes)
  }

  @Test func `a browser that has the file is told so without the file`() async {
    let page = PageFile(name: "index.html", bytes: [1])
    let site = WebPageSite(files: PageFiles([page]))
    let known = await site.answer(WebRequest(path: "/", marks: [page.mark]))
    #expect(known.status == 304)
    #expect(known.body.isEmpty)
    #expect(known.headers["ETag"] == page.mark)
    #expect(await site.answer(WebRequest(path: "/", marks: ["\"other\""])).status == 200)
  }

  @Test(arguments: [
    "/none.js", "/../Package.swift", "/%2e%2e/main.js", "//index.html", "/page/index.html",
    "/index.html/", "/index.html%00", "/live",
  ])
  func `another path is refused`(path: String) async {
    let page = PageFile(name: "index.html", bytes: [1])
    let answer = await WebPageSite(files: PageFiles([page])).answer(WebRequest(path: path))
    #expect(answer.status == 404)
  }
}
