import CTLS
import QuiverRPC

/// What libssl calls back. Each finds its state by the pointers that its `SSL` holds.
enum TLSCallbacks {
  /// `quiver/1` as ALPN writes it: a length and the name.
  static let protocolList =
    [UInt8(TLSLimits.applicationProtocol.utf8.count)]
    + Array(TLSLimits.applicationProtocol.utf8)

  /// Counts KeyUpdate messages, so that a peer cannot make this side derive keys without end.
  static let message:
    @convention(c) (
      Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?
    ) -> Void = { isWritten, _, type, bytes, count, ssl, _ in
      guard isWritten == 0, type == SSL3_RT_HANDSHAKE, count > 0, let bytes,
        bytes.load(as: UInt8.self) == UInt8(SSL3_MT_KEY_UPDATE),
        let state = WireState.current(ssl)
      else { return }
      if state.pointee.keyUpdateCount == WireState.maxKeyUpdates {
        state.pointee.refusal = .keyUpdates
      } else {
        state.pointee.keyUpdateCount += 1
      }
    }

  /// Checks a client's first message: without TLS 1.3 or without ALPN it is refused with a named
  /// reason.
  static let clientHello:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?
    ) -> Int32 = { ssl, alert, argument in
      func has(_ type: Int32) -> Bool {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        return SSL_client_hello_get0_ext(ssl, UInt32(type), &bytes, &count) == 1
      }
      guard let state = WireState.current(ssl) else { return SSL_CLIENT_HELLO_ERROR }
      if !has(TLSEXT_TYPE_supported_versions) {
        state.pointee.refusal = .oldVersion
        alert?.pointee = SSL_AD_PROTOCOL_VERSION
        return SSL_CLIENT_HELLO_ERROR
      }
      if applicationProtocols(argument)?.isRequired != false,
        !has(TLSEXT_TYPE_application_layer_protocol_negotiation)
      {
        state.pointee.refusal = .noApplicationProtocol
        alert?.pointee = SSL_AD_NO_APPLICATION_PROTOCOL
        return SSL_CLIENT_HELLO_ERROR
      }
      return SSL_CLIENT_HELLO_SUCCESS
    }

  private static func applicationProtocols(
    _ argument: UnsafeMutableRawPointer?
  ) -> ApplicationProtocols? {
    argument.map { Unmanaged<ApplicationProtocols>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Chooses the server's first protocol that a client offers.
  static let selectProtocol:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
      UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
    ) -> Int32 = { ssl, chosen, chosenCount, offered, offeredCount, argument in
      for wanted in applicationProtocols(argument)?.names ?? [] {
        var at = 0
        while let offered, at < Int(offeredCount) {
          let count = Int(offered[at])
          guard at + 1 + count <= Int(offeredCount) else { break }
          let name = UnsafeBufferPointer(start: offered + at + 1, count: count)
          if name.elementsEqual(wanted) {
            chosen?.pointee = offered + at + 1
            chosenCount?.pointee = UInt8(count)
            return SSL_TLSEXT_ERR_OK
          }
          at += 1 + count
        }
      }
      WireState.current(ssl)?.pointee.refusal = .noApplicationProtocol
      return SSL_TLSEXT_ERR_ALERT_FATAL
    }

  /// Notes of which time a certificate is that is not accepted; what libssl found stands.
  static let verify: @convention(c) (Int32, OpaquePointer?) -> Int32 = { isGood, verification in
    guard isGood == 0,
      let ssl = X509_STORE_CTX_get_ex_data(
        verification, SSL_get_ex_data_X509_STORE_CTX_idx()),
      let certificate = X509_STORE_CTX_get_current_cert(verification)
    else { return isGood }
    WireState.current(OpaquePointer(ssl))?.pointee.refusedValidity =
      CertificateValidity(certificate)
    return isGood
  }

  /// Keys a session ticket that a server makes or reads.
  static let ticketKey:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?,
      OpaquePointer?, Int32
    ) -> Int32 = { ssl, name, iv, cipher, mac, isNew in
      guard let name, let iv, let cipher, let mac,
        let keys = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0)
      else { return -1 }
      return Unmanaged<TicketKeys>.fromOpaque(keys).takeUnretainedValue()
        .apply(name: name, iv: iv, cipher: cipher, mac: mac, isNew: isNew == 1)
    }

  /// Keeps a ticket that a server has sent.
  static let newTicket: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = {
    ssl, session in
    guard let session, let client = WireState.current(ssl)?.pointee.client else { return 0 }
    // 1: the reference is the store's from here on.
    client.tickets.put(session, for: client.host)
    return 1
  }

  /// Returns no password: the key of a server that starts automatically has none.
  static let password:
    @convention(c) (
      UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
    ) -> Int32 = { _, _, _, _ in 0 }

  /// The protocol that both sides have agreed on; empty: none.
  static func selectedProtocol(_ ssl: OpaquePointer) -> String {
    var bytes: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &bytes, &count)
    guard let bytes else { return "" }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }
}
