/// The words that may follow each other on a command line, for the completions of all shells.
struct CompletionTable {
  /// A place on the command line: behind the words of `path`.
  struct Place {
    let path: String
    /// The words of commands that may follow.
    var words: [ProgramHelp.Entry]
    /// The flags of the command; those of the program are not among them.
    var flags: [FlagHelp]
    /// Whether arguments may follow, beside words of longer commands.
    var isCommand = false

    /// The patterns of a shell for the words before, with the words that may follow each.
    func patterns(or: String) -> [(text: String, words: [ProgramHelp.Entry])] {
      guard isCommand else { return [("'\(path)'", words)] }
      return words.isEmpty
        ? [("'\(path)'\(or)'\(path) '*", [])] : [("'\(path)'", words), ("'\(path) '*", [])]
    }
  }

  let program: String
  /// The name of the program as a part of the names of functions.
  let function: String
  private(set) var places: [Place]
  /// The flags of the program.
  let flags: [FlagHelp]

  init(_ help: ProgramHelp) {
    program = help.name
    function = help.name.map { $0 == "-" ? "_" : String($0) }.joined()
    flags = help.flags
    places = [Place(path: "", words: [], flags: [])]
    for command in help.commands {
      let words = command.name.split(separator: " ").map(String.init)
      for (depth, word) in words.enumerated() {
        let path = words[..<depth].joined(separator: " ")
        let isLast = depth == words.count - 1
        let place = index(of: path)
        if !places[place].words.contains(where: { $0.term == word }) {
          places[place].words.append(.init(word, isLast ? command.summary : "\(word) …"))
        }
      }
      let place = index(of: command.name)
      places[place].flags += command.flags
      places[place].isCommand = true
    }
  }

  /// The place behind the words, which is made where it is missing.
  private mutating func index(of path: String) -> Int {
    if let index = places.firstIndex(where: { $0.path == path }) { return index }
    places.append(Place(path: path, words: [], flags: []))
    return places.count - 1
  }

  /// All flags, those of one name once.
  var allFlags: [FlagHelp] {
    var names: Set<String> = []
    return (places.flatMap(\.flags) + flags).filter { names.insert($0.name).inserted }
  }

  /// What follows each flag that has a value wherever it occurs; choices are those of all places.
  var values: [(flag: FlagHelp, value: FlagHelp.Value)] {
    let every = places.flatMap(\.flags) + flags
    return allFlags.compactMap { flag in
      let values = every.filter { $0.name == flag.name }.map(\.value)
      guard !values.contains(FlagHelp.Value.none) else { return nil }
      var choices: [String] = []
      for case .choice(let words) in values {
        choices += words.filter { !choices.contains($0) }
      }
      return (flag, choices.isEmpty ? flag.value : .choice(choices))
    }
  }

  /// The places with the longest paths first, so that a prefix does not hide a longer path.
  var deepestFirst: [Place] {
    let depth = { (path: String) in path.count { $0 == " " } + (path.isEmpty ? 0 : 1) }
    return places.enumerated()
      .sorted { (-depth($0.element.path), $0.offset) < (-depth($1.element.path), $1.offset) }
      .map(\.element)
  }

  /// A text in single quotes for bash and zsh.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
