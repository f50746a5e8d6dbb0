/// The rooms and arrows of the architecture, as data.
struct Room {
  var name: String
  /// Rooms and C libraries of ours.
  var imports: Set<String>
  /// Modules of the toolchain and the system.
  var system: Set<String>

  init(_ name: String, _ imports: [String] = [], system: [String] = []) {
    self.name = name
    self.imports = Set(imports)
    self.system = Set(system)
  }

  static let table: [Room] = [
    Room("QuiverProtobuf", ["CProtobufC"], system: ["Glibc", "Synchronization"]),
    Room("QuiverJSON", ["QuiverProtobuf"], system: ["FoundationEssentials"]),
    Room("QuiverSQLite", ["CSQLite"], system: ["Glibc", "Synchronization"]),
    Room("QuiverCrypto", ["CCrypto"]),
    Room("QuiverCalendar", system: ["FoundationEssentials", "FoundationInternationalization"]),
    // For memory that may grow in place; no bytes move here.
    Room("QuiverWire", system: ["Glibc"]),
    Room("QuiverRPC", ["QuiverWire", "QuiverProtobuf"], system: ["Synchronization"]),
    Room(
      "QuiverDispatch", ["QuiverRPC", "QuiverWire", "CEpoll"],
      system: ["Glibc", "Dispatch", "Synchronization"]),
    Room("QuiverZstd", ["QuiverRPC", "CZstd"], system: ["Synchronization"]),
    Room("QuiverTLS", ["QuiverRPC", "CTLS"]),
    // Glibc to know its thread and the time.
    Room("QuiverLoopback", ["QuiverRPC", "QuiverWire"], system: ["Glibc", "Synchronization"]),
    Room("QuiverAPI", ["QuiverProtobuf", "QuiverRPC"]),
    Room("QuiverRules", system: ["Glibc"]),
    Room(
      "QuiverStore", ["QuiverRules", "QuiverSQLite", "QuiverCrypto"],
      system: ["Glibc", "Dispatch", "FoundationEssentials", "Synchronization"]),
    Room(
      "QuiverService",
      [
        "QuiverAPI", "QuiverProtobuf", "QuiverRules", "QuiverStore", "QuiverCrypto",
        "QuiverCalendar", "QuiverRPC", "QuiverWire",
      ],
      system: ["Dispatch", "FoundationEssentials", "Synchronization"]),
    Room(
      "QuiverClient",
      ["QuiverAPI", "QuiverProtobuf", "QuiverRPC", "QuiverDispatch", "QuiverWire"],
      system: ["Dispatch", "Synchronization"]),
    Room(
      "QuiverSession",
      [
        "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire", "QuiverProtobuf", "QuiverRules",
        "QuiverSQLite", "QuiverCrypto", "QuiverCalendar",
      ],
      system: ["Observation", "FoundationEssentials", "Synchronization"]),
    Room(
      "quiverd",
      [
        "QuiverService", "QuiverStore", "QuiverDispatch", "QuiverZstd", "QuiverRPC", "QuiverWire",
      ],
      system: ["Glibc", "Dispatch", "FoundationEssentials", "Synchronization"]),
    Room(
      "quiver",
      [
        "QuiverClient", "QuiverSession", "QuiverJSON", "QuiverProtobuf", "QuiverAPI", "QuiverRPC",
        "QuiverRules", "QuiverWire",
      ],
      system: ["Glibc", "Dispatch", "FoundationEssentials", "Synchronization"]),
  ]

  /// Module maps and inline shims: no Swift, no imports.
  static let cLibraries: Set<String> = [
    "CProtobufC", "CSQLite", "CCrypto", "CZstd", "CTLS", "CEpoll",
  ]

  /// Part of the language, for everyone.
  static let languageModules: Set<String> = ["Swift", "_Concurrency"]

  /// Rooms that read a peer's bytes; of QuiverProtobuf only the files whose name says scan.
  static let peerRooms: Set<String> = ["QuiverWire", "QuiverRPC"]
  static let scanRoom = "QuiverProtobuf"

  /// Names of C libraries' types: exact, and by how they begin.
  static let cTypes: Set<String> = ["OpaquePointer", "sqlite3"]
  static let cTypePrefixes = ["ProtobufC", "sqlite3_", "EVP_", "SSL_", "ZSTD_", "epoll_"]

  /// Of `protocol.md`, section 2.
  static let serviceNumbers: [String: Int] = [
    "Health": 1, "Reflection": 2, "Diagnostics": 3, "Equipment": 16, "Comparison": 17,
    "Tournament": 18, "Logbook": 19, "Account": 20, "Admin": 21, "Rounds": 22,
  ]

  static func named(_ name: String) -> Room? { table.first { $0.name == name } }
}
