import QuiverGateway

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The pages, and their files: those of `Pages` and the modules of the client for JavaScript.
///
/// A file is served at its path below `Pages`, a page at the name of its folder, and a module of
/// the client at `/client`; the module of a page has all that it imports. The same stand below
/// `/pages/VERSION`, where they never change: pages refer to them there, so that a browser asks for
/// a file once in each version. The script of a service worker, `worker.js` of a page, has another
/// first line in each version, by which a browser sees that it is new.
struct PageFiles: Sendable {
  /// A page: a folder with an `index.html`.
  private struct Kind {
    let folder: String
    /// Where it is served; one slash: at the root.
    let path: String
    /// The code of an event stands behind the path.
    var takesCode = false
    /// Who may show it in a frame.
    var frames = "'none'"
    /// The page opens papers, whose styles stand in their text: what a page makes has its policy.
    var opensPapers = false
    /// The page gives others an address: it says in its head by which phones reach it.
    var sharesAddress = false
    /// Officials sign in there, or get their codes: it says in its head whether they may do so
    /// where others can read it.
    var signsOfficialsIn = false
  }

  private static let kinds = [
    Kind(folder: "home", path: "/"), Kind(folder: "score", path: "/score"),
    Kind(
      folder: "board", path: "/board", takesCode: true, frames: "'self'", sharesAddress: true),
    Kind(
      folder: "desk", path: "/desk", opensPapers: true, sharesAddress: true,
      signsOfficialsIn: true),
    Kind(folder: "judge", path: "/judge", signsOfficialsIn: true),
    Kind(folder: "check-in", path: "/check-in", signsOfficialsIn: true),
    Kind(folder: "me", path: "/me"),
  ]

  /// Those of this program.
  static let embedded = PageFiles(embeddedContents)

  /// Those of this program; the pages say the address by which phones reach them, if it is known,
  /// and whether officials may sign in without encryption.
  static func naming(_ publicAddress: String?, takesOfficials: Bool = false) -> PageFiles {
    publicAddress == nil && !takesOfficials
      ? embedded
      : PageFiles(
        embeddedContents, publicAddress: publicAddress, takesOfficials: takesOfficials)
  }

  private static var embeddedContents: [(path: String, content: [UInt8])] {
    EmbeddedPages.files.map { file in
      (file.path.description, content(file.content, isBase64: file.isBase64))
    }
  }

  private static let mostCodeBytes = 64

  /// The file of a page that is its service worker.
  private static let workerName = "/worker.js"

  /// Changes with every file.
  let version: String
  private var pages: [HTTPText: Gateway.Page] = [:]
  private var codePages: [HTTPText: Gateway.Page] = [:]
  /// By their paths, which are asked for again each time.
  private var files: [HTTPText: Gateway.Page] = [:]
  /// By their paths below the version.
  private var fixedFiles: [HTTPText: Gateway.Page] = [:]

  /// - Parameters:
  ///   - contents: by paths such as `score/index.html`.
  ///   - publicAddress: by which phones reach the pages; nothing in it means something in markup.
  ///   - takesOfficials: whether officials may sign in without encryption.
  init(
    _ contents: [(path: String, content: [UInt8])], publicAddress: String? = nil,
    takesOfficials: Bool = false
  ) {
    let version = Self.hash(contents.flatMap { Array($0.path.utf8) + [0] + $0.content + [0] })
    self.version = version
    let folders = Set(contents.compactMap { $0.path.split(separator: "/").first.map(String.init) })
    let texts = Dictionary(contents.map { ($0.path, $0.content) }) { first, _ in first }
    for (path, source) in contents {
      var content = source
      if let kind = Self.kinds.first(where: { $0.folder + "/index.html" == path }) {
        if kind.sharesAddress, let publicAddress {
          content = Self.saying("quiver-address", publicAddress, in: content)
        }
        if kind.signsOfficialsIn, takesOfficials {
          content = Self.saying("quiver-officials", "open", in: content)
        }
        let page = Self.page(kind, Self.referring(content, to: version, folders))
        let place = HTTPText(kind.path)
        if kind.takesCode { codePages[place] = page } else { pages[place] = page }
        continue
      }
      let isWorker = path.hasSuffix(Self.workerName)
      if isWorker {
        let folder = String(path.dropLast(Self.workerName.count))
        content = Self.firstLine(Self.needed(folder, texts), version) + content
      }
      var file = Gateway.Page(contentType: Self.contentType(path), body: content)
      // What a worker may ask is in the policy of its own script.
      if isWorker {
        file.fields.append("content-security-policy", "default-src 'none'; connect-src 'self'")
      }
      file.pack()
      var fixed = file
      fixed.fields.append("cache-control", "public, max-age=31536000, immutable")
      fixedFiles[HTTPText("/pages/\(version)/\(path)")] = fixed
      file.fields.append("cache-control", "no-cache")
      file.fields.append("etag", Self.tag(content))
      files[HTTPText("/" + path)] = file
    }
  }

