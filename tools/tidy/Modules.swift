/// The modules of the architecture and their dependencies, as data.
struct Module {
  var name: String
  /// The modules and C libraries of this package that it may import.
  var imports: Set<String>
  /// The modules of the toolchain and the system that it may import.
  var system: Set<String>

  init(_ name: String, _ imports: [String] = [], system: [String] = []) {
    self.name = name
    self.imports = Set(imports)
    self.system = Set(system)
  }

  static let table: [Module] = [
    Module("QuiverProtobuf", ["CProtobufC"], system: ["Glibc", "Synchronization"]),
    Module("QuiverJSON", ["QuiverProtobuf"], system: ["FoundationEssentials"]),
    Module(
      "QuiverSQLite", ["CSQLite", "CPageChecksums", "QuiverPlatform"], system: ["Synchronization"]),
    Module(
      "QuiverPostgres", ["CPostgres", "QuiverPlatform"], system: ["Dispatch", "Synchronization"]),
    Module("QuiverCrypto", ["CCrypto"]),
    Module("QuiverCalendar", system: ["FoundationEssentials", "FoundationInternationalization"]),
    Module("QuiverPapers", ["CQREncode"]),
    // The only one of these modules that imports the C library of a platform.
    Module(
      "QuiverPlatform", ["CEpoll"], system: ["Android", "Darwin", "Dispatch", "Glibc", "Musl"]),
    // QuiverPlatform for `realloc`; the module does no I/O.
    Module("QuiverWire", ["QuiverPlatform"]),
    Module("QuiverMetrics", system: ["Synchronization"]),
    Module(
      "QuiverObservability", ["QuiverMetrics", "QuiverProtobuf", "QuiverRPC"],
      system: ["Glibc", "Synchronization"]),
    Module("QuiverCommandLine", system: ["Glibc"]),
    Module(
      "QuiverCredentials", ["QuiverCommandLine"], system: ["FoundationEssentials", "Glibc"]),
    Module(
      "QuiverDaemon",
      [
        "QuiverCommandLine", "QuiverMetrics", "QuiverObservability", "QuiverPlatform", "QuiverRPC",
        "QuiverTLS",
      ], system: ["Glibc", "Dispatch", "Synchronization"]),
    Module(
      "QuiverRPC", ["QuiverMetrics", "QuiverPlatform", "QuiverWire", "QuiverProtobuf"],
      system: ["Synchronization"]),
    Module(
      "QuiverDispatch", ["QuiverPlatform", "QuiverRPC", "QuiverWire", "CEpoll"],
      system: ["Dispatch", "Synchronization"]),
    Module("QuiverZstd", ["QuiverRPC", "CZstd"], system: ["Synchronization"]),
    Module(
      "QuiverTLS", ["QuiverPlatform", "QuiverRPC", "QuiverWire", "CTLS"],
      system: ["Synchronization"]),
    Module("QuiverAPI", ["QuiverProtobuf", "QuiverRPC"]),
    // QuiverPlatform for the functions of mathematics.
    Module("QuiverRules", ["QuiverPlatform"]),
    Module(
      "QuiverStore",
      [
        "QuiverMetrics", "QuiverPlatform", "QuiverRules", "QuiverPostgres", "QuiverSQLite",
        "QuiverCrypto",
      ],
      system: ["Glibc", "Dispatch", "FoundationEssentials", "Synchronization"]),
    Module(
      "QuiverService",
      [
        "QuiverAPI", "QuiverProtobuf", "QuiverRules", "QuiverStore", "QuiverCrypto",
        "QuiverCalendar", "QuiverPapers", "QuiverMetrics", "QuiverRPC", "QuiverWire",
      ],
      system: ["Dispatch", "FoundationEssentials", "Synchronization"]),
    Module(
      "QuiverClient",
      ["QuiverProtobuf", "QuiverRPC", "QuiverDispatch", "QuiverWire"],
      system: ["Dispatch", "Synchronization"]),
    Module(
      "QuiverClientCore", ["QuiverClient", "QuiverProtobuf", "QuiverRPC", "QuiverWire"],
      system: ["Synchronization"]),
    // CCrypto for the hash of what Reflection answers.
    Module(
      "QuiverServer",
      [
        "CCrypto", "QuiverClientCore", "QuiverDispatch", "QuiverMetrics", "QuiverObservability",
        "QuiverPlatform", "QuiverProtobuf", "QuiverRPC", "QuiverTLS", "QuiverWire",
      ], system: ["Dispatch", "Synchronization"]),
    Module(
      "QuiverServerSQLite", ["CSQLite", "QuiverRPC", "QuiverServer", "QuiverWire"],
      system: ["Dispatch"]),
    Module(
      "QuiverGateway",
      [
        "QuiverClient", "QuiverDispatch", "QuiverJSON", "QuiverMetrics", "QuiverPlatform",
        "QuiverProtobuf", "QuiverRPC", "QuiverWire", "CNGHTTP2", "CZlib",
      ],
      system: ["Dispatch", "Glibc", "Synchronization"]),
    Module(
      "Quiver", ["QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire", "QuiverProtobuf"]),
    Module(
      "QuiverSession",
      [
        "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire", "QuiverProtobuf", "QuiverRules",
        "QuiverSQLite", "QuiverCrypto", "QuiverCalendar",
      ],
      system: ["Dispatch", "Observation", "FoundationEssentials", "Synchronization"]),
    Module(
      "quiverd",
      [
        "QuiverCommandLine", "QuiverDaemon", "QuiverPapers", "QuiverService", "QuiverStore",
        "QuiverDispatch", "QuiverTLS", "QuiverZstd", "QuiverMetrics", "QuiverObservability",
        "QuiverPlatform",
        "QuiverRPC", "QuiverWire",
      ],
      system: ["Glibc", "Dispatch", "FoundationEssentials", "Synchronization"]),
    Module(
      "quiver-gateway",
      [
        "QuiverGateway", "QuiverClient", "QuiverCommandLine", "QuiverDaemon", "QuiverDispatch",
        "QuiverMetrics", "QuiverObservability", "QuiverPlatform", "QuiverTLS", "QuiverRPC",
        "QuiverWire",
      ],
      system: ["Dispatch", "Glibc", "FoundationEssentials", "Synchronization"]),
    Module(
      "quiver",
      [
        "QuiverPapers", "QuiverClient", "QuiverCommandLine", "QuiverCredentials", "QuiverCrypto",
        "QuiverSession",
        "QuiverTLS", "QuiverJSON", "QuiverPlatform", "QuiverProtobuf",
        "QuiverAPI",
        "QuiverRPC", "QuiverRules", "QuiverWire",
      ],
      system: ["Glibc", "Dispatch", "FoundationEssentials", "Synchronization"]),
  ]

