import Foundation
import QuiverGateway
import Testing

@testable import quiver_gateway

@Suite("The files of pages", .timeLimit(.minutes(1)))
struct PageFilesTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let pages = repository.appending(path: "Sources/Programs/quiver-gateway/Pages")

  private static func page(
    _ path: String, of files: PageFiles = .embedded, _ fields: HTTPFields = HTTPFields()
  ) -> Gateway.Page? {
    files.page(
      HTTPRequestHead(method: "GET", target: HTTPText(path), fields: fields, isHTTP2: false))
  }

  /// The files of a folder and of those in it, by their paths below it.
  private static func files(in folder: URL) throws -> [String: [UInt8]] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Dictionary(
      uniqueKeysWithValues: try paths.compactMap { path in
        let file = folder.appending(path: path)
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
        return isFolder.boolValue ? nil : (path, Array(try Data(contentsOf: file)))
      })
  }

  private static func text(_ page: Gateway.Page?) -> String {
    String(decoding: page?.body ?? [], as: UTF8.self)
  }

  /// Whether each line of what is sent is the end of a line of the source, in their order: comments
  /// and indentation are left out. That the rest says the same is compared by `tsc` in the check
  /// of the gateway.
  private static func isModule(_ sent: some Sequence<UInt8>, of source: [UInt8]) -> Bool {
    var lines = source.split(separator: UInt8(ascii: "\n"))[...]
    return Array(sent).split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      lines = lines.drop { !$0.reversed().starts(with: line.reversed()) }
      return lines.popFirst() != nil
    }
  }

  @Test("Files are served as they are, and modules of the client without their comments")
  func files() throws {
    var expected = try Self.files(in: Self.pages)
    for (path, content) in try Self.files(
      in: Self.repository.appending(path: "clients/javascript/src"))
    {
      expected["client/" + path] = content
    }
    let version = PageFiles.embedded.version
    for (path, source) in expected where !path.hasSuffix("index.html") {
      let isBundled = path.hasSuffix(".js") && !path.hasPrefix("client/")
      if isBundled && !path.hasSuffix("/worker.js") { continue }
      let file = try #require(Self.page("/" + path), "\(path) is not served")
      if path.hasSuffix("/worker.js") {
        let end = try #require(file.body.firstIndex(of: UInt8(ascii: "\n")))
        #expect(Self.isModule(file.body[end...], of: source), "\(path)")
      } else if path.hasSuffix(".js") {
        #expect(Self.isModule(file.body, of: source), "\(path)")
        #expect(!file.body.isEmpty && file.body.count <= source.count, "\(path)")
      } else {
        // The difference of two large arrays takes minutes to find.
        let isSame = file.body == source
        #expect(isSame, "\(path)")
      }
      #expect(file.fields["cache-control"] == "no-cache" && file.fields["etag"] != nil)
      let fixed = try #require(Self.page("/pages/\(version)/\(path)"))
      let isFixed = fixed.body == file.body
      #expect(isFixed, "\(path)")
      #expect(fixed.fields["cache-control"] == "public, max-age=31536000, immutable")
    }
    #expect(expected.keys.contains("client/client.js") && expected.keys.contains("me/worker.js"))
  }

  @Test("Pages are at their paths, that of a board behind the code of an event")
  func pages() {
    for path in ["/", "/score", "/score/", "/board/ABCD-0123", "/board/0000"] {
      #expect(Self.page(path)?.contentType == "text/html; charset=utf-8", "\(path)")
      #expect(Self.page(path)?.fields["etag"] != nil)
    }
    let long = String(repeating: "A", count: 65)
    for path in [
      "/board", "/board/", "/board/\(long)", "/board/A%20", "/board/../score", "/score/index.html",
      "/score/ABCD", "/scores", "//score", "/pages/0000000000000000/client/client.js",
      "/pages/\(PageFiles.embedded.version)/score", "*", "",
    ] {
      #expect(Self.page(path) == nil, "\(path)")
    }
  }

  @Test("A file of a page has the type of its name, and what is no text is served unchanged")
  func types() {
    let files = PageFiles([
      ("score/index.html", []), ("score/a.js", []), ("score/a.css", []), ("score/a.svg", []),
      ("score/a.webmanifest", []), ("score/a.png", [0x89, 0, 0xff]), ("score/a", []),
    ])
    let types = ["js", "css", "svg", "webmanifest", "png"].map {
      Self.page("/score/a.\($0)", of: files)?.contentType
    }
    #expect(
      types == [
        "text/javascript; charset=utf-8", "text/css; charset=utf-8", "image/svg+xml",
        "application/manifest+json", "image/png",
      ])
    #expect(Self.page("/score/a", of: files)?.contentType == "application/octet-stream")
    #expect(Self.page("/score/a.png", of: files)?.body == [0x89, 0, 0xff])
  }

  @Test("A change of any file changes the version, and the tag of no other file")
  func version() {
    let old = PageFiles([("score/a.js", [1]), ("score/b.js", [2])])
    let new = PageFiles([("score/a.js", [1]), ("score/b.js", [3])])
    let moved = PageFiles([("score/a.js", [1]), ("score/c.js", [2])])
    #expect(Set([old, new, moved].map(\.version)).count == 3)
    let tags = { (path: String) in
      [old, new].map { Self.page(path, of: $0)?.fields["etag"]?.string }
    }
    #expect(tags("/score/a.js")[0] == tags("/score/a.js")[1])
    #expect(tags("/score/b.js")[0] != tags("/score/b.js")[1])
    #expect(Self.page("/pages/\(old.version)/score/a.js", of: new) == nil)
  }

  @Test("A page refers to files of its version that exist, and has no scripts or styles in itself")
  func references() throws {
    for path in try Self.files(in: Self.pages).keys where path.hasSuffix("index.html") {
      let folder = path.split(separator: "/")[0]
      let place = folder == "home" ? "/" : folder == "board" ? "/board/0000" : "/\(folder)"
      let page = try #require(Self.page(place), "\(path) is not served")
      let text = Self.text(page)
      for match in text.matches(of: try Regex(#"(?:src|href)="([^"]*)""#)) {
        let reference = String(match[1].substring ?? "")
        if reference.hasPrefix("#") { continue }
        #expect(Self.page(reference) != nil, "\(path) refers to \(reference)")
      }
      let script = try Regex(#"<script(?![^>]*\ssrc=)"#)
      let style = try Regex(#"<style|\sstyle=|\son[a-z]+="#)
      #expect(!text.contains(script), "\(path) has a script without a file")
      #expect(!text.contains(style), "\(path) has a style or a handler")
    }
  }

  @Test("The module of a page has all that it imports, and modules of the client import each other")
  func imports() throws {
    var bundles = 0
    for path in PageFiles.embedded.paths where path.hasSuffix(".js") {
      let imported = Self.text(Self.page(path))
        .matches(of: try Regex(#"(?m)^(?:import .*|export .*|\} )from "([^"]+)";$"#))
        .map { String($0[1].substring ?? "") }
      guard path.hasPrefix("/client/") else {
        bundles += path.hasSuffix("/worker.js") ? 0 : 1
        #expect(imported.isEmpty, "\(path)")
        continue
      }
      for name in imported {
        #expect(name.hasPrefix("./") && Self.page("/client/" + name.dropFirst(2)) != nil, "\(path)")
      }
    }
    let pages = try Self.files(in: Self.pages).keys.count { $0.hasSuffix("/index.html") }
    #expect(bundles == pages)
  }

  @Test("The script of a service worker may serve its page, and no other file may")
  func worker() {
    let files = PageFiles([("score/index.html", []), ("score/worker.js", [])])
    let asked = Self.page("/score/worker.js", of: files, ["service-worker": "script"])
    #expect(asked?.fields["service-worker-allowed"] == "/score")
    #expect(Self.page("/score/worker.js", of: files)?.fields["service-worker-allowed"] == nil)
  }

  @Test(
    "The script of a service worker says its version and exactly the files of its page",
    arguments: ["score", "me", "desk"])
  func workerFiles(of folder: String) throws {
    let version = PageFiles.embedded.version
    let worker = try #require(Self.page("/\(folder)/worker.js"))
    let line = try #require(Self.text(worker).split(separator: "\n").first)
    let start = "self.quiver={version:\"\(version)\",files:["
    #expect(line.hasPrefix(start) && line.hasSuffix("]};"))
    let files = line.dropFirst(start.count).dropLast(3).split(separator: ",")
      .map { String($0.dropFirst().dropLast()) }
    // Another way to the same list: what the source of the page refers to.
    let source = try #require(try Self.files(in: Self.pages)[folder + "/index.html"])
    let references = String(decoding: source, as: UTF8.self)
      .matches(of: try Regex(#"="(/[^"]*)""#))
    let wanted = Set(references.map { "/pages/\(version)" + String($0[1].substring ?? "") })
    #expect(files == wanted.sorted())
    #expect(files.contains { $0.hasSuffix("/\(folder)/\(folder).js") })
    #expect(files.contains { $0.hasSuffix("/score/score_icon.svg") } == (folder != "desk"))
    #expect(files.contains { $0.hasSuffix("/score/score.webmanifest") } == (folder == "score"))
  }

  @Test("Pages that give others an address say the one by which phones reach them")
  func publicAddress() throws {
    let meta = "<meta name=\"quiver-address\" content=\"http://192.0.2.7:7480\">"
    let files = PageFiles.naming("http://192.0.2.7:7480")
    for path in ["/desk", "/board/ABCD"] {
      #expect(Self.text(Self.page(path, of: files)).contains(meta), "\(path)")
      #expect(!Self.text(Self.page(path)).contains("quiver-address"), "\(path)")
      #expect(
        Self.page(path, of: files)?.fields["etag"]?.string
          != Self.page(path)?.fields["etag"]?.string, "\(path)")
    }
    #expect(!Self.text(Self.page("/score", of: files)).contains("quiver-address"))
    // What does not change stays in the caches of browsers.
    #expect(files.version == PageFiles.embedded.version)
  }

  @Test("A change of any file changes the script of a service worker, which is asked for each time")
  func workerVersion() {
    let page = Array("<script src=\"/score/a.js\">".utf8)
    let one = PageFiles([
      ("score/index.html", page), ("score/worker.js", [1]), ("score/a.js", [2]), ("desk/b.js", [3]),
    ])
    let other = PageFiles([
      ("score/index.html", page), ("score/worker.js", [1]), ("score/a.js", [2]), ("desk/b.js", [4]),
    ])
    let workers = [one, other].map { Self.page("/score/worker.js", of: $0) }
    #expect(workers[0]?.body != workers[1]?.body)
    #expect(workers[0]?.fields["etag"] != workers[1]?.fields["etag"])
    for worker in workers {
      #expect(worker?.fields["cache-control"] == "no-cache")
      let policy = worker?.fields["content-security-policy"]
      #expect(policy == "default-src 'none'; connect-src 'self'")
    }
    let files = "[\"/pages/\(one.version)/score/a.js\"]"
    let line = "self.quiver={version:\"\(one.version)\",files:\(files)};\n"
    #expect(Self.text(workers[0]).hasPrefix(line))
  }

  @Test("The desk alone permits styles in a text, for the papers that it opens, and no code in one")
  func papers() throws {
    let policy = try #require(Self.page("/desk")?.fields["content-security-policy"]).string
    let rules = policy.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(rules.contains("style-src 'self' 'unsafe-inline'"))
    #expect(rules.contains("script-src 'self'") && rules.contains("frame-ancestors 'none'"))
  }

  @Test("A policy forbids every script and every call but those of the gateway's own")
  func policy() throws {
    for path in ["/", "/score", "/board/0000"] {
      let policy = try #require(Self.page(path)?.fields["content-security-policy"]).string
      let rules = policy.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(rules.contains("default-src 'none'") && rules.contains("script-src 'self'"))
      #expect(rules.contains("connect-src 'self'") && rules.contains("style-src 'self'"))
      #expect(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*"))
      let frames = path.hasPrefix("/board") ? "'self'" : "'none'"
      #expect(rules.contains("frame-ancestors " + frames))
    }
  }
}
