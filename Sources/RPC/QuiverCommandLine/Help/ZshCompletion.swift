/// Completions for zsh, with the meaning of each word.
struct ZshCompletion {
  private let table: CompletionTable

  init(_ help: ProgramHelp) { table = CompletionTable(help) }

  var text: String {
    let valued = table.values.map(\.flag.name).joined(separator: "|")
    return """
      #compdef \(table.program)
      # Completions of \(table.program) for zsh. Made by \(table.program) --help-as zsh.

      _\(table.function)() {
        local current=${words[CURRENT]} previous=${words[CURRENT-1]} command= i
        local -a subcommands flags
        if [[ $current == --*=* ]]; then
          previous=${current%%=*}
          compset -P 1 '*='
        fi
        case $previous in
      \(values)
        esac
        for ((i = 2; i < CURRENT; i++)); do
          case ${words[i]} in
            (\(valued)) ((i += 1)) ;;
            (-*) ;;
            (*) command+=${command:+ }${words[i]} ;;
          esac
        done
        case $command in
      \(places)
        esac
        if [[ $current == -* ]]; then
          flags+=(
      \(described(table.flags, "      "))
          )
          _describe 'flag' flags
        elif (( $#subcommands )); then
          _describe 'command' subcommands
        else
          _files
        fi
      }

      _\(table.function) "$@"

      """
  }

  private var values: String {
    table.values.map { flag, value in
      let action =
        switch value {
        case .file: "_files; return"
        case .directory: "_files -/; return"
        case .choice(let words): "compadd -- \(words.joined(separator: " ")); return"
        case .other, .none: "return 1"
        }
      return "    (\(flag.name)) \(action) ;;"
    }.joined(separator: "\n")
  }

  private var places: String {
    table.deepestFirst.flatMap { place in
      place.patterns(or: "|").map { pattern in
        var lines = ["    (\(pattern.text))"]
        if !pattern.words.isEmpty {
          let words = pattern.words.map { entry(entry: $0.term, $0.meaning, "        ") }
          lines += ["      subcommands=("] + words + ["      )"]
        }
        if !place.flags.isEmpty {
          lines += ["      flags=(", described(place.flags, "        "), "      )"]
        }
        return (lines + ["      ;;"]).joined(separator: "\n")
      }
    }.joined(separator: "\n")
  }

  private func described(_ flags: [FlagHelp], _ indent: String) -> String {
    flags.map { entry(entry: $0.name, $0.help, indent) }.joined(separator: "\n")
  }

  private func entry(entry: String, _ meaning: String, _ indent: String) -> String {
    indent + CompletionTable.quoted("\(entry):\(meaning)")
  }
}
