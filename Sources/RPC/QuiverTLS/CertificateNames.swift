import CTLS
import QuiverRPC

/// Reads the names of a certificate that are bound to principals.
enum CertificateNames {
  /// The URIs and DNS names of `certificate`. Names that are not plain ASCII are left out.
  static func read(_ certificate: OpaquePointer) -> PeerIdentity {
    var identity = PeerIdentity()
    withUnsafeMutablePointer(to: &identity) { identity in
      quiver_tls_each_name(certificate, identity) { identity, kind, bytes, count in
        guard let identity = identity?.assumingMemoryBound(to: PeerIdentity.self),
          let name = CertificateNames.text(bytes, Int(count)),
          identity.pointee.uris.count + identity.pointee.dnsNames.count
            < TLSLimits.certificateNames
        else { return }
        if kind == GEN_URI {
          identity.pointee.uris.append(name)
        } else {
          identity.pointee.dnsNames.append(name.lowercased())
        }
      }
    }
    return identity
  }

  private static func text(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> String? {
    guard let bytes, count > 0, count <= TLSLimits.certificateNameBytes else { return nil }
    let name = UnsafeBufferPointer(start: bytes, count: count)
    guard name.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}
