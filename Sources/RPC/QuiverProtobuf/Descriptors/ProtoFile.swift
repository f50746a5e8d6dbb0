/// What one `.proto` file declares.
package struct ProtoFile: Sendable {
  /// As imported, `quiver/v1/health.proto`.
  package let path: String
  /// The package, `quiver.v1`.
  package let package: String
  /// The paths of the files that it imports.
  package let dependencies: [String]
  package let messages: [MessageSchema]
  package let enums: [EnumSchema]
  package let services: [ServiceSchema]
  /// Whether it declares ``MethodOptions/extensions`` as extensions of
  /// `google.protobuf.MethodOptions`.
  package let declaresMethodOptions: Bool

  package init(
    path: String, package: String = "quiver.v1", dependencies: [String] = [],
    messages: [MessageSchema] = [], enums: [EnumSchema] = [], services: [ServiceSchema] = [],
    declaresMethodOptions: Bool = false
  ) {
    self.path = path
    self.package = package
    self.dependencies = dependencies
    self.messages = messages
    self.enums = enums
    self.services = services
    self.declaresMethodOptions = declaresMethodOptions
  }
}
