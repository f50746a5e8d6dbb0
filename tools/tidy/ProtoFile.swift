/// The methods of a `.proto` file.
struct ProtoFile {
  struct Method {
    var service: String
    var name: String
    /// The option `method_id`; nil if it is missing.
    var id: Int?
    var line: Int
  }

  let path: String
  private(set) var methods: [Method] = []

  init(path: String, text: String) {
    self.path = path
    // proto3 has the lexical structure of Swift.
    let tokens = Lexer(text).tokens
    var service = ""
    for index in tokens.indices.dropLast() {
      if tokens[index].is("service"), tokens[index + 1].kind == .word,
        index + 2 < tokens.count, tokens[index + 2].is("{")
      {
        service = tokens[index + 1].text
      } else if tokens[index].is("rpc"), tokens[index + 1].kind == .word {
        methods.append(
          Method(
            service: service, name: tokens[index + 1].text, id: Self.id(after: index, in: tokens),
            line: tokens[index].line))
      }
    }
  }

  private static func id(after rpc: Int, in tokens: [Token]) -> Int? {
    for index in rpc + 1..<tokens.count {
      if tokens[index].is("rpc") || tokens[index].is("message") { return nil }
      if tokens[index].is("method_id"), index + 3 < tokens.count, tokens[index + 2].is("=") {
        return Int(tokens[index + 3].text)
      }
    }
    return nil
  }
}
