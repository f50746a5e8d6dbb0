// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "QuiverExamples",
  dependencies: [.package(name: "Quiver", path: "../..")],
  targets: [
    .executableTarget(
      name: "risers", dependencies: [.product(name: "Quiver", package: "Quiver")],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
      ])
  ]
)
