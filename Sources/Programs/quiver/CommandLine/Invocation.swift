import QuiverCommandLine

/// The command that the arguments name.
enum Invocation {
  case help(Command?)
  case version
  /// Prints the help in another form.
  case text(String)
  case run(Command, Arguments)

  /// Finds the command; common flags may precede its name.
  init(_ words: [String]) throws(Failure) {
    do throws(UsageError) {
      if let text = try Help.program.answer(to: words) {
        self = .text(text)
        return
      }
    } catch {
      throw Failure.usage(error.description)
    }
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let (name, rest) = try Self.command(in: words)
    if words[..<end].contains(where: { $0 == "--help" || $0 == "-h" }) || words.first == "help" {
      self = .help(name)
      return
    }
    // `setup show` has its own --version.
    let hasOwn = name?.flags.contains { $0.name == "--version" } ?? false
    if words[..<end].contains("--version"), !hasOwn {
      self = .version
      return
    }
    guard let name else { throw Failure.usage("a command is missing") }
    self = .run(name, try Arguments(rest, for: name))
  }

  /// Aliases of the second word of a command.
  private static let aliases = [
    "create": "add", "delete": "rm", "finalize": "finalise", "get": "show", "ls": "list",
    "new": "add", "remove": "rm", "update": "edit",
  ]

  /// The command that the words name, and the other words.
  private static func command(in words: [String]) throws(Failure) -> (Command?, [String]) {
    let places = operandPlaces(in: words).filter { words[$0] != "help" }
    guard let first = places.first else { return (nil, words) }
    var rest = words
    if let command = Command.all.first(where: { $0.name == words[first] }) {
      rest.remove(at: first)
      return (command, rest)
    }
    let group = Command.all.filter { $0.name.hasPrefix(words[first] + " ") }
    guard !group.isEmpty else {
      let names = Command.all.map { String($0.name.prefix { $0 != " " }) }
      throw Failure.usage(
        "there is no command \(words[first])"
          + Spelling.question(words[first], among: Array(Set(names))))
    }
    let names = group.map { String($0.name.dropFirst(words[first].count + 1)) }
    guard let second = places.dropFirst().first else {
      if words.contains("--help") || words.contains("-h") || words.first == "help" {
        return (nil, words)
      }
      throw Failure.usage("\(words[first]) expects one of: \(names.joined(separator: ", "))")
    }
    let word = words[second]
    let meant = names.contains(word) ? word : aliases[word] ?? word
    guard let command = group.first(where: { $0.name == "\(words[first]) \(meant)" }) else {
      let question = Spelling.question(word, among: names)
      throw Failure.usage(
        "there is no command \(words[first]) \(word)"
          + (question.isEmpty ? "; there are \(names.joined(separator: ", "))" : question))
    }
    rest.remove(at: second)
    rest.remove(at: first)
    return (command, rest)
  }

  /// The indexes of words that are neither flags nor values of common flags.
  private static func operandPlaces(in words: [String]) -> [Int] {
    var places: [Int] = []
    var place = 0
    while place < words.count, words[place] != "--" {
      let word = words[place]
      if !word.hasPrefix("-") {
        places.append(place)
      } else if let flag = Flag.global.first(where: { $0.name == word }), case .word = flag.value {
        place += 1
      }
      place += 1
    }
    return places
  }
}
