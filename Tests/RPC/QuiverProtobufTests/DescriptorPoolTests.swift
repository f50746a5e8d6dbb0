import ProtobufFixtures
import QuiverProtobuf
import Testing

@Suite("Descriptor pools", .timeLimit(.minutes(5)))
struct DescriptorPoolTests {
  /// A file with one message, changed by a test.
  private func file(_ change: (inout FileDescriptorProto) -> Void) -> FileDescriptorSet {
    var field = FieldDescriptorProto()
    field.name = "name"
    field.number = 1
    field.label = 1
    field.type = FieldType.string.rawValue
    var message = DescriptorProto()
    message.name = "Thing"
    message.field = [field]
    var file = FileDescriptorProto()
    file.name = "thing.proto"
    file.package = "things"
    file.messageType = [message]
    change(&file)
    var set = FileDescriptorSet()
    set.file = [file]
    return set
  }

  private func problem(_ change: (inout FileDescriptorProto) -> Void) -> String? {
    do {
      _ = try DescriptorPool(file(change))
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A valid descriptor set is accepted")
  func taken() throws {
    let pool = try DescriptorPool(file { _ in })
    let schema = try #require(pool.messages["things.Thing"])
    var message = DynamicMessage(schema)
    message[1] = .string("x")
    #expect(message.serializedBytes() == [0x0A, 1, 0x78])
    #expect(message["name"] == .string("x"))
    #expect(message["size"] == nil)
  }

  @Test("Messages may be nested as deeply as decoding allows", arguments: [16, 17])
  func depth(levels: Int) {
    let problem = problem { file in
      var messages: [DescriptorProto] = []
      for level in 1...levels {
        var message = file.messageType[0]
        message.name = "Level\(level)"
        if level < levels {
          message.field[0].type = FieldType.message.rawValue
          message.field[0].typeName = ".things.Level\(level + 1)"
        }
        messages.append(message)
      }
      file.messageType = messages
    }
    #expect((problem == nil) == (levels <= DecodeLimits.default.maxDepth))
    #expect(problem?.contains("nested too deeply") ?? true)
  }

  @Test("Descriptors of a peer that are not valid are refused with a message and never trap")
  func refused() {
    #expect(problem { $0.messageType[0].field[0].number = 0 }?.contains("no valid number") == true)
    #expect(problem { $0.messageType[0].field[0].number = 19_500 } != nil)
    #expect(problem { $0.messageType[0].field[0].number = .min } != nil)
    #expect(problem { $0.messageType[0].field[0].type = 10 }?.contains("group") == true)
    #expect(problem { $0.messageType[0].field[0].type = 99 } != nil)
    #expect(problem { $0.messageType[0].field[0].label = 2 }?.contains("required") == true)
    #expect(
      problem { $0.messageType[0].field += $0.messageType[0].field }?.contains("twice") == true)
    #expect(problem { $0.messageType += $0.messageType }?.contains("declared twice") == true)
    #expect(
      problem {
        $0.messageType[0].field[0].type = FieldType.message.rawValue
        $0.messageType[0].field[0].typeName = ".things.Thing"
      }?.contains("contains itself") == true)
    #expect(
      problem {
        $0.messageType[0].field[0].type = FieldType.message.rawValue
        $0.messageType[0].field[0].typeName = ".things.Other"
      }?.contains("not declared") == true)
    #expect(
      problem {
        $0.messageType[0].field[0].type = FieldType.enum.rawValue
        $0.messageType[0].field[0].typeName = ".things.Kind"
      }?.contains("enum things.Kind") == true)
    #expect(throws: DescriptorError.self) { try DescriptorPool(fileDescriptorSet: [0x0A, 5, 1]) }
  }

  @Test("Methods without a usable id are refused")
  func methods() {
    func service(_ ids: [UInt32?]) -> (inout FileDescriptorProto) -> Void {
      { file in
        var service = ServiceDescriptorProto()
        service.name = "Maker"
        service.method = ids.enumerated().map { index, id in
          var method = MethodDescriptorProto()
          method.name = "Make\(index)"
          method.inputType = ".things.Thing"
          method.outputType = ".things.Thing"
          method.options = MethodOptions()
          method.options?.methodID = id
          return method
        }
        file.service = [service]
      }
    }
    #expect(problem(service([257, 258])) == nil)
    #expect(problem(service([nil]))?.contains("no method id") == true)
    #expect(problem(service([256]))?.contains("no method id") == true)
    #expect(problem(service([257, 257]))?.contains("of another") == true)
    #expect(problem(service([257, 513]))?.contains("of another") == true)
    #expect(problem(service([]))?.contains("no methods") == true)
  }

  @Test("The descriptors' bytes do not depend on the order of declaration")
  func order() {
    let file = Fixture.file
    let turned = ProtoFile(
      path: file.path, package: file.package, dependencies: file.dependencies,
      messages: file.messages.reversed(), enums: file.enums, services: file.services)
    let other = ProtoFile(path: "quiver/v1/wire.proto", declaresMethodOptions: true)
    #expect(
      FileDescriptorSet([file, other]).serializedBytes()
        == FileDescriptorSet([other, turned]).serializedBytes())
    #expect(FileDescriptorSet([file, other]).file.first?.name == other.path)
  }

  @Test("Methods are found by their full name")
  func lookup() throws {
    let pool = try DescriptorPool(FileDescriptorSet([Fixture.file]))
    #expect(pool.method(named: "quiver.fixture.Trees/Scatter")?.kind == .serverStreaming)
    #expect(pool.method(named: "quiver.fixture.Trees/Fell") == nil)
    #expect(pool.method(named: "quiver.fixture.Trees") == nil)
  }
}
