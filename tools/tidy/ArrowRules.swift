/// Who imports whom.
enum ArrowRules {
  struct Import {
    var module: String
    var line: Int
  }

  static func findings(in tree: Tree) -> [Finding] {
    tree.files(in: "Sources").flatMap { file in
      imports(of: file).compactMap { finding($0, in: file) }
    }
  }

  /// The modules that a file imports, without what it names in them.
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

  private static func finding(_ imported: Import, in file: SwiftFile) -> Finding? {
    let module = imported.module
    func refuse(_ sentence: String) -> Finding {
      Finding(file: file.path, line: imported.line, rule: .arrow, sentence: sentence)
    }
    if module == "Foundation" {
      return refuse("Foundation is imported nowhere in Sources; FoundationEssentials where allowed")
    }
    guard let folder = file.room, let room = Room.named(folder) else {
      return refuse("\(file.room ?? "a file outside a room") has no row in Rooms.swift")
    }
    if Room.languageModules.contains(module) { return nil }
    if room.imports.contains(module) || room.system.contains(module) { return nil }
    let allowed = room.imports.union(room.system).sorted().joined(separator: ", ")
    return refuse(
      "\(room.name) may not import \(module), only \(allowed.isEmpty ? "nothing" : allowed)")
  }
}
