import QuiverAPI
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import Testing

@Suite("Reflection", .timeLimit(.minutes(5)))
struct ReflectionServiceTests {
  @Test("Every method is described with its id, kind and messages")
  func methods() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let answer = try await client.call(Reflection.describe, DescribeRequest())
      #expect(answer.methods.map(\.id) == ServiceCatalogue.archery.methods.map(\.id))
      let update = try #require(answer.methods.first { $0.id == 4114 })
      #expect(update.name == "quiver.v1.Equipment/UpdateRiser" && update.mutating)
      #expect(update.kind == .unary && update.requestType == "quiver.v1.UpdateRiserRequest")
      #expect(update.responseType == "quiver.v1.Riser")
    }
  }

  @Test("The descriptor set has every message and service of the catalogue")
  func descriptors() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let answer = try await client.call(Reflection.describe, DescribeRequest())
      let pool = try DescriptorPool(fileDescriptorSet: answer.fileDescriptorSet)
      let messages = ServiceCatalogue.archery.files.flatMap(\.messages)
      #expect(Set(pool.messages.keys) == Set(messages.map(\.name)))
      #expect(Set(pool.services.map(\.name)) == ServiceCatalogue.archery.serviceNames)
    }
  }

  @Test("A client that has the current answer gets only that it is unchanged")
  func fingerprint() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let answer = try await client.call(Reflection.describe, DescribeRequest())
      #expect(answer.fingerprint == SHA256.hash(answer.fileDescriptorSet))
      var again = DescribeRequest()
      again.knownFingerprint = answer.fingerprint
      var expected = DescribeResponse()
      expected.fingerprint = answer.fingerprint
      expected.unchanged = true
      #expect(try await client.call(Reflection.describe, again) == expected)
      again.knownFingerprint = [1]
      #expect(try await client.call(Reflection.describe, again) == answer)
    }
  }
}
