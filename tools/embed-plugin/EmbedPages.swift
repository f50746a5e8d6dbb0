import Foundation
import PackagePlugin

/// Makes a Swift file of the pages of the gateway and of the modules of the client for JavaScript,
/// so that each has one source in the repository, and a new file needs no list.
@main
struct EmbedPages: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? any SourceModuleTarget else { return [] }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedPages.swift")
    let files =
      try Self.files(in: module.directoryURL.appending(path: "Pages"), below: "")
      + Self.files(
        in: context.package.directoryURL.appending(path: "clients/javascript/src"),
        below: "client/")
    return [
      .buildCommand(
        displayName: "Embedding the pages of the gateway",
        executable: try context.tool(named: "embed-pages").url,
        arguments: [output.path(percentEncoded: false)]
          + files.flatMap { [$0.name, $0.file.path(percentEncoded: false)] },
        inputFiles: files.map(\.file), outputFiles: [output])
    ]
  }

  /// The files of a folder and of those in it, with their paths below it, sorted.
  private static func files(
    in folder: URL, below prefix: String
  ) throws -> [(name: String, file: URL)] {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    return names.sorted().compactMap { name in
      let file = folder.appending(path: name)
      let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: file.path(percentEncoded: false), isDirectory: &isFolder)
      return exists && !isFolder.boolValue && !isHidden ? (prefix + name, file) : nil
    }
  }
}
