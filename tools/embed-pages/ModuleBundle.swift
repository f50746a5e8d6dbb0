/// One script of a module and of all modules that it imports, so that a phone asks for one file.
///
/// Each module is a block, after those of the modules that it imports, and one constant for each
/// module has what it exports:
///
///     let $module0;
///     { const places = 4; $module0 = { places }; }
///     { const { places } = $module0; … }
///
/// That means the same as long as no exported name is assigned to and no two modules import each
/// other. What may be exported is therefore what `const`, `function` and `class` declare, and other
/// forms are errors of the build. Statements of modules begin at the first column of a line.
struct ModuleBundle {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What a name of a module is in the scope of another one.
  private struct Exported {
    let name: String
    let value: String
  }

  private let sources: [String: String]
  private var blocks: [String] = []
  /// The numbers of the modules that have a block.
  private var numbers: [String: Int] = [:]
  /// The modules that are being read, each imported by the one before it.
  private var path: [String] = []

  /// - Parameters:
  ///   - root: the path of the module that a page names.
  ///   - sources: the texts of modules by their paths.
  static func text(of root: String, in sources: [String: String]) throws -> String {
    var bundle = ModuleBundle(sources: sources)
    _ = try bundle.number(of: root)
    let names = bundle.numbers.values.sorted().map { "$module\($0)" }
    return "let \(names.joined(separator: ", "));\n" + bundle.blocks.joined()
  }

  private init(sources: [String: String]) {
    self.sources = sources
  }

  /// The number of a module, whose block is written if it has none yet.
  private mutating func number(of name: String) throws -> Int {
    if let known = numbers[name] { return known }
    guard let source = sources[name] else {
      throw Failure(description: "\(path.last ?? "a page") imports \(name), which does not exist")
    }
    guard !path.contains(name) else {
      let names = (path + [name]).joined(separator: ", ")
      throw Failure(description: "modules import each other: \(names)")
    }
    path.append(name)
    let (head, body, exports) = try parts(of: source, name)
    path.removeLast()
    let number = numbers.count
    numbers[name] = number
    let object = exports.map { $0.name == $0.value ? $0.name : "\($0.name): \($0.value)" }
    blocks.append(
      "{\n\(head)\(ModuleText.stripped(body))"
        + "$module\(number) = { \(object.joined(separator: ", ")) };\n}\n")
    return number
  }

  /// What a module imports as declarations, its text without that, and its exports.
  private mutating func parts(
    of source: String, _ name: String
  ) throws -> (head: String, body: String, exports: [Exported]) {
    var head = ""
    var body = ""
    var exports: [Exported] = []
    var statement = ""
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let begins = ["import ", "export {", "export *"].contains { line.hasPrefix($0) }
      if begins || !statement.isEmpty {
        statement += statement.isEmpty ? line : " " + line
        guard line.hasSuffix(";") else { continue }
        let (declared, exported) = try linked(statement, name)
        head += declared
        exports += exported
        statement = ""
      } else if line.hasPrefix("export ") {
        let declaration = line.dropFirst("export ".count)
        let declared = try Self.declaredName(declaration, name)
        exports.append(Exported(name: declared, value: declared))
        body += declaration + "\n"
      } else {
        body += line + "\n"
      }
    }
    guard statement.isEmpty else {
      throw Failure(description: "\(name) has a statement without an end: \(statement)")
    }
    return (head, body, exports)
  }

  /// What an `import`, or an `export` from another module, declares and exports.
  private mutating func linked(
    _ statement: String, _ name: String
  ) throws -> (head: String, exports: [Exported]) {
    if statement == "export {};" { return ("", []) }
    let quoted = statement.split(separator: "\"", omittingEmptySubsequences: false)
    guard quoted.count == 3, quoted[2] == ";" else { throw Self.unknown(statement, name) }
    let number = try number(of: Self.resolved(String(quoted[1]), name))
    let module = "$module\(number)"
    let words = quoted[0].split { " ,".contains($0) }.map(String.init)
    switch (words.first, words.dropFirst().first, words.last) {
    case ("import", nil, _): return ("", [])
    case ("import", "*", "from") where words.count == 5 && words[2] == "as":
      return ("const \(words[3]) = \(module);\n", [])
    case ("export", "*", "from") where words.count == 5 && words[2] == "as":
      return ("", [Exported(name: words[3], value: module)])
    case ("import", "{", "from"):
      let names = try Self.names(words, statement, name)
      let list = names.map { $0.0 == $0.1 ? $0.0 : "\($0.0): \($0.1)" }
      return ("const { \(list.joined(separator: ", ")) } = \(module);\n", [])
    case ("export", "{", "from"):
      return (
        "",
        try Self.names(words, statement, name).map {
          Exported(name: $0.1, value: "\(module).\($0.0)")
        }
      )
    default: throw Self.unknown(statement, name)
    }
  }

  /// The names in braces: each with the one that it has here.
  private static func names(
    _ words: [String], _ statement: String, _ name: String
  ) throws -> [(String, String)] {
    guard words.count > 3, words[words.count - 2] == "}" else { throw unknown(statement, name) }
    var rest = words.dropFirst(2).dropLast(2)
    var found: [(String, String)] = []
    while let first = rest.popFirst() {
      guard rest.first == "as" else {
        found.append((first, first))
        continue
      }
      rest = rest.dropFirst()
      guard let second = rest.popFirst() else { throw unknown(statement, name) }
      found.append((first, second))
    }
    return found
  }

  /// The name that a declaration declares, whose value never changes.
  private static func declaredName(_ declaration: Substring, _ name: String) throws -> String {
    let kinds = ["const ", "function ", "async function ", "function* ", "class "]
    guard let kind = kinds.first(where: { declaration.hasPrefix($0) }) else {
      throw unknown("export \(declaration)", name)
    }
    let declared = declaration.dropFirst(kind.count)
      .prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    guard !declared.isEmpty else { throw unknown("export \(declaration)", name) }
    return String(declared)
  }

  /// The path of a module that another one names.
  private static func resolved(_ relative: String, _ name: String) throws -> String {
    guard relative.hasPrefix("./") || relative.hasPrefix("../") else {
      throw Failure(description: "\(name) imports \(relative), which is no relative path")
    }
    var parts = name.split(separator: "/").dropLast()
    for part in relative.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  private static func unknown(_ statement: String, _ name: String) -> Failure {
    Failure(description: "\(name) has a statement that cannot be bundled: \(statement)")
  }
}
