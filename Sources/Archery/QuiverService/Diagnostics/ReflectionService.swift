import QuiverAPI
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC

/// Serves `quiver.v1.Reflection` with replies that are computed once, when the server starts.
struct ReflectionService {
  private let description: DescribeResponse

  var routes: [Route] { [.synchronous(Reflection.describe, describe)] }

  /// The fingerprint of its replies; the HELLO states it.
  var fingerprint: [UInt8] { description.fingerprint }

  /// - Parameter files: the files of the catalogue.
  init(_ files: FileDescriptorSet) {
    var description = DescribeResponse()
    description.fileDescriptorSet = files.serializedBytes()
    description.fingerprint = SHA256.hash(description.fileDescriptorSet)
    description.methods = ServiceCatalogue.archery.methods.map(MethodEntry.init)
    self.description = description
  }

  func describe(
    _ request: DescribeRequest, _ call: CallContext
  ) throws -> DescribeResponse {
    guard request.knownFingerprint == description.fingerprint else { return description }
    var response = DescribeResponse()
    response.fingerprint = description.fingerprint
    response.unchanged = true
    return response
  }
}

extension MethodEntry {
  init(_ method: MethodInfo) {
    self.init()
    id = method.id
    name = method.name
    kind = Kind(rawValue: method.kind.rawValue)
    requestType = method.schema.input.name
    responseType = method.schema.output.name
    mutating = method.isMutating
    anonymous = method.isAnonymous
  }
}
