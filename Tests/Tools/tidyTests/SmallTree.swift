import Foundation

@testable import tidy

/// A package of a few files in a folder of its own, gone after use.
struct SmallTree {
  /// The files that every tree has, unless a case brings its own.
  static let base = [
    "Package.swift": """
    let package = Package(targets: [
      library("CSQLite", pkgConfig: "sqlite3"),
      rpc("QuiverWire"), rpc("QuiverRPC", "QuiverWire", "QuiverProtobuf"),
      rpc("QuiverProtobuf"), archery("QuiverStore"), archery("QuiverAPI"), archery("QuiverService"),
      program("bench", path: "tools/bench", "QuiverStore"),
    ])
    """
  ]

  /// What tidy finds in the base with these files over it.
  static func findings(_ files: [String: String]) throws -> [Finding] {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("tidy-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in base.merging(files, uniquingKeysWith: { $1 }) {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return Tidy.findings(in: try Tree(root: root.path))
  }
}
