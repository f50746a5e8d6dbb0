import QuiverProtobuf
import QuiverWire

/// Statuses on the wire and as errors, cut to the protocol's limits.
enum StatusCoder {
  /// At most what tags and lengths add to a detail.
  private static let detailOverhead = 12
  /// What details may take with their tags and lengths, so that the whole fits in a STATUS.
  private static let encodedDetailBytes = 68 * 1024

  /// The payload of the STATUS that carries `error`: text, details and metadata that are too much
  /// are cut or dropped, never the code.
  static func encode(_ error: RPCError) -> [UInt8] {
    var message = StatusMessage()
    message.code = error.code.rawValue
    message.message = cut(error.message)
    var left = Limits.maxStatusDetailBytes
    var encodedLeft = Self.encodedDetailBytes
    for detail in error.details {
      let size = detail.type.utf8.count + detail.value.count
      guard size <= left, size + Self.detailOverhead <= encodedLeft else { break }
      left -= size
      encodedLeft -= size + Self.detailOverhead
      var entry = DetailMessage()
      entry.type = detail.type
      entry.value = detail.value
      message.details.append(entry)
    }
    if error.metadata.fault() == nil { message.metadata = entries(error.metadata) }
    message.notProcessed = error.isNotProcessed
    message.retryAfterMilliseconds = error.retryAfterMilliseconds ?? 0
    return message.serializedBytes()
  }

  /// The error that a STATUS other than OK carries.
  static func error(_ message: StatusMessage) -> RPCError {
    RPCError(
      StatusCode(rawValue: message.code), message.message,
      details: message.details.map { RPCError.Detail(type: $0.type, value: $0.value) },
      metadata: metadata(message.metadata), isNotProcessed: message.notProcessed,
      retryAfterMilliseconds: message.retryAfterMilliseconds == 0
        ? nil : message.retryAfterMilliseconds)
  }

  static func entries(_ metadata: Metadata) -> [MetadataMessage] {
    metadata.entries.map {
      var entry = MetadataMessage()
      entry.key = $0.key
      entry.value = $0.value
      return entry
    }
  }

  static func metadata(_ entries: [MetadataMessage]) -> Metadata {
    var metadata = Metadata()
    for entry in entries { metadata.append(entry.key, entry.value) }
    return metadata
  }

  /// At most 1 KiB of UTF-8, whole characters.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > Limits.maxStatusTextBytes else { return text }
    var result = ""
    var size = 0
    for scalar in text.unicodeScalars {
      size += UTF8.width(scalar)
      guard size <= Limits.maxStatusTextBytes else { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
