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

/// A C library of the system: a module map and `static inline` shims, nothing else. Debian has it
/// in `package`, Homebrew in `formula`.
func library(
  _ name: String, pkgConfig: String? = nil, package: String? = nil, formula: String? = nil
) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig,
    providers: package.map { [.apt([$0]), .brew([formula ?? $0])] })
}

/// A C library of this package, with the libraries that it includes.
func compiled(_ name: String, _ imports: String...) -> Target {
  .target(
    name: name, dependencies: imports.map { .init(stringLiteral: $0) },
    path: "Sources/C/\(name)")
}

/// A target of this package; epoll is on Linux only.
func dependency(_ name: String) -> Target.Dependency {
  name == "CEpoll"
    ? .target(name: name, condition: .when(platforms: [.linux, .android]))
    : .init(stringLiteral: name)
}

/// A module of the RPC runtime, with the modules that it imports.
func rpc(_ name: String, path: String? = nil, _ imports: String...) -> Target {
  .target(
    name: name, dependencies: imports.map(dependency),
    path: path ?? "Sources/RPC/\(name)", swiftSettings: strict)
}

/// A module of the archery services, with the modules that it imports.
func archery(_ name: String, _ imports: String...) -> Target {
  .target(
    name: name, dependencies: imports.map { .init(stringLiteral: $0) },
    path: "Sources/Archery/\(name)", swiftSettings: strict)
}

/// The tests of a module or program, in the folder of `Tests` that mirrors its place.
func tests(_ name: String, in folder: String, _ imports: String...) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: ([name, "TestSupport"] + imports).map { .init(stringLiteral: $0) },
    path: "Tests/\(folder)/\(name)Tests", swiftSettings: strict)
}

/// A program: flags and wiring.
func program(
  _ name: String, path: String? = nil, exclude: [String] = [], resources: [Resource]? = nil,
  plugins: [Target.PluginUsage]? = nil, _ imports: String...
) -> Target {
  .executableTarget(
    name: name, dependencies: imports.map { .init(stringLiteral: $0) },
    path: path ?? "Sources/Programs/\(name)", exclude: exclude, resources: resources,
    swiftSettings: strict, plugins: plugins)
}