  /// Dependencies of a module of Sources/RPC on one of Sources/Archery that still exist. The table
  /// must become empty.
  static let halfExceptions: [String: Set<String>] = [:]

  /// Targets whose name is not the name of their folder, by name.
  static let folders = ["quiver-command": "quiver"]

  /// Module maps with inline shims, and modules in C; they contain no Swift and import nothing.
  static let cLibraries: Set<String> = [
    "CProtobufC", "CSQLite", "CCrypto", "CZstd", "CTLS", "CEpoll", "CNGHTTP2",
    "CZlib", "CQREncode", "CPageChecksums", "CPostgres",
  ]

  /// Part of the language; every module may import them.
  static let languageModules: Set<String> = ["Swift", "_Concurrency"]

  /// Modules that read bytes of a peer.
  static let peerModules: Set<String> = ["QuiverWire", "QuiverRPC"]
  /// Of this module only the files with "scan" in their name read bytes of a peer.
  static let scanModule = "QuiverProtobuf"

  /// Types of C libraries, by name and by prefix.
  static let cTypes: Set<String> = ["OpaquePointer", "sqlite3", "PGconn", "PGresult", "PGcancel"]
  static let cTypePrefixes = ["ProtobufC", "sqlite3_", "EVP_", "SSL_", "ZSTD_", "epoll_"]

  /// The service numbers that method ids are made of.
  static let serviceNumbers: [String: Int] = [
    "Health": 1, "Reflection": 2, "Diagnostics": 3, "Equipment": 16, "Comparison": 17,
    "Tournament": 18, "Logbook": 19, "Account": 20, "Admin": 21, "Rounds": 22, "Events": 23,
    "Elimination": 24,
  ]

  static func named(_ name: String) -> Module? { table.first { $0.name == name } }
}
