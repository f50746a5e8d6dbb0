import QuiverRPC
import QuiverWire

/// The arguments of a command: operands in order, flags by name.
struct Arguments: Sendable {
  private(set) var operands: [String] = []
  private var flags: [String: [String]] = [:]
  private let command: String
  /// The user of `--user`, for whom all calls are made; nil: they are the caller's own.
  var user: Int64?

  /// Parses the arguments after the command's name. `--flag=value` and `--flag value` mean the
  /// same, and everything after `--` is an operand.
  init(_ words: [String], for command: Command) throws(Failure) {
    self.command = command.name
    let known = command.flags + Flag.global
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      // A lone "-", a negative number and JSON are operands.
      guard word.hasPrefix("-"), word.count > 1, word.dropFirst().first?.isNumber != true else {
        operands.append(word)
        continue
      }
      try read(word, &rest, among: known)
    }
    if let output = known.first(where: { $0.name == Flag.output.name }) { try checkOutput(output) }
  }

  /// Refuses a form of output that the command does not have.
  private func checkOutput(_ flag: Flag) throws(Failure) {
    guard let form = value(of: flag) else { return }
    let forms = flag.help == Flag.tableOutput.help ? ["table", "json", "csv"] : ["text", "json"]
    guard forms.contains(form) else {
      throw usage(
        "--output expects \(forms.joined(separator: " or ")), not \(form)"
          + Spelling.question(form, among: forms))
    }
    guard flags[Flag.crlf.name] == nil || form == "csv" else {
      throw usage("\(Flag.crlf.name) needs \(flag.name) csv")
    }
    guard flags[Flag.json.name] == nil || form == "json" else {
      throw usage("--json and --output \(form) exclude each other")
    }
  }

  private mutating func read(
    _ word: String, _ rest: inout ArraySlice<String>, among known: [Flag]
  ) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = Self.short[String(parts[0])] ?? String(parts[0])
    let written = parts.count > 1 ? String(parts[1]) : nil
    guard let flag = known.first(where: { $0.name == name }) else {
      throw usage(
        "there is no flag \(name); -- stands before a name that begins with a hyphen"
          + Spelling.question(name, among: known.map(\.name)))
    }
    let value: String
    switch flag.value {
    case .none:
      guard written == nil else { throw usage("\(name) takes no value") }
      value = ""
    case .word, .words:
      guard let next = written ?? rest.popFirst() else {
        throw usage("\(name) expects a value: \(flag.usage)")
      }
      value = next
    case .optionalNumber:
      if let written {
        value = written
      } else if let next = rest.first, Double(next) != nil {
        value = rest.removeFirst()
      } else {
        value = ""
      }
    }
    if flags[name] != nil, !flag.mayRepeat { throw usage("\(name) is given twice") }
    flags[name, default: []].append(value)
  }

  /// Short forms of flags.
  private static let short = [
    "-v": Flag.verbose.name, "-q": Flag.quiet.name, "-o": Flag.output.name,
  ]

  /// Whether the flag was given; `--json` also as `--output json`.
  func has(_ flag: Flag) -> Bool {
    flags[flag.name] != nil
      || flag.name == Flag.json.name && flags[Flag.output.name]?.first == "json"
  }

  /// The flag's value; nil if it was not given.
  func value(of flag: Flag) -> String? { flags[flag.name]?.first }

  /// The values of a flag that may be given more than once.
  func values(of flag: Flag) -> [String] { flags[flag.name] ?? [] }

  /// The number of a flag; nil if it was not given.
  func number(of flag: Flag, _ range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let text = value(of: flag) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let limit = range.upperBound == .max ? "" : " to \(range.upperBound)"
      throw usage(
        "\(flag.name) expects a number from \(range.lowerBound)\(limit), not \(text)")
    }
    return number
  }

  /// The operands, if their number is valid for the command.
  func operands(_ count: ClosedRange<Int>, _ what: String) throws(Failure) -> [String] {
    guard count.contains(operands.count) else {
      throw usage(
        operands.count < count.lowerBound
          ? "expected \(what)" : "expected \(what), but found \(operands[count.upperBound]) too")
    }
    return operands
  }

  /// The error with the flag as it was typed in place of the path of the field that it sets:
  /// `--length-in -1` for `riser.length_in`.
  func named(_ error: RPCError) -> RPCError {
    guard let place = ErrorPlace(error.message), place.index == nil, let field = place.fields.last
    else { return error }
    let name = "--" + field.replacing("_", with: "-")
    guard let texts = flags[name], texts.count == 1 else { return error }
    var error = error
    error.message = place.message(with: "\(name) \(texts[0])")
    return error
  }

  /// A usage error that names the command's help.
  func usage(_ sentence: String) -> Failure { .usage(sentence, help: command) }
}

extension Flag {
  var mayRepeat: Bool {
    if case .words = value { true } else { false }
  }
}
