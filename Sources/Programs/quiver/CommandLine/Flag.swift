import QuiverCommandLine

/// One flag of a command, with its help.
struct Flag: Sendable {
  let name: String
  let value: Value
  let help: String

  /// The value of a flag.
  enum Value: Sendable {
    case none
    /// One word with this name in the help.
    case word(String)
    /// The same for a flag that may be repeated.
    case words(String)
    /// An optional number.
    case optionalNumber(String)
  }

  init(_ name: String, _ value: Value = .none, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// The flag as the help describes it.
  var described: FlagHelp {
    switch value {
    case .none: FlagHelp(name, nil, help)
    case .word(let word), .words(let word): FlagHelp(name, word, help)
    case .optionalNumber(let word): FlagHelp(name, word, help, isValueOptional: true)
    }
  }

  /// The usage in the help, for example `--timeout TIME`.
  var usage: String { described.usage }

  static let server = Flag(
    "--server", .word("ADDRESS"),
    "HOST:PORT, [IPv6]:PORT, tls://HOST:PORT or unix:PATH; else $QUIVER_SERVER, else the"
      + " context's, else 127.0.0.1:7450")
  static let tls = Flag("--tls", "connect with TLS, as tls:// before the address does")
  static let authorities = Flag(
    "--ca", .word("FILE"),
    "trust the authorities in this PEM file and no others; else $QUIVER_CA, else the system's")
  static let certificate = Flag(
    "--certificate", .word("FILE"), "the client certificate to show, PEM")
  static let key = Flag("--key", .word("FILE"), "its private key, PEM without a password")
  static let serverName = Flag(
    "--server-name", .word("NAME"),
    "the name that the server's certificate must be for; the address's host by default")
  static let tokenFile = Flag(
    "--token-file", .word("FILE"),
    "the caller's token; else $QUIVER_TOKEN_FILE, else the context's, else"
      + " ~/.config/quiver/token, else ./data/admin.token")
  static let context = Flag(
    "--context", .word("NAME"),
    "use the server and the token that quiver login stored under this name; else $QUIVER_CONTEXT,"
      + " else the last login")
  static let user = Flag(
    "--user", .word("USER"),
    "read what this user shares with you: a name of quiver share list, or an id; a service acts for"
      + " the user of the id")
  static let allowPlaintext = Flag(
    "--allow-plaintext", "send the token unencrypted beyond this machine")
  static let timeout = Flag(
    "--timeout", .word("TIME"), "how long the call may take: 500ms, 5s, 2m; 30s by default")
  /// For commands that take long in a large store.
  static let longTimeout = Flag(
    "--timeout", .word("TIME"), "how long it may take: 30s, 5m, 2h; 1h by default")
  static let json = Flag("--json", "print JSON, as --output json does")
  static let output = Flag(
    "--output", .word("text|json"), "how results are printed; text by default; also -o")
  /// For commands that print a table.
  static let tableOutput = Flag(
    "--output", .word("table|json|csv"), "how the table is printed; table by default; also -o")
  static let crlf = Flag("--crlf", "end the lines of CSV with CR LF, as spreadsheets of Windows do")
  static let quiet = Flag("--quiet", "print no confirmations, notices and progress; also -q")
  static let verbose = Flag(
    "--verbose",
    "also print each call to standard error, with its metadata, its time and its attempts; also -v")

  private init(_ described: FlagHelp) {
    self.init(described.name, described.valueName.map { .word($0) } ?? .none, described.help)
  }

  private init(_ name: String, _ help: String) { self.init(name, .none, help) }

  /// The flags of every command.
  static let global =
    [
      server, tokenFile, context, user, allowPlaintext, tls, authorities, certificate, key,
      serverName, quiet, verbose,
    ] + FlagHelp.ofEveryProgram.map(Self.init)
}
