/// Which modules a file imports.
enum DependencyRules {
  struct Import {
    var module: String
    var line: Int
  }

  static func findings(in tree: Tree) -> [Finding] {
    let archery = Set(
      tree.paths.compactMap { path -> String? in
        let parts = path.split(separator: "/")
        return parts.count == 3 && path.hasPrefix("Sources/Archery/") ? String(parts[2]) : nil
      })
    return tree.files(in: "Sources").flatMap { file in
      imports(of: file).compactMap {
        halfFinding($0, in: file, archery: archery) ?? finding($0, in: file)
      }
    }
  }

  /// The modules that a file imports, without the declarations that it names in them.
  static func imports(of file: SwiftFile) -> [Import] {
    var found: [Import] = []
    for index in file.tokens.indices.dropLast()
    where file.tokens[index].is("import") && file.tokens[index].kind == .word {
      guard index == 0 || !file.tokens[index - 1].is(".") else { continue }
      var name = file.tokens[index + 1]
      // `import struct Module.Name` names its kind first.
      if index + 2 < file.tokens.count, file.tokens[index + 2].kind == .word,
        file.tokens[index + 2].line == name.line
      {
        name = file.tokens[index + 2]
      }
      guard name.kind == .word, name.line == file.tokens[index].line else { continue }
      found.append(Import(module: name.text, line: name.line))
    }
    return found
  }

  /// The RPC runtime does not depend on the archery services.
  private static func halfFinding(
    _ imported: Import, in file: SwiftFile, archery: Set<String>
  ) -> Finding? {
    guard file.path.hasPrefix("Sources/RPC/"), archery.contains(imported.module),
      let module = file.module,
      Module.halfExceptions[module]?.contains(imported.module) != true
    else { return nil }
    return Finding(
      file: file.path, line: imported.line, rule: .half,
      sentence:
        "\(module) is in Sources/RPC and may not import \(imported.module) of Sources/Archery")
  }

  /// The branch of `#if canImport(FoundationEssentials)` in which a line is.
  private enum FoundationBranch { case none, essentials, fallback }

  private static func foundationBranch(of line: Int, in file: SwiftFile) -> FoundationBranch {
    var branch = FoundationBranch.none
    for text in file.lines.prefix(line) {
      switch text {
      case "#if canImport(FoundationEssentials)": branch = .essentials
      case "#else": branch = branch == .essentials ? .fallback : branch
      case "#endif": branch = .none
      default: break
      }
    }
    return branch
  }

  private static func finding(_ imported: Import, in file: SwiftFile) -> Finding? {
    let module = imported.module
    func refuse(_ sentence: String) -> Finding {
      Finding(file: file.path, line: imported.line, rule: .dependency, sentence: sentence)
    }
    let branch = foundationBranch(of: imported.line, in: file)
    if module == "Foundation" {
      guard branch != .fallback else { return nil }
      return refuse(
        "no file of Sources imports Foundation; import FoundationEssentials where allowed")
    }
    if module == "FoundationEssentials", branch != .essentials {
      return refuse(
        "FoundationEssentials does not exist everywhere: import it below"
          + " #if canImport(FoundationEssentials), and Foundation below #else")
    }
    guard let folder = file.module, let row = Module.named(folder) else {
      return refuse("\(file.module ?? "the folder") has no row in Modules.swift")
    }
    if Module.languageModules.contains(module) { return nil }
    if row.imports.contains(module) || row.system.contains(module) { return nil }
    let allowed = row.imports.union(row.system).sorted().joined(separator: ", ")
    return refuse(
      "\(row.name) may not import \(module), only \(allowed.isEmpty ? "nothing" : allowed)")
  }
}
