// swift-tools-version: 6.2
// What tools/fuzz builds: the rooms that read a peer's bytes, with coverage and the sanitizer, and
// one program that holds every fuzz target. tools/fuzz puts it beside links to the sources.
import PackageDescription

let instrumented: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .unsafeFlags(["-sanitize=fuzzer,address", "-O", "-parse-as-library"]),
]

func room(_ name: String, _ imports: String...) -> Target {
  .target(
    name: name, dependencies: imports.map { .init(stringLiteral: $0) }, swiftSettings: instrumented)
}

let package = Package(
  name: "Fuzzing",
  targets: [
    .systemLibrary(name: "CProtobufC", pkgConfig: "libprotobuf-c"),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd"),
    room("QuiverProtobuf", "CProtobufC"),
    room("QuiverJSON", "QuiverProtobuf"),
    room("QuiverWire"),
    room("QuiverRPC", "QuiverWire", "QuiverProtobuf"),
    room("QuiverZstd", "QuiverRPC", "CZstd"),
    room("QuiverLoopback", "QuiverRPC", "QuiverWire"),
    room("QuiverAPI", "QuiverProtobuf", "QuiverRPC"),
    .executableTarget(
      name: "Fuzzing",
      dependencies: [
        "QuiverProtobuf", "QuiverJSON", "QuiverWire", "QuiverRPC", "QuiverLoopback", "QuiverAPI",
        "QuiverZstd",
      ],
      swiftSettings: instrumented,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]),
  ]
)
