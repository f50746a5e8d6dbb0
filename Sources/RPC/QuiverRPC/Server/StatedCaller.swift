import QuiverWire

/// What the metadata of a call says about its caller, beside the credentials of its connection.
package enum StatedCaller {
  /// The call is made by nobody, whatever the value is: the principal of the connection does not
  /// count for it.
  package static let anonymousKey = "quiver-anonymous"
  /// The address of the caller of a gateway; it counts on the gateway's connections alone.
  package static let addressKey = "quiver-caller-address"

  private static let maxAddressBytes = 64

  /// The address that a call states; nil: none, or no text that can be one.
  static func address(in metadata: Metadata) -> String? {
    guard let text = metadata[addressKey], (1...maxAddressBytes).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
    else { return nil }
    return text
  }
}

extension RequestHead {
  /// Whether the call says that it is made by nobody.
  @inline(__always)
  var isAnonymous: Bool { extras?.stated.isAnonymous ?? false }
}

extension ServerEnd {
  /// Starts a call whose metadata may say who calls, for whom, and at which position.
  func startCallWithMetadata() {
    guard let extras = connection.pointee.call.head.extras, !extras.metadata.isEmpty else {
      return startAtPosition()
    }
    let own = info
    info = callInfo(extras)
    startCallForUser()
    info = own
  }

  /// By whom a call is made.
  private func callInfo(_ extras: RequestHead.Extras) -> ConnectionInfo {
    let address = extras.stated.address ?? info.address
    let isCallers = !extras.stated.isAnonymous && info.caller != nil
    guard address != info.address || isCallers != (info.caller != nil) else { return info }
    if let statedInfo, statedInfo.address == address, (statedInfo.caller != nil) == isCallers {
      return statedInfo
    }
    let made = ConnectionInfo(
      id: id, address: address, caller: isCallers ? info.caller : nil, reactor: reactor)
    statedInfo = made
    return made
  }
}
