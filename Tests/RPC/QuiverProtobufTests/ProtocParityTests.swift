import ProtobufFixtures
import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import Testing

@Suite("Parity with protoc", .timeLimit(.minutes(5)))
struct ProtocParityTests {
  @Test("The catalogue has the declarations that protoc reads in Protos")
  func catalogue() throws {
    let pool = try DescriptorPool(
      fileDescriptorSet: Protoc.descriptorSet(of: Protoc.projectFiles()))
    #expect(FileComparer.differences(ServiceCatalogue.archery.files, pool.files) == [])
  }

  @Test("The fixture's schemas have the declarations that protoc reads in AllTypes.proto")
  func fixture() throws {
    let pool = try DescriptorPool(fileDescriptorSet: Protoc.descriptorSet(of: [Protoc.fixtureFile]))
    let file = try #require(pool.files.first { $0.path == Protoc.fixtureFile })
    #expect(FileComparer.differences([Fixture.file], [file]) == [])
  }

  @Test("The comparison finds every kind of difference")
  func comparer() throws {
    let wrong = ProtoFile(
      path: "AllTypes.proto",
      messages: [
        MessageSchema(
          name: "quiver.fixture.Leaf",
          fields: [
            FieldSchema(number: 1, name: "name", type: .bytes, label: .optional),
            FieldSchema(number: 3, name: "weight", type: .double, label: .implicit),
            FieldSchema(number: 4, name: "height", type: .double, label: .implicit),
          ])
      ],
      enums: [EnumSchema("quiver.fixture.Colour", [(0, "COLOUR_UNSPECIFIED"), (2, "COLOUR_RED")])],
      services: [
        ServiceSchema(
          "quiver.fixture.Trees", number: 200,
          [
            MethodSchema(
              id: 51299, name: "Plant", kind: .bidirectional, isMutating: true, isAnonymous: true,
              input: Branch.schema.core, output: Branch.schema.core)
          ])
      ],
      declaresMethodOptions: true)
    let differences = FileComparer.differences([wrong], [Fixture.file]).joined(separator: "\n")
    for expected in [
      "declares method options is", "name: type is bytes",
      "name: label is optional",
      "weight: number is 3", "field height is in the schemas alone",
      "message quiver.fixture.AllTypes is not in the schemas", "Colour: values is",
      "Plant: id is 51299", "Plant: kind is bidirectional", "Plant: input is quiver.fixture.Branch",
      "Plant: mutating is true", "Plant: anonymous is true", "method Gather is not in the schemas",
    ] {
      #expect(differences.contains(expected), "\(expected)\n\(differences)")
    }
  }

  @Test("This package's descriptors equal those of protoc")
  func descriptors() throws {
    let own = try DescriptorPool(
      fileDescriptorSet: FileDescriptorSet(ServiceCatalogue.archery.files).serializedBytes())
    #expect(FileComparer.differences(ServiceCatalogue.archery.files, own.files) == [])
  }
}
