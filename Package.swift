// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A C library of the system: a module map and `static inline` shims, nothing else.
func library(_ name: String, pkgConfig: String? = nil, package: String? = nil) -> Target {
  .systemLibrary(
    name: name, pkgConfig: pkgConfig, providers: package.map { [.apt([$0])] })
}

/// One room of `Sources`, with the arrows it may follow.
func room(_ name: String, _ imports: String...) -> Target {
  .target(name: name, dependencies: imports.map { .init(stringLiteral: $0) }, swiftSettings: strict)
}

/// The tests of a room, which mirror its files.
func tests(_ name: String, _ imports: String..., resources: [Resource]? = nil) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: ([name] + imports).map { .init(stringLiteral: $0) },
    resources: resources, swiftSettings: strict)
}

/// A program: flags and wiring.
func program(
  _ name: String, path: String? = nil, exclude: [String] = [], resources: [Resource]? = nil,
  _ imports: String...
) -> Target {
  .executableTarget(
    name: name, dependencies: imports.map { .init(stringLiteral: $0) }, path: path,
    exclude: exclude, resources: resources, swiftSettings: strict)
}

let package = Package(
  name: "Quiver",
  products: [
    .library(
      name: "QuiverClient",
      targets: ["QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire", "QuiverProtobuf"]),
    .library(
      name: "QuiverSession",
      targets: [
        "QuiverSession", "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire", "QuiverProtobuf",
        "QuiverRules",
      ]),
    .library(name: "QuiverZstd", targets: ["QuiverZstd"]),
    .library(name: "QuiverRules", targets: ["QuiverRules"]),
    .executable(name: "quiverd", targets: ["quiverd"]),
    .executable(name: "quiver", targets: ["quiver"]),
  ],
  targets: [
    library("CProtobufC", pkgConfig: "libprotobuf-c", package: "libprotobuf-c-dev"),
    library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    library("CCrypto", pkgConfig: "libcrypto", package: "libssl-dev"),
    library("CZstd", pkgConfig: "libzstd", package: "libzstd-dev"),
    library("CEpoll"),

    room("QuiverProtobuf", "CProtobufC"),
    room("QuiverJSON", "QuiverProtobuf"),
    room("QuiverSQLite", "CSQLite"),
    room("QuiverCrypto", "CCrypto"),
    room("QuiverCalendar"),
    room("QuiverWire"),
    room("QuiverRPC", "QuiverWire", "QuiverProtobuf"),
    room("QuiverDispatch", "QuiverRPC", "QuiverWire", "CEpoll"),
    room("QuiverZstd", "QuiverRPC", "CZstd"),
    room("QuiverLoopback", "QuiverRPC", "QuiverWire"),
    room("QuiverAPI", "QuiverProtobuf", "QuiverRPC"),
    room("QuiverRules"),
    room("QuiverStore", "QuiverRules", "QuiverSQLite", "QuiverCrypto"),
    room(
      "QuiverService", "QuiverAPI", "QuiverProtobuf", "QuiverRules", "QuiverStore", "QuiverCrypto",
      "QuiverCalendar", "QuiverRPC", "QuiverWire"),
    room(
      "QuiverClient", "QuiverAPI", "QuiverProtobuf", "QuiverRPC", "QuiverDispatch", "QuiverWire"),
    room(
      "QuiverSession", "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire", "QuiverProtobuf",
      "QuiverCalendar", "QuiverRules", "QuiverSQLite", "QuiverCrypto"),

    program(
      "quiverd", "QuiverService", "QuiverStore", "QuiverDispatch", "QuiverZstd", "QuiverRPC",
      "QuiverWire"),
    program(
      "quiver", "QuiverClient", "QuiverSession", "QuiverJSON", "QuiverProtobuf", "QuiverAPI",
      "QuiverRPC", "QuiverRules", "QuiverWire"
    ),

    program("tidy", path: "tools/tidy"),
    .target(name: "CCrashFiles", dependencies: ["CSQLite"], path: "tools/crashfiles"),
    program(
      "torture", path: "tools/torture", "QuiverStore", "QuiverRules", "CCrashFiles",
      "ChildProcesses"),
    program(
      "quiver-conformance", path: "tools/conformance", "QuiverAPI", "QuiverProtobuf", "QuiverRPC",
      "QuiverWire", "QuiverZstd"),
    program(
      "simulation", path: "tools/simulation", "QuiverLoopback", "QuiverProtobuf", "QuiverRPC",
      "QuiverWire", "QuiverZstd"),
    program(
      "bench", path: "tools/bench", exclude: ["peers", "run"], "CSQLite", "QuiverAPI",
      "QuiverCrypto",
      "QuiverProtobuf", "QuiverRPC", "QuiverRules", "QuiverStore", "QuiverWire"),

    program(
      "quiver-load", path: "tools/load", exclude: ["scenarios"],
      resources: [.embedInCode("scenario.schema.json")],
      "QuiverClient", "QuiverDispatch", "QuiverJSON", "QuiverProtobuf", "QuiverAPI", "QuiverRPC",
      "QuiverWire"),

    .target(name: "ChildProcesses", path: "Tests/ChildProcesses", swiftSettings: strict),
    .target(
      name: "ProtobufFixtures", dependencies: ["QuiverProtobuf", "ChildProcesses"],
      path: "Tests/Fixtures",
      exclude: [
        "AllTypes.proto", "protobuf_peer.py", "Logbook", "archery", "comparison", "tournament",
        "wire",
      ],
      swiftSettings: strict),
    tests("QuiverProtobuf", "QuiverAPI", "QuiverRPC", "ProtobufFixtures"),
    tests("QuiverJSON", "QuiverProtobuf", "QuiverAPI", "ProtobufFixtures"),
    tests("QuiverSQLite"),
    tests("QuiverCrypto"),
    tests("QuiverCalendar", "QuiverRules"),
    tests("QuiverWire"),
    tests("QuiverRPC", "QuiverWire", "QuiverProtobuf", "QuiverZstd", "ChildProcesses"),
    tests("QuiverDispatch", "QuiverRPC", "QuiverWire", "QuiverProtobuf", "QuiverClient"),
    tests("QuiverZstd", "QuiverRPC", "CZstd"),
    tests("QuiverLoopback", "QuiverRPC", "QuiverWire", "QuiverProtobuf"),
    tests("QuiverAPI", "QuiverProtobuf", "QuiverRPC"),
    tests("QuiverRules"),
    tests("QuiverStore", "QuiverSQLite", "QuiverRules", "QuiverCrypto"),
    tests(
      "QuiverService", "QuiverAPI", "QuiverStore", "QuiverRules", "QuiverCrypto", "QuiverClient",
      "QuiverDispatch", "QuiverRPC", "QuiverProtobuf", "QuiverWire"),
    tests(
      "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverDispatch", "QuiverLoopback",
      "QuiverProtobuf", "QuiverWire"),
    tests(
      "QuiverSession", "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire", "QuiverProtobuf",
      "QuiverRules", "QuiverSQLite", "QuiverCrypto", "QuiverService", "QuiverStore",
      "QuiverDispatch", "ProtobufFixtures"),
    tests(
      "quiverd", "ChildProcesses", "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverDispatch",
      "QuiverProtobuf", "QuiverSQLite", "QuiverStore", "QuiverWire", "QuiverZstd", "torture"),
    tests(
      "quiver", "ChildProcesses", "QuiverClient", "QuiverJSON", "QuiverAPI", "QuiverRPC",
      "QuiverRules", "QuiverProtobuf", "QuiverSQLite",
      "QuiverWire"),
    tests("tidy"),
    tests("torture", "ChildProcesses", "QuiverStore", "QuiverSQLite", "QuiverRules"),
    tests("simulation"),
    tests("bench"),
    tests(
      "quiver-load", "ChildProcesses", "QuiverAPI", "QuiverClient", "QuiverDispatch", "QuiverJSON",
      "QuiverProtobuf", "QuiverRPC", "QuiverService", "QuiverStore", "QuiverWire"),
  ]
)
