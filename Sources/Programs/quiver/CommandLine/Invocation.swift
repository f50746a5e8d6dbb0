import QuiverCommandLine

/// The command that the arguments name.
enum Invocation {
  case help(HelpPage)
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
    if let first = Self.operandPlaces(in: words).first, words[first] == "help" {
      self = .help(Self.page(for: Self.operandPlaces(in: words).dropFirst().map { words[$0] }))
      return
    }
    let asksForHelp = words[..<end].contains { $0 == "--help" || $0 == "-h" }
    if asksForHelp, let page = Self.groupPage(in: words) {
      self = .help(page)
      return
    }
    let (name, rest) = try Self.command(in: words)
    if asksForHelp {
      self = .help(name.map { Self.page(of: $0, rest) } ?? .overview)
      return
    }
    // `setup show` has its own --version.
    let hasOwn = name?.flags.contains { $0.name == "--version" } ?? false
    if words[..<end].contains("--version"), !hasOwn {
      self = .version
      return
    }
    guard let name else {
      throw Failure.usage("a command is missing; quiver help WORD searches for one")
    }
    self = .run(name, try Arguments(rest, for: name))
  }

  /// Aliases of the second word of a command.
  private static let aliases = [
    "create": "add", "delete": "rm", "finalize": "finalise", "get": "show", "ls": "list",
    "new": "add", "remove": "rm", "update": "edit",
  ]

  /// The number of commands that an error names.
  private static let shownNames = 12

  /// The page that the words behind `help` ask for.
  private static func page(for words: [String]) -> HelpPage {
    guard let first = words.first else { return .overview }
    if words == ["flags"] { return .flags }
    // A topic has the name of a command at times: `quiver event cut --help` is the command.
    if words.count == 2, GroupHelp.topics(of: first).contains(where: { $0.word == words[1] }) {
      return .topic(group: first, topic: words[1])
    }
    let name = words.joined(separator: " ")
    if let command = Command.all.first(where: { $0.name == name }) { return .command(command) }
    if let (command, rest) = try? command(in: words), let command {
      if rest.isEmpty { return .command(command) }
      if case .type(let command, let type) = page(of: command, rest) { return .type(command, type) }
    }
    if words.count == 1, !GroupHelp.commands(of: first).isEmpty { return .group(first) }
    return .search(words)
  }

  /// The page of a command, or that of the type of equipment which follows it.
  private static func page(of command: Command, _ rest: [String]) -> HelpPage {
    guard command.takesFieldsOfTypes, let place = operandPlaces(in: rest).first,
      let type = ItemType.named(rest[place])
    else { return .command(command) }
    return .type(command, type)
  }

  /// The page of the group that the words are, with nothing but flags beside it; nil: they are
  /// none.
  private static func groupPage(in words: [String]) -> HelpPage? {
    let places = operandPlaces(in: words)
    guard let first = places.first, places.count == 1 else { return nil }
    let group = GroupHelp.commands(of: words[first])
    return group.count > 1 || group.first.map({ $0.name != words[first] }) == true
      ? .group(words[first]) : nil
  }

  /// The command that the words name, and the other words.
  private static func command(in words: [String]) throws(Failure) -> (Command?, [String]) {
    let places = operandPlaces(in: words)
    guard let first = places.first else { return (nil, words) }
    var rest = words
    // The longest name: `event match score` before `event match`.
    for count in (1...3).reversed() where places.count >= count {
      let name = places.prefix(count).map { words[$0] }.joined(separator: " ")
      guard let command = Command.all.first(where: { $0.name == name }) else { continue }
      for place in places.prefix(count).reversed() { rest.remove(at: place) }
      return (command, rest)
    }
    let group = Command.all.filter { $0.name.hasPrefix(words[first] + " ") }
    guard !group.isEmpty else {
      let names = Command.all.map { String($0.name.prefix { $0 != " " }) }
      throw Failure.usage(
        "there is no command \(words[first])"
          + Spelling.question(words[first], among: Array(Set(names)))
          + "; quiver help \(words[first]) searches for it")
    }
    let names = group.map { String($0.name.dropFirst(words[first].count + 1)) }
    guard let second = places.dropFirst().first else {
      let shown = names.prefix(shownNames).joined(separator: ", ")
      let rest = names.count > shownNames ? " and \(names.count - shownNames) more" : ""
      throw Failure.usage(
        "\(words[first]) expects a command: \(shown)\(rest)", help: words[first])
    }
    let word = words[second]
    let meant = names.contains(word) ? word : aliases[word] ?? word
    guard let command = group.first(where: { $0.name == "\(words[first]) \(meant)" }) else {
      var question = Spelling.question(word, among: names)
      if question.isEmpty {
        question =
          names.count > shownNames
          ? "; quiver help \(word) searches for it" : "; there are \(names.joined(separator: ", "))"
      }
      throw Failure.usage(
        "there is no command \(words[first]) \(word)\(question)", help: words[first])
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
