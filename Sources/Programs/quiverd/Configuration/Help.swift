/// What `--help` prints.
enum Help {
  static var text: String {
    """
    usage: quiverd [flags]
           quiverd init --data DIR
           quiverd admin-token --data DIR
           quiverd restore FILE --data DIR [--sha256 HEX]
           quiverd config print|check [flags]

    Serves Quiver from one data directory. init creates it, and writes an administrator's
    token to DIR/admin.token; admin-token makes another while the server is stopped.
    restore puts a backup into a directory that holds no database.
    config print shows each setting, its value and its source; config check validates them.
    SIGTERM and SIGINT drain; a second one ends at once. SIGHUP reads the configuration and
    the certificate again, and logs which settings take effect.

    Flags
    \(table(Flag.general))
      --help
          print this
      --version
          print the version

    The log, on stderr, and metrics
    \(table(Flag.logging))

    TLS, for listeners with tls://
    \(table(TLSOptions.flags))

    Limits of the transport: bytes, milliseconds or a count, as the name says
    \(table(LimitFlag.all.map(\.flag)))

    Limits of the store
    \(table(StoreBounds.flags))

    Exit codes
      0   drained and stopped
      1   ended at once by a second signal
      64  the arguments are wrong
      70  a method has no handler: the program is built wrong
      73  the data directory or its database cannot be used; the message says why
      74  a write or fsync of the store failed; the next start recovers
      75  another server has the data directory or the address

    """
  }

  private static let width = 80

  private static func table(_ flags: [Flag]) -> String {
    flags.map { "  \($0.usage)\n" + wrapped($0.help, indent: "      ") }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String, indent: String) -> String {
    var lines = [indent]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count > width { lines.append(indent) }
      let isFirst = lines[lines.count - 1] == indent
      lines[lines.count - 1] += isFirst ? word : " " + word
    }
    return lines.joined(separator: "\n")
  }
}
