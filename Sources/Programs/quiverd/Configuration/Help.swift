import QuiverCommandLine

/// The content of `--help`, the manual page and the completions.
enum Help {
  static let program: ProgramHelp = {
    var help = ProgramHelp(
      "quiverd", manualSection: 8, "serve archery data over RPC",
      usages: [
        "[flags]", "init --data DIR [--database URL]", "admin-token --data DIR [--database URL]",
        "migrate [to-postgresql|to-sqlite] --data DIR --database URL",
        "restore FILE --data DIR [--sha256 HEX]", "epoch new --data DIR [--database URL]",
        "config print|check [flags]",
      ])
    help.paragraphs = [
      "Serves Quiver from one data directory, which quiverd init creates, or from a database of"
        + " PostgreSQL, which several servers may share.",
      "SIGTERM and SIGINT drain; a second one ends at once. SIGHUP reads the configuration and the"
        + " certificate again, and logs which settings take effect.",
    ]
    help.commands = commands
    help.sections = [
      .init("Flags", Flag.general.map(\.described) + FlagHelp.ofEveryProgram),
      .init("The log, on stderr, and metrics", Flag.logging.map(\.described)),
      .init("TLS, for listeners with tls://", TLSOptions.flags.map(\.described)),
      .init("Web mode: pages for phones", WebOptions.flags.map(\.described)),
      .init(
        "Limits of the transport: bytes, milliseconds or a count, as the name says",
        LimitFlag.all.map(\.flag.described)),
      .init("Limits of the store", StoreBounds.flags.map(\.described)),
      .init("Scheduled backups", Flag.backups.map(\.described)),
    ]
    help.exitCodes = exitCodes
    help.environment = [
      .init(
        "QUIVERD_NAME",
        "the value of the flag --name, in capitals and with _ for -; several are separated by"
          + " spaces"),
      .init("QUIVERD_CONFIG", "the configuration file, as --config names it"),
      .init(
        "NOTIFY_SOCKET, WATCHDOG_USEC, LISTEN_FDS",
        "set by systemd: readiness, signs of life and passed listeners"),
      .init(
        "PGPASSFILE, PGSSLROOTCERT and others of libpq",
        "with --database: the file with its password, and what its address leaves out"),
    ]
    help.files = [
      .init("/etc/quiver/quiverd.conf", "the configuration of the Debian package"),
      .init("/var/lib/quiver", "the data directory of the Debian package"),
    ]
    help.related = ["quiver(1)", "quiver-gateway(8)"]
    return help
  }()

  private static let commands: [ProgramHelp.Command] = [
    .init(
      "init",
      "create the data directory, the database and an administrator, whose token is written to"
        + " DIR/admin.token"),
    .init("admin-token", "make another administrator's token while the server is stopped"),
    .init(
      "migrate",
      "copy the store of a stopped server from its data directory to an empty database of"
        + " PostgreSQL, and compare all rows; with to-sqlite the other way round, to a directory"
        + " without a store. After an interruption the same command continues"),
    .init(
      "restore", operands: "FILE", "put a backup into a directory that holds no database"),
    .init(
      "epoch new",
      "begin a new epoch of the store of stopped servers, after its database was made from a dump"
        + " or its files were copied: positions, ids and revisions of before match nothing"),
    .init("config print", "print each setting, its value and where it was written"),
    .init("config check", "validate the settings"),
  ]

  private static let exitCodes: [ProgramHelp.Entry] = [
    .init("0", "drained and stopped"),
    .init("1", "ended at once by a second signal"),
    .init("64", "the arguments are wrong"),
    .init("70", "a method has no handler: the program is built wrong"),
    .init("73", "the data directory or its database cannot be used; the message says why"),
    .init(
      "74",
      "the device or output failed, or the store's database was set back"),
    .init("75", "another server has the data directory or the address"),
  ]
}
