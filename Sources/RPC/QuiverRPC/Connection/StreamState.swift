import QuiverWire

/// One open call as its connection sees it: where it stands, and both allowances.
///
/// A unary call that is answered before the next frame is read never needs one.
package struct StreamState {
  package let id: UInt32
  /// The server's route, or the client's number of the call.
  package var tag: UInt64
  package var flags: Flags = []
  /// Monotonic nanoseconds; 0: none.
  package var deadline: UInt64 = 0
  /// A tenth of the call's timeout, in nanoseconds.
  var tenthOfTimeout: UInt64 = 0
  /// Who is told when the call is cancelled (server), or how it ended (client).
  package var owner: AnyObject?

  // What comes in.
  /// The STATUS that ends a ``Flags/failed`` call once its handler has returned (server).
  var failure: [UInt8] = []
  /// Charged bytes received so far.
  var receivedCharge: UInt64 = 0
  /// The allowance last stated to the peer.
  var receiveAllowance: UInt64
  /// The window plus what the application has taken.
  var takenAllowance: UInt64
  /// The charge of the message in reassembly.
  var reassemblyCharge: UInt64 = 0
  /// Complete messages that the application has not taken.
  var waitingMessages = 0
  /// The bytes of those messages, or their charges where those are more.
  var untakenBytes = 0
  /// Where in all output the stream's latest CREDIT begins.
  var creditPosition: UInt64?
  var reassembly: Reassembly?
  /// The head of a call whose message is still coming (server).
  var head: RequestHead?
  /// When the message in reassembly last gained a byte.
  var lastGain: UInt64 = 0

  // What goes out.
  var sentCharge: UInt64 = 0
  var sendAllowance: UInt64
  var outbound = OutboundQueue()

  package struct Flags: OptionSet {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The request side has ended: END or CLOSE came (server) or went (client).
    static var requestEnded: Self { Self(rawValue: 1) }
    /// A message has begun and not ended.
    static var inMessage: Self { Self(rawValue: 2) }
    /// At least one message of the peer has begun.
    static var messageSeen: Self { Self(rawValue: 4) }
    /// HEADERS or DATA of the reply have come or been queued.
    static var replyBegun: Self { Self(rawValue: 8) }
    /// The server's handler holds its slot.
    static var running: Self { Self(rawValue: 16) }
    /// The call's outcome stands; only the handler's return, or queued output, is waited for.
    static var ended: Self { Self(rawValue: 32) }
    /// The stream waits for its turn to write.
    static var inReady: Self { Self(rawValue: 64) }
    /// The call failed while its handler ran: ``failure`` goes out when it returns.
    static var failed: Self { Self(rawValue: 128) }
    /// A CREDIT of this stream is due.
    static var creditPending: Self { Self(rawValue: 256) }
    /// The reply is one RESPONSE that goes on in DATA.
    static var inResponse: Self { Self(rawValue: 512) }
    /// The message that has begun is compressed.
    static var messageCompressed: Self { Self(rawValue: 2048) }
    /// Whoever sends waits until the stream's queue has room.
    static var awaitsRoom: Self { Self(rawValue: 1024) }
  }

  init(id: UInt32, tag: UInt64, receiveWindow: UInt64, sendAllowance: UInt64) {
    self.id = id
    self.tag = tag
    receiveAllowance = receiveWindow
    takenAllowance = receiveWindow
    self.sendAllowance = sendAllowance
  }

  /// The allowance that may be stated now: the window plus what the application has taken, plus
  /// what is in reassembly while no complete message waits before it.
  var grantableAllowance: UInt64 {
    takenAllowance &+ (waitingMessages == 0 ? reassemblyCharge : 0)
  }

  /// What may still be sent on the stream, the charge of a frame taken off; negative: not even an
  /// empty frame.
  var sendRoom: Int {
    Int(clamping: sendAllowance &- sentCharge) - Limits.frameCharge
  }
}

/// A message that comes in several frames; owned by its stream until it is whole.
final class Reassembly {
  var bytes = ByteQueue()
}