  /// The paths of all files and pages, a page with a code without it.
  var paths: [String] {
    [pages, codePages, files].flatMap { $0.keys.map(\.string) }.sorted()
  }

  /// The page or file at a path; nil: there is none.
  func page(_ head: HTTPRequestHead) -> Gateway.Page? {
    if let page = pages[head.path] ?? files[head.path] ?? fixedFiles[head.path] {
      return Self.allowingWorker(page, head)
    }
    let parts = head.path.split("/")
    guard parts.count == 3, parts[0].isEmpty else { return nil }
    let folder = HTTPText("/" + parts[1].string)
    if parts[2].isEmpty { return pages[folder] }
    return Self.isCode(parts[2]) ? codePages[folder] : nil
  }

  // MARK: Making

  private static func page(_ kind: Kind, _ content: [UInt8]) -> Gateway.Page {
    var page = Gateway.Page(
      contentType: "text/html; charset=utf-8", body: content,
      fields: [
        // Nothing but the gateway's own files may run, style the page or be called.
        "content-security-policy":
          "default-src 'none'; script-src 'self'; img-src 'self';"
          + " style-src 'self'\(kind.opensPapers ? " 'unsafe-inline'" : "");"
          + " connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none';"
          + " form-action 'none'; frame-ancestors \(kind.frames)",
        "cache-control": "no-cache", "etag": tag(content),
      ])
    page.pack()
    return page
  }

  /// The content with its absolute references to files (`="/score/…"`) below the version.
  private static func referring(
    _ content: [UInt8], to version: String, _ folders: Set<String>
  ) -> [UInt8] {
    var text = String(decoding: content, as: UTF8.self)
    for folder in folders {
      text = text.replacing("=\"/\(folder)/", with: "=\"/pages/\(version)/\(folder)/")
    }
    return Array(text.utf8)
  }

  /// The paths of the files to which the page of a folder refers, in order: a module is sent with
  /// all that it imports.
  static func needed(_ folder: String, _ contents: [String: [UInt8]]) -> [String] {
    let page = String(decoding: contents[folder + "/index.html"] ?? [], as: UTF8.self)
    let paths = page.split(separator: "=\"/").dropFirst()
      .compactMap { $0.split(separator: "\"").first.map(String.init) }
    return Set(paths).filter { contents[$0] != nil }.sorted()
  }

  /// The content of a page with what the gateway knows in its head.
  private static func saying(_ name: String, _ value: String, in content: [UInt8]) -> [UInt8] {
    let meta = "<meta name=\"\(name)\" content=\"\(value)\">\n"
    let text = String(decoding: content, as: UTF8.self)
    return Array(text.replacing("</head>", with: meta + "</head>").utf8)
  }

  /// What the script of a service worker begins with: the version, and the paths of the files.
  private static func firstLine(_ files: [String], _ version: String) -> [UInt8] {
    let paths = files.map { "\"/pages/\(version)/\($0)\"" }.joined(separator: ",")
    return Array("self.quiver={version:\"\(version)\",files:[\(paths)]};\n".utf8)
  }

  /// A service worker of a page may serve the page itself, which is above its folder.
  private static func allowingWorker(
    _ page: Gateway.Page, _ head: HTTPRequestHead
  ) -> Gateway.Page {
    guard head.fields["service-worker"] == "script" else { return page }
    var page = page
    page.fields.append("service-worker-allowed", "/" + head.path.split("/")[1].string)
    return page
  }

  private static func content(_ literal: StaticString, isBase64: Bool) -> [UInt8] {
    guard isBase64 else {
      return Array(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }
    return Data(base64Encoded: literal.description).map { Array($0) } ?? []
  }

  private static func contentType(_ path: String) -> String {
    switch path.split(separator: ".").last {
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "html": "text/html; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "webmanifest": "application/manifest+json"
    case "json": "application/json"
    default: "application/octet-stream"
    }
  }

  /// Of the content, whether it is compressed or not.
  private static func tag(_ content: [UInt8]) -> String { "W/\"\(hash(content))\"" }

  /// FNV-1a with 64 bits: files of this repository do not collide on purpose.
  private static func hash(_ bytes: [UInt8]) -> String {
    let value = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// A code has letters and digits, and may be written with hyphens.
  private static func isCode(_ text: HTTPText) -> Bool {
    text.bytes.count <= mostCodeBytes
      && text.bytes.allSatisfy { byte in
        byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      }
  }
}
