import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// gRPC's reflection, versions v1 and v1alpha: a stream of questions about the server's files.
struct ReflectionService {
  private let backend: Backend
  private let token: String?

  private static let methods: Set<String> = [
    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
  ]

  /// No symbol of a server is longer: each part of one is looked up.
  private static let mostSymbolBytes = 512

  /// Whether a method is one of this service.
  static func answers(_ method: String) -> Bool { methods.contains(method) }

  init(_ backend: Backend, _ token: String?) {
    self.backend = backend
    self.token = token
  }

  /// Answers the questions of a stream.
  ///
  /// - Parameter send: converts and sends an encoded answer.
  func run(
    _ exchange: HTTPExchange, _ reader: RequestReader, _ writer: any ReplyWriter,
    send: (([UInt8]) async throws -> Void)
  ) async throws {
    var reader = reader
    writer.begin([:])
    while let bytes = try await reader.next() {
      try await exchange.waitForRoom()
      let question: ReflectionQuestion
      do throws(DecodeError) {
        question = try ReflectionQuestion(serializedBytes: bytes)
      } catch {
        throw RPCError(.invalidArgument, "the question does not decode: \(error)")
      }
      let directory = try await backend.directory(token: token)
      try await send(answer(question, bytes, directory).serializedBytes())
    }
    writer.end(nil, [:])
  }

  private func answer(
    _ question: ReflectionQuestion, _ bytes: [UInt8], _ directory: MethodDirectory
  ) -> ReflectionAnswer {
    var answer = ReflectionAnswer()
    answer.validHost = question.host ?? ""
    answer.originalRequest = [bytes]
    if question.listServices != nil {
      answer.services = .with { services in
        services.service = directory.serviceNames.map { name in .with { $0.name = name } }
      }
      return answer
    }
    var path = question.fileByFilename
    if let symbol = question.fileContainingSymbol, symbol.utf8.count <= Self.mostSymbolBytes {
      // A symbol within a message is declared where the message is.
      var name = symbol[...]
      while path == nil, !name.isEmpty {
        path = directory.filesBySymbol[String(name)]
        name = name.lastIndex(of: ".").map { name[..<$0] } ?? ""
      }
    }
    if let path, let file = directory.files[path] {
      answer.files = .with { $0.fileDescriptorProto = [file] }
    } else {
      answer.error = .with { error in
        error.errorCode = Int32(StatusCode.notFound.rawValue)
        error.errorMessage = "there is no such file or symbol"
      }
    }
    return answer
  }
}

/// `grpc.reflection.v1.ServerReflectionRequest`.
struct ReflectionQuestion: Message {
  var host: String?
  var fileByFilename: String?
  var fileContainingSymbol: String?
  var listServices: String?

  static let schema = Schema<Self>(
    "grpc.reflection.v1.ServerReflectionRequest",
    .optionalString(1, "host", \.host), .optionalString(3, "file_by_filename", \.fileByFilename),
    .optionalString(4, "file_containing_symbol", \.fileContainingSymbol),
    .optionalString(7, "list_services", \.listServices))
}

/// `grpc.reflection.v1.ServerReflectionResponse`; the request in it stays encoded.
struct ReflectionAnswer: Message {
  var validHost = ""
  var originalRequest: [[UInt8]] = []
  var files: ReflectionFiles?
  var services: ReflectionServices?
  var error: ReflectionError?

  static let schema = Schema<Self>(
    "grpc.reflection.v1.ServerReflectionResponse",
    .string(1, "valid_host", \.validHost), .byteStrings(2, "original_request", \.originalRequest),
    .message(4, "file_descriptor_response", \.files),
    .message(6, "list_services_response", \.services),
    .message(7, "error_response", \.error))
}

/// `grpc.reflection.v1.FileDescriptorResponse`.
struct ReflectionFiles: Message {
  var fileDescriptorProto: [[UInt8]] = []

  static let schema = Schema<Self>(
    "grpc.reflection.v1.FileDescriptorResponse",
    .byteStrings(1, "file_descriptor_proto", \.fileDescriptorProto))
}

/// `grpc.reflection.v1.ListServiceResponse`.
struct ReflectionServices: Message {
  var service: [ReflectionServiceName] = []

  static let schema = Schema<Self>(
    "grpc.reflection.v1.ListServiceResponse", .messages(1, "service", \.service))
}

/// `grpc.reflection.v1.ServiceResponse`.
struct ReflectionServiceName: Message {
  var name = ""

  static let schema = Schema<Self>(
    "grpc.reflection.v1.ServiceResponse", .string(1, "name", \.name))
}

/// `grpc.reflection.v1.ErrorResponse`.
struct ReflectionError: Message {
  var errorCode: Int32 = 0
  var errorMessage = ""

  static let schema = Schema<Self>(
    "grpc.reflection.v1.ErrorResponse", .int32(1, "error_code", \.errorCode),
    .string(2, "error_message", \.errorMessage))
}
