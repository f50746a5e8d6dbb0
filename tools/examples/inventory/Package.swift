// swift-tools-version: 6.2
import PackageDescription

func quiver(_ name: String) -> Target.Dependency { .product(name: name, package: "Quiver") }

let package = Package(
  name: "Inventory",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Quiver", path: "../../..")],
  targets: [
    .target(name: "InventoryAPI", dependencies: [quiver("QuiverClientCore")]),
    .target(
      name: "InventoryService",
      dependencies: ["InventoryAPI", quiver("QuiverServer"), quiver("QuiverServerSQLite")]),
    .executableTarget(
      name: "inventory-server", dependencies: ["InventoryService", quiver("QuiverServer")]),
    .executableTarget(name: "inventory-client", dependencies: ["InventoryAPI"]),
    .testTarget(name: "InventoryTests", dependencies: ["InventoryAPI", "InventoryService"]),
  ]
)
