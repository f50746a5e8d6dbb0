/// Compares the dependencies in Package.swift with Modules.swift and with the imports.
enum ManifestRules {
  /// An `rpc(…)`, `archery(…)`, `program(…)`, `library(…)` or `compiled(…)` of the manifest.
  struct Declared {
    var kind: String
    var name: String
    var imports: [String]
    var line: Int
    /// Whether the target is outside Sources.
    var hasPath: Bool
  }

  static func findings(in tree: Tree) -> [Finding] {
    guard let manifest = tree.manifest else { return [] }
    let declared = declarations(in: manifest)
    return declared.flatMap { findings(for: $0) } + undeclared(in: tree, declared)
      + halfFindings(declared)
  }

  static func declarations(in manifest: SwiftFile) -> [Declared] {
    let tokens = manifest.tokens
    var found: [Declared] = []
    for index in tokens.indices.dropLast(2) where tokens[index].kind == .word {
      guard ["rpc", "archery", "program", "library", "compiled"].contains(tokens[index].text),
        tokens[index + 1].is("("), tokens[index + 2].kind == .string,
        index == 0 || !(tokens[index - 1].is("func") || tokens[index - 1].is("."))
      else { continue }
      let end = manifest.closing(index + 1)
      // A string with a label is not an import, and neither is the argument of a nested call or an
      // element of an array.
      var imports: [String] = []
      var hasPath = false
      var depth = 0
      for inner in index + 3..<end {
        if tokens[inner].is("[") { depth += 1 }
        if tokens[inner].is("]") { depth -= 1 }
        guard tokens[inner].kind == .string, depth == 0 else { continue }
        if tokens[inner - 1].is(":") {
          hasPath = hasPath || tokens[inner - 2].is("path")
        } else if !tokens[inner - 1].is("(") {
          imports.append(tokens[inner].text)
        }
      }
      let name = tokens[index + 2].text
      found.append(
        Declared(
          kind: tokens[index].text, name: Module.folders[name] ?? name, imports: imports,
          line: tokens[index].line, hasPath: hasPath && Module.folders[name] == nil))
    }
    return found
  }

  private static func findings(for declared: Declared) -> [Finding] {
    func refuse(_ sentence: String) -> Finding {
      Finding(file: "Package.swift", line: declared.line, rule: .manifest, sentence: sentence)
    }
    if declared.kind == "library" || declared.kind == "compiled" {
      return Module.cLibraries.contains(declared.name)
        ? [] : [refuse("\(declared.name) is not one of the C libraries in Modules.swift")]
    }
    // A tool may import any module.
    if declared.hasPath { return [] }
    guard let row = Module.named(declared.name) else {
      return [refuse("\(declared.name) has no row in Modules.swift")]
    }
    return declared.imports.filter { !row.imports.contains($0) }.map {
      refuse("\(declared.name) depends on \($0), which Modules.swift does not allow")
    }
  }

  private static func halfFindings(_ declared: [Declared]) -> [Finding] {
    let archery = Set(declared.lazy.filter { $0.kind == "archery" }.map(\.name))
    return declared.filter { $0.kind == "rpc" }.flatMap { target in
      target.imports.filter {
        archery.contains($0) && Module.halfExceptions[target.name]?.contains($0) != true
      }.map {
        Finding(
          file: "Package.swift", line: target.line, rule: .half,
          sentence: "\(target.name) of Sources/RPC depends on \($0) of Sources/Archery")
      }
    }
  }

  /// Folders of Sources without a target, and imports without a declared dependency.
  private static func undeclared(in tree: Tree, _ declared: [Declared]) -> [Finding] {
    let byName = Dictionary(declared.map { ($0.name, $0) }, uniquingKeysWith: { a, _ in a })
    var findings: [Finding] = []
    for path in tree.paths {
      let parts = path.split(separator: "/")
      guard parts.count == 3, parts[0] == "Sources", !parts[2].contains("."),
        byName[String(parts[2])] == nil
      else { continue }
      findings.append(
        Finding(
          file: path, line: 1, rule: .manifest,
          sentence: "Package.swift declares no target named \(parts[2])"))
    }
    for file in tree.files(in: "Sources") {
      guard let folder = file.module, let target = byName[folder] else { continue }
      for imported in DependencyRules.imports(of: file)
      where byName[imported.module] != nil && !target.imports.contains(imported.module) {
        findings.append(
          Finding(
            file: file.path, line: imported.line, rule: .manifest,
            sentence: "Package.swift declares no dependency of \(folder) on \(imported.module)"))
      }
    }
    return findings
  }
}
