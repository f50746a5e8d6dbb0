import CNGHTTP2

/// Fields as libnghttp2 takes them; it copies them.
enum HTTP2Fields {
  /// - Parameter status: of a head; nil: the fields are trailers.
  static func with(
    status: Int?, _ fields: HTTPFields,
    _ body: (UnsafeMutablePointer<nghttp2_nv>?, Int) -> Void
  ) {
    if let prepared = fields.prepared, status == nil || status == 200 {
      let pairs = status == nil ? prepared.withoutStatus : prepared.withStatus
      return body(pairs.baseAddress, pairs.count)
    }
    guard let status else { return with(fields, body) }
    var all: HTTPFields = [":status": String(status)]
    all.entries += fields.entries
    with(all, body)
  }

  private static func with(
    _ fields: HTTPFields, _ body: (UnsafeMutablePointer<nghttp2_nv>?, Int) -> Void
  ) {
    var bytes: [UInt8] = []
    for field in fields.entries {
      bytes += field.name.bytes
      bytes += field.value.bytes
    }
    bytes.append(0)
    bytes.withUnsafeMutableBufferPointer { bytes in
      var at = 0
      func take(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
        defer { at += count }
        return bytes.baseAddress.map { $0 + at }
      }
      var pairs = fields.entries.map { field in
        let (nameCount, valueCount) = (field.name.bytes.count, field.value.bytes.count)
        return nghttp2_nv(
          name: take(nameCount), value: take(valueCount), namelen: nameCount,
          valuelen: valueCount, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
      }
      pairs.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count) }
    }
  }
}
