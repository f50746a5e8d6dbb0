import Foundation
import TestSupport

@testable import tidy

/// A package of a few files in a temporary folder.
struct SmallTree {
  /// Files of every tree; a test may replace them.
  static let base = [
    "Package.swift": """
    let package = Package(targets: [
      library("CSQLite", pkgConfig: "sqlite3"),
      rpc("QuiverWire"), rpc("QuiverRPC", "QuiverWire", "QuiverProtobuf"),
      rpc("QuiverProtobuf"), rpc("QuiverGateway"),
      archery("QuiverStore"), archery("QuiverAPI"), archery("QuiverService"),
      program("bench", path: "tools/bench", "QuiverStore"),
    ])
    """
  ]

  /// The findings in the base files together with these files.
  static func findings(
    _ files: [String: String], vocabularyPending: [String]? = nil
  ) throws -> [Finding] {
    let directory = try TemporaryDirectory()
    for (path, text) in base.merging(files, uniquingKeysWith: { $1 }) {
      let file = directory.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let tree = try Tree(root: directory.path)
    guard let vocabularyPending else { return Tidy.findings(in: tree) }
    return VocabularyRules.findings(in: tree, pending: vocabularyPending)
  }
}
