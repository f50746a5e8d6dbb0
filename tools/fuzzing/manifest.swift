// swift-tools-version: 6.2
// What tools/fuzz builds: the modules that read bytes of a peer, with coverage and
// the sanitizer, and one program with all fuzz targets. tools/fuzz copies it beside links to the
// sources.
import PackageDescription

let instrumented: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .unsafeFlags(["-sanitize=fuzzer,address", "-O", "-parse-as-library"]),
]

func module(_ name: String, _ imports: String..., isTested: Bool = false) -> Target {
  let settings = instrumented + (isTested ? [.unsafeFlags(["-enable-testing"])] : [])
  return .target(
    name: name, dependencies: imports.map { .init(stringLiteral: $0) }, swiftSettings: settings)
}

let package = Package(
  name: "Fuzzing",
  targets: [
    .systemLibrary(name: "CProtobufC", pkgConfig: "libprotobuf-c"),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd"),
    .systemLibrary(name: "CTLS", pkgConfig: "libssl"),
    .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
    module("QuiverProtobuf", "CProtobufC"),
    module("QuiverJSON", "QuiverProtobuf"),
    .systemLibrary(name: "CEpoll"),
    module("QuiverPlatform", "CEpoll"),
    module("QuiverWire", "QuiverPlatform"),
    module("QuiverMetrics"),
    module("QuiverRPC", "QuiverMetrics", "QuiverWire", "QuiverProtobuf"),
    module("QuiverZstd", "QuiverRPC", "CZstd"),
    module("QuiverTLS", "QuiverPlatform", "QuiverRPC", "QuiverWire", "CTLS"),
    module("TestCertificates", "CTLS"),
    module("TestSupport"),
    module("QuiverLoopback", "QuiverRPC", "QuiverWire", "TestSupport"),
    module("QuiverAPI", "QuiverProtobuf", "QuiverRPC"),
    module("QuiverDispatch", "QuiverPlatform", "QuiverRPC", "QuiverWire", "CEpoll"),
    module("QuiverClient", "QuiverProtobuf", "QuiverRPC", "QuiverDispatch", "QuiverWire"),
    module(
      "QuiverGateway", "QuiverClient", "QuiverDispatch", "QuiverJSON", "QuiverMetrics",
      "QuiverProtobuf", "QuiverRPC", "QuiverWire", "CNGHTTP2", "CZlib", isTested: true),
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "QuiverProtobuf", "QuiverJSON", "QuiverWire", "QuiverRPC", "QuiverLoopback", "QuiverAPI",
        "QuiverZstd", "QuiverTLS", "QuiverGateway", "TestCertificates",
      ],
      swiftSettings: instrumented,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
  ]
)
