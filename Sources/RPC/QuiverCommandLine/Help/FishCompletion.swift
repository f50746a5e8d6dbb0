/// Completions for fish, with the meaning of each word.
struct FishCompletion {
  private let table: CompletionTable

  init(_ help: ProgramHelp) { table = CompletionTable(help) }

  var text: String {
    var lines = [
      "# Completions of \(table.program) for fish. Made by \(table.program) --help-as fish.", "",
      "# The words before the cursor that are neither flags nor their values.",
      "function __\(table.function)_command",
      "    set -l isValue 0",
      "    for word in (commandline -opc)[2..-1]",
      "        if test $isValue = 1",
      "            set isValue 0",
      "            continue",
      "        end",
      "        switch $word",
      "            case \(table.values.map(\.flag.name).joined(separator: " "))",
      "                set isValue 1",
      "            case '-*'",
      "            case '*'",
      "                echo -n \"$word \"",
      "        end",
      "    end",
      "end", "",
      "function __\(table.function)_is",
      "    test (__\(table.function)_command | string join '') = \"$argv[1]\"",
      "end", "",
      "function __\(table.function)_begins",
      "    string match -q -- \"$argv[1]*\" (__\(table.function)_command | string join '')",
      "end", "",
    ]
    for place in table.places where !place.words.isEmpty {
      let path = place.path.isEmpty ? "" : place.path + " "
      for word in place.words {
        lines.append(
          "complete -c \(table.program) -n '__\(table.function)_is \"\(path)\"' -f"
            + " -a \(word.term) -d \(Self.quoted(word.meaning))")
      }
    }
    for place in table.places {
      for flag in place.flags {
        lines.append(line(flag, "-n '__\(table.function)_begins \"\(place.path) \"' "))
      }
    }
    lines += table.flags.map { line($0, "") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ flag: FlagHelp, _ condition: String) -> String {
    let name =
      flag.name.hasPrefix("--") ? "-l \(flag.name.dropFirst(2))" : "-s \(flag.name.dropFirst())"
    let value =
      switch flag.value {
      case .none: "-f"
      case .file: "-r -F"
      case .directory: "-x -a '(__fish_complete_directories)'"
      case .choice(let words): "-x -a '\(words.joined(separator: " "))'"
      case .other: "-x"
      }
    return "complete -c \(table.program) \(condition)\(name) \(value)"
      + " -d \(Self.quoted(flag.help))"
  }

  /// A text in single quotes for fish.
  private static func quoted(_ text: String) -> String {
    var result = "'"
    for character in text {
      if character == "'" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result + "'"
  }
}
