import FoundationEssentials

/// The files that tidy reads.
struct Tree {
  /// A file that is not Swift.
  struct TextFile {
    var path: String
    var lines: [Substring]
  }

  struct Unreadable: Error, CustomStringConvertible {
    var description: String
  }

  private(set) var swift: [SwiftFile] = []
  private(set) var protos: [ProtoFile] = []
  private(set) var texts: [TextFile] = []
  /// Markdown files, also those outside `folders`.
  private(set) var prose: [TextFile] = []
  /// All files and folders, relative to the root.
  private(set) var paths: [String] = []

  static let folders = ["Sources", "Tests", "tools", "Protos"]
  private static let textEndings: Set<String> = [
    "c", "cc", "cpp", "h", "proto", "py", "sh", "sql", "modulemap", "txt",
  ]

  /// Throws `Unreadable` with the path that cannot be read.
  init(root: String) throws(Unreadable) {
    guard FileManager.default.fileExists(atPath: root + "/Package.swift") else {
      throw Unreadable(description: "\(root) has no Package.swift")
    }
    try add("Package.swift", root: root)
    for folder in Self.folders where FileManager.default.fileExists(atPath: root + "/" + folder) {
      try visit(folder, root: root)
    }
    for name in ["README.md", "HACKING.md", "CHANGELOG.md"]
    where FileManager.default.fileExists(atPath: root + "/" + name) {
      try add(name, root: root)
    }
    if FileManager.default.fileExists(atPath: root + "/docs") { try visit("docs", root: root) }
    paths.sort()
  }

  var manifest: SwiftFile? { swift.first { $0.path == "Package.swift" } }

  func files(in folder: String) -> [SwiftFile] { swift.filter { $0.path.hasPrefix(folder + "/") } }

  private mutating func visit(_ path: String, root: String) throws(Unreadable) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: root + "/" + path)
    } catch {
      throw Unreadable(description: "cannot list \(path): \(error)")
    }
    for name in names.sorted() where !name.hasPrefix(".") && name != "__pycache__" {
      let child = path + "/" + name
      var isFolder = false
      guard FileManager.default.fileExists(atPath: root + "/" + child, isDirectory: &isFolder)
      else { continue }
      paths.append(child)
      if isFolder { try visit(child, root: root) } else { try add(child, root: root) }
    }
  }

  private mutating func add(_ path: String, root: String) throws(Unreadable) {
    let ending = Self.ending(path)
    let isSwift = ending == "swift"
    let isProse = ending == "md"
    // A file without an extension is a script.
    guard isSwift || isProse || ending.isEmpty || Self.textEndings.contains(ending) else { return }
    guard let data = FileManager.default.contents(atPath: root + "/" + path) else {
      throw Unreadable(description: "cannot read \(path)")
    }
    let text = String(decoding: data, as: UTF8.self)
    if isSwift {
      swift.append(SwiftFile(path: path, text: text))
      return
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if isProse {
      prose.append(TextFile(path: path, lines: lines))
      return
    }
    texts.append(TextFile(path: path, lines: lines))
    // The files of tests declare no methods that a server has.
    if ending == "proto" && path.hasPrefix("Protos/") {
      protos.append(ProtoFile(path: path, text: text))
    }
  }

  private static func ending(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return String(name[name.index(after: dot)...])
  }
}
