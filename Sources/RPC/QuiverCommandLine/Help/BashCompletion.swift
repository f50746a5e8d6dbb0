/// Completions for bash, by a function that needs nothing but bash.
struct BashCompletion {
  private let table: CompletionTable

  init(_ help: ProgramHelp) { table = CompletionTable(help) }

  var text: String {
    let valued = table.values.map(\.flag.name).joined(separator: " | ")
    return """
      # Completions of \(table.program) for bash. Made by \(table.program) --help-as bash.
      _\(table.function)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous= command= words= flags= i
        ((COMP_CWORD > 0)) && previous=${COMP_WORDS[COMP_CWORD - 1]}
        # bash divides --flag=value at the sign.
        if [[ $current == '=' ]]; then
          current=
        elif [[ $previous == '=' ]]; then
          previous=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        COMPREPLY=()
        case $previous in
      \(values)
        esac
        for ((i = 1; i < COMP_CWORD; i++)); do
          case ${COMP_WORDS[i]} in
            \(valued))
              i=$((i + 1))
              [[ ${COMP_WORDS[i]} == '=' ]] && i=$((i + 1))
              ;;
            -* | '=') ;;
            *) command+=${command:+ }${COMP_WORDS[i]} ;;
          esac
        done
        case $command in
      \(places)
        esac
        if [[ $current == -* ]]; then
          words="$flags \(table.flags.map(\.name).joined(separator: " "))"
        elif [[ -z $words ]]; then
          _\(table.function)_files -f "$current"
          return
        fi
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
      }

      _\(table.function)_files() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
      }

      complete -F _\(table.function) \(table.program)

      """
  }

  private var values: String {
    table.values.map { flag, value in
      let action =
        switch value {
        case .file: "_\(table.function)_files -f \"$current\"; return"
        case .directory: "_\(table.function)_files -d \"$current\"; return"
        case .choice(let words):
          "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$current\")"
            + "; return"
        case .other, .none: "return"
        }
      return "    \(flag.name)) \(action) ;;"
    }.joined(separator: "\n")
  }

  private var places: String {
    table.deepestFirst.flatMap { place in
      let flags = place.flags.map(\.name).joined(separator: " ")
      return place.patterns(or: " | ").map { pattern in
        let words = pattern.words.map(\.term).joined(separator: " ")
        return "    \(pattern.text)) words='\(words)' flags='\(flags)' ;;"
      }
    }.joined(separator: "\n")
  }
}
