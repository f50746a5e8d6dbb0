import CNGHTTP2

/// Fields as libnghttp2 takes them without a copy, behind the status 200.
///
/// Never released, because frames refer to them until they are sent.
// Sendable because nothing changes it; libnghttp2 takes its pointers as mutable and only reads.
final class PreparedFields: @unchecked Sendable {
  private let pairs: UnsafeMutableBufferPointer<nghttp2_nv>

  init(_ fields: HTTPFields) {
    let entries = [HTTPFields.Entry(name: ":status", value: "200")] + fields.entries
    pairs = .allocate(capacity: entries.count)
    for (index, entry) in entries.enumerated() {
      let (name, value) = (Self.keep(entry.name), Self.keep(entry.value))
      pairs.initializeElement(
        at: index,
        to: nghttp2_nv(
          name: name.baseAddress, value: value.baseAddress, namelen: name.count,
          valuelen: value.count,
          flags: UInt8(
            NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)))
    }
  }

  private static func keep(_ text: HTTPText) -> UnsafeMutableBufferPointer<UInt8> {
    let bytes = Array(text.bytes)
    let kept = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    _ = kept.initialize(from: bytes)
    return UnsafeMutableBufferPointer(start: kept.baseAddress, count: bytes.count)
  }

  /// For a head with the status 200.
  var withStatus: UnsafeMutableBufferPointer<nghttp2_nv> { pairs }

  /// For trailers.
  var withoutStatus: UnsafeMutableBufferPointer<nghttp2_nv> {
    UnsafeMutableBufferPointer(rebasing: pairs[1...])
  }
}