let package = Package(
  name: "Quiver",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Quiver", targets: ["Quiver"]),
    .library(name: "QuiverSession", targets: ["QuiverSession"]),
    .library(name: "QuiverServer", targets: ["QuiverServer"]),
    .library(name: "QuiverServerSQLite", targets: ["QuiverServerSQLite"]),
    .library(name: "QuiverClientCore", targets: ["QuiverClientCore"]),
    .library(name: "QuiverTLS", targets: ["QuiverTLS"]),
    .library(name: "QuiverZstd", targets: ["QuiverZstd"]),
    .library(name: "QuiverRules", targets: ["QuiverRules"]),
    .executable(name: "quiverd", targets: ["quiverd"]),
    .executable(name: "quiver-gateway", targets: ["quiver-gateway"]),
    .executable(name: "quiver", targets: ["quiver-command"]),
  ],
  targets: [
    library(
      "CProtobufC", pkgConfig: "libprotobuf-c", package: "libprotobuf-c-dev",
      formula: "protobuf-c"),
    library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev", formula: "sqlite"),
    library("CCrypto", pkgConfig: "libcrypto", package: "libssl-dev", formula: "openssl@3"),
    library("CTLS", pkgConfig: "libssl", package: "libssl-dev", formula: "openssl@3"),
    library("CZstd", pkgConfig: "libzstd", package: "libzstd-dev", formula: "zstd"),
    library("CEpoll"),
    library(
      "CNGHTTP2", pkgConfig: "libnghttp2", package: "libnghttp2-dev", formula: "libnghttp2"),
    library("CQREncode", pkgConfig: "libqrencode", package: "libqrencode-dev", formula: "qrencode"),
    library("CZlib", pkgConfig: "zlib", package: "zlib1g-dev", formula: "zlib"),
    library("CPostgres", pkgConfig: "libpq", package: "libpq-dev", formula: "libpq"),
    compiled("CPageChecksums", "CSQLite"),

    rpc("QuiverProtobuf", "CProtobufC"),
    rpc("QuiverJSON", "QuiverProtobuf"),
    archery("QuiverSQLite", "CSQLite", "CPageChecksums", "QuiverPlatform"),
    archery("QuiverPostgres", "CPostgres", "QuiverPlatform"),
    archery("QuiverCrypto", "CCrypto"),
    archery("QuiverCalendar"),
    archery("QuiverPapers", "CQREncode"),
    rpc("QuiverPlatform", "CEpoll"),
    rpc("QuiverWire", "QuiverPlatform"),
    rpc("QuiverMetrics"),
    rpc("QuiverObservability", "QuiverMetrics", "QuiverProtobuf", "QuiverRPC"),
    rpc("QuiverCommandLine"),
    rpc("QuiverCredentials", "QuiverCommandLine"),
    rpc(
      "QuiverDaemon", "QuiverCommandLine", "QuiverMetrics", "QuiverObservability",
      "QuiverPlatform", "QuiverRPC", "QuiverTLS"),
    rpc("QuiverRPC", "QuiverMetrics", "QuiverPlatform", "QuiverWire", "QuiverProtobuf"),
    rpc("QuiverDispatch", "QuiverPlatform", "QuiverRPC", "QuiverWire", "CEpoll"),
    rpc("QuiverZstd", "QuiverRPC", "CZstd"),
    rpc("QuiverTLS", "QuiverPlatform", "QuiverRPC", "QuiverWire", "CTLS"),
    rpc("QuiverLoopback", path: "tools/loopback", "QuiverRPC", "QuiverWire", "TestSupport"),
    archery("QuiverAPI", "QuiverProtobuf", "QuiverRPC"),
    archery("QuiverRules", "QuiverPlatform"),
    archery(
      "QuiverStore", "QuiverMetrics", "QuiverPlatform", "QuiverRules", "QuiverPostgres",
      "QuiverSQLite", "QuiverCrypto"),
    archery(
      "QuiverService", "QuiverAPI", "QuiverProtobuf", "QuiverRules", "QuiverStore", "QuiverCrypto",
      "QuiverCalendar", "QuiverPapers", "QuiverMetrics", "QuiverRPC", "QuiverWire"),
    rpc("QuiverClient", "QuiverProtobuf", "QuiverRPC", "QuiverDispatch", "QuiverWire"),
    rpc("QuiverClientCore", "QuiverClient", "QuiverProtobuf", "QuiverRPC", "QuiverWire"),
    rpc(
      "QuiverServer", "CCrypto", "QuiverClientCore", "QuiverDispatch", "QuiverMetrics",
      "QuiverObservability", "QuiverPlatform", "QuiverProtobuf", "QuiverRPC", "QuiverTLS",
      "QuiverWire"),
    rpc("QuiverServerSQLite", "CSQLite", "QuiverRPC", "QuiverServer", "QuiverWire"),
    rpc(
      "QuiverGateway", "QuiverClient", "QuiverDispatch", "QuiverJSON", "QuiverMetrics",
      "QuiverPlatform", "QuiverProtobuf", "QuiverRPC", "QuiverWire", "CNGHTTP2", "CZlib"),
    archery(
      "Quiver", "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire", "QuiverProtobuf"),
    archery(
      "QuiverSession", "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire", "QuiverProtobuf",
      "QuiverCalendar", "QuiverRules", "QuiverSQLite", "QuiverCrypto"),

    program(
      "quiverd", "QuiverCommandLine", "QuiverDaemon", "QuiverPapers", "QuiverService",
      "QuiverStore",
      "QuiverDispatch", "QuiverTLS", "QuiverZstd",
      "QuiverMetrics", "QuiverObservability", "QuiverPlatform", "QuiverRPC", "QuiverWire"),
    // Not "quiver": the build folders of that target and of `Quiver` would be one where the file
    // system ignores case.
    program(
      "quiver-command", path: "Sources/Programs/quiver",
      resources: [.embedInCode("Calls/comments.txt")], "QuiverPapers", "QuiverClient",
      "QuiverCommandLine", "QuiverCredentials", "QuiverCrypto", "QuiverSession",
      "QuiverTLS", "QuiverJSON", "QuiverPlatform", "QuiverProtobuf", "QuiverAPI",
      "QuiverRPC", "QuiverRules", "QuiverWire"
    ),

    program(
      "quiver-gateway", exclude: ["Pages"], plugins: [.plugin(name: "EmbedPages")],
      "QuiverGateway", "QuiverClient", "QuiverCommandLine", "QuiverDaemon", "QuiverDispatch",
      "QuiverMetrics", "QuiverObservability", "QuiverPlatform", "QuiverTLS", "QuiverRPC",
      "QuiverWire"),

    program("embed-pages", path: "tools/embed-pages", "QuiverCommandLine"),
    .plugin(
      name: "EmbedPages", capability: .buildTool(), dependencies: ["embed-pages"],
      path: "tools/embed-plugin"),
    program("tidy", path: "tools/tidy", "QuiverCommandLine"),
    .target(name: "CCrashFiles", dependencies: ["CSQLite"], path: "tools/crashfiles"),
    program(
      "torture", path: "tools/torture", "GatewayCalls", "QuiverCommandLine", "QuiverDispatch",
      "QuiverStore", "QuiverRules", "QuiverAPI", "QuiverClient",
      "QuiverProtobuf", "QuiverRPC", "QuiverTLS", "QuiverWire", "CCrashFiles", "ChildProcesses",
      "ServerPrograms", "TestCertificates"),
    program("published-results", path: "tools/published", "QuiverCommandLine", "QuiverRules"),
    program(
      "session-kills", path: "tools/session-kills", "QuiverCommandLine", "QuiverSession",
      "QuiverAPI", "QuiverClient",
      "QuiverRPC", "QuiverRules", "QuiverWire", "ChildProcesses", "ServerPrograms"),
    program(
      "service-chain", path: "tools/chain", "ChildProcesses", "QuiverClientCore",
      "QuiverCommandLine", "QuiverServer", "QuiverServerSQLite", "ServerPrograms"),
    program(
      "quiver-conformance", path: "tools/conformance", "QuiverCommandLine", "QuiverAPI",
      "QuiverProtobuf", "QuiverRPC",
      "QuiverTLS", "QuiverWire", "QuiverZstd"),
    program(
      "conformance-client", path: "tools/conformance-client", "QuiverCommandLine", "QuiverAPI",
      "QuiverClient",
      "QuiverDispatch", "QuiverProtobuf", "QuiverRPC", "QuiverTLS", "QuiverWire", "QuiverZstd"),
    program(
      "simulation", path: "tools/simulation", "QuiverCommandLine", "QuiverLoopback",
      "QuiverProtobuf", "QuiverRPC",
      "QuiverTLS", "QuiverWire", "QuiverZstd", "TestCertificates", "TestSupport"),
    program(
      "bench", path: "tools/bench", exclude: ["boards", "clients", "gateway", "peers", "run"],
      "CSQLite", "QuiverAPI", "QuiverCommandLine",
      "QuiverCrypto",
      "QuiverProtobuf", "QuiverRPC", "QuiverRules", "QuiverServer", "QuiverService", "QuiverStore",
      "QuiverWire"),

    .target(
      name: "GatewayCalls",
      dependencies: [
        "QuiverClient", "QuiverDispatch", "QuiverJSON", "QuiverProtobuf", "QuiverRPC", "QuiverWire",
      ],
      path: "tools/gatewaycalls", swiftSettings: strict),
    program(
      "quiver-load", path: "tools/load", exclude: ["scenarios"],
      resources: [.embedInCode("scenario.schema.json")],
      "CEpoll", "CZlib", "GatewayCalls", "QuiverClient", "QuiverCommandLine", "QuiverCredentials",
      "QuiverDispatch",
      "QuiverTLS", "QuiverJSON",
      "QuiverPlatform", "QuiverProtobuf",
      "QuiverAPI", "QuiverRPC", "QuiverRules", "QuiverWire"),

    .target(name: "ChildProcesses", path: "Tests/ChildProcesses", swiftSettings: strict),
    .target(
      name: "ServerPrograms", dependencies: ["ChildProcesses"], path: "tools/programs",
      swiftSettings: strict),
    .target(
      name: "TestCertificates", dependencies: ["CTLS"], path: "Tests/Certificates",
      swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),
    .target(
      name: "TestTransports", dependencies: ["QuiverDispatch"], path: "Tests/Transports",
      swiftSettings: strict),
    .target(
      name: "TestPostgres", dependencies: ["ChildProcesses", "QuiverPostgres"],
      path: "Tests/Postgres", swiftSettings: strict),
    .target(
      name: "TestStores", dependencies: ["QuiverStore", "TestSupport"], path: "Tests/Stores",
      swiftSettings: strict),
    .target(
      name: "TestServers",
      dependencies: ["QuiverDispatch", "QuiverRPC", "QuiverService", "QuiverStore", "TestStores"],
      path: "Tests/Servers", swiftSettings: strict),
    .target(
      name: "ProtobufFixtures", dependencies: ["QuiverProtobuf", "ChildProcesses", "TestSupport"],
      path: "Tests/Fixtures",
      exclude: [
        "AllTypes.proto", "protobuf_peer.py", "otlp_collector.py", "Logbook", "archery",
        "comparison", "tournament", "wire",
      ],
      swiftSettings: strict),
    tests(
      "QuiverProtobuf", in: "RPC", "QuiverAPI", "QuiverRPC", "CProtobufC", "ProtobufFixtures"),
    tests("QuiverJSON", in: "RPC", "QuiverProtobuf", "QuiverAPI", "QuiverRPC", "ProtobufFixtures"),
    tests("QuiverSQLite", in: "Archery"),
    tests("QuiverPostgres", in: "Archery", "ChildProcesses", "TestCertificates", "TestPostgres"),
    tests("QuiverCrypto", in: "Archery"),
    tests("QuiverCalendar", in: "Archery", "QuiverRules"),
    tests("QuiverPapers", in: "Archery"),
    tests("QuiverWire", in: "RPC"),
    tests("QuiverMetrics", in: "RPC"),
    tests("QuiverObservability", in: "RPC", "QuiverMetrics", "QuiverProtobuf", "QuiverWire"),
    tests("QuiverCommandLine", in: "RPC", "ChildProcesses"),
    tests(
      "QuiverRPC", in: "RPC", "QuiverMetrics", "QuiverWire", "QuiverProtobuf", "QuiverTLS",
      "QuiverZstd", "ChildProcesses", "TestCertificates"),
    tests(
      "QuiverDispatch", in: "RPC", "QuiverPlatform", "QuiverRPC", "QuiverWire", "QuiverProtobuf",
      "QuiverClient",
      "TestTransports"),
    tests("QuiverZstd", in: "RPC", "QuiverRPC", "CZstd"),
    tests(
      "QuiverTLS", in: "RPC", "QuiverRPC", "QuiverWire", "QuiverProtobuf", "QuiverDispatch",
      "QuiverClient", "QuiverLoopback", "CTLS", "TestCertificates", "TestTransports"),
    tests(
      "QuiverGateway", in: "RPC", "QuiverClient", "QuiverDispatch", "QuiverJSON", "QuiverLoopback",
      "QuiverProtobuf", "QuiverRPC", "QuiverWire"),
    tests(
      "quiver-gateway", in: "Programs", "ChildProcesses", "QuiverCommandLine", "QuiverDispatch",
      "QuiverGateway", "QuiverObservability", "QuiverProtobuf", "QuiverRPC"),
    tests("QuiverLoopback", in: "Tools", "QuiverRPC", "QuiverWire", "QuiverProtobuf"),
    tests("QuiverAPI", in: "Archery", "QuiverProtobuf", "QuiverRPC"),
    tests("QuiverRules", in: "Archery"),
    tests(
      "QuiverStore", in: "Archery", "ChildProcesses", "QuiverPostgres", "QuiverSQLite",
      "QuiverRules", "QuiverCrypto", "TestPostgres", "TestStores"),
    tests(
      "QuiverService", in: "Archery", "QuiverAPI", "QuiverStore", "QuiverRules", "QuiverCrypto",
      "QuiverClient",
      "QuiverDispatch", "QuiverRPC", "QuiverProtobuf", "QuiverWire", "TestPostgres", "TestServers"),
    tests(
      "QuiverClient", in: "RPC", "QuiverAPI", "QuiverRPC", "QuiverDispatch", "QuiverLoopback",
      "QuiverProtobuf", "QuiverWire", "TestTransports"),
    tests(
      "QuiverServer", in: "RPC", "ChildProcesses", "QuiverClientCore", "QuiverProtobuf",
      "QuiverTLS", "TestCertificates"),
    tests("QuiverServerSQLite", in: "RPC", "QuiverServer"),
    tests(
      "Quiver", in: "Archery", "QuiverSession", "QuiverService", "QuiverStore", "QuiverDispatch",
      "QuiverRPC", "QuiverRules", "QuiverTLS", "ChildProcesses", "TestServers"),
    tests(
      "QuiverSession", in: "Archery", "QuiverClient", "QuiverAPI", "QuiverRPC", "QuiverWire",
      "QuiverProtobuf",
      "QuiverRules", "QuiverSQLite", "QuiverCrypto", "QuiverService", "QuiverStore",
      "QuiverDispatch", "QuiverTLS", "ProtobufFixtures", "TestCertificates", "TestServers"),
    tests(
      "quiverd", in: "Programs", "ChildProcesses", "QuiverClient", "QuiverAPI", "QuiverRPC",
      "QuiverCommandLine", "QuiverDaemon", "QuiverDispatch",
      "QuiverObservability", "QuiverProtobuf", "QuiverRules", "QuiverSQLite", "QuiverStore",
      "QuiverTLS", "QuiverWire", "QuiverZstd", "torture"),
    .testTarget(
      name: "quiverTests",
      dependencies: [
        "quiver-command", "ChildProcesses", "QuiverClient", "QuiverCommandLine",
        "QuiverCredentials", "QuiverJSON",
        "QuiverAPI", "QuiverRPC",
        "QuiverRules", "QuiverProtobuf", "QuiverSession", "QuiverSQLite", "QuiverWire",
        "TestSupport",
      ],
      path: "Tests/Programs/quiverTests", swiftSettings: strict),
    tests("tidy", in: "Tools"),
    tests("embed-pages", in: "Tools"),
    tests(
      "torture", in: "Tools", "ChildProcesses", "ServerPrograms", "QuiverClient", "QuiverStore",
      "QuiverSQLite",
      "QuiverRules", "QuiverTLS"),
    tests("published-results", in: "Tools"),
    tests("simulation", in: "Tools"),
    tests("bench", in: "Tools"),
    tests(
      "quiver-load", in: "Tools", "ChildProcesses", "GatewayCalls", "QuiverAPI", "QuiverClient",
      "QuiverCommandLine",
      "QuiverDispatch",
      "QuiverJSON",
      "QuiverProtobuf", "QuiverRPC", "QuiverRules", "QuiverService", "QuiverStore", "QuiverTLS",
      "QuiverWire", "TestCertificates", "TestServers"),
  ]
)

// With QUIVER_TESTS_OF, a list of modules, the other tests are left out: the product of tests,
// QuiverPackageTests, is then built with what these use, for example under a sanitizer.
if let modules = Context.environment["QUIVER_TESTS_OF"]?.split(separator: ",") {
  package.targets.removeAll { target in
    target.isTest && !modules.contains { target.name == $0 + "Tests" }
  }
}
