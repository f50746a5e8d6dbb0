import QuiverWire

/// One open call as its connection sees it: where it stands, and both allowances.
///
/// A unary call that is answered before the next frame is read never needs one.
package struct StreamState {
  package let id: UInt32
  /// The server's route, or the client's number of the call.
  package var tag: UInt64
  var phase = CallPhase.open
  package var flags: Flags = []
  var window: FlowWindow
  /// When the call came (server), in monotonic nanoseconds; 0: its times are not counted.
  var startedAt: UInt64 = 0
  /// Monotonic nanoseconds; 0: none.
  package var deadline: UInt64 = 0
  /// A tenth of the call's timeout, in nanoseconds.
  var tenthOfTimeout: UInt64 = 0
  /// Notified when the call is cancelled (server), or how it ended (client).
  package var owner: AnyObject?
  /// The user for whom a service makes the call (server); 0: none.
  var actingUser: Int64 = 0

  // What comes in.
  /// The STATUS of a ``CallPhase/failing`` call, sent when its handler returns (server).
  var failure: [UInt8] = []
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

  /// Since when, and from how many bytes on, the rate of that message is measured.
  var measuredFrom: (time: UInt64, byteCount: Int) = (0, 0)

  // What goes out.
  /// Since when queued messages wait for the stream's credit; 0: none does.
  var blockedSince: UInt64 = 0
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
    /// The client states CREDIT as soon as its application has taken every message that has come.
    static var creditAtOnce: Self { Self(rawValue: 16) }
    /// The next message is made when the application has taken all before it (server).
    static var oneStateAhead: Self { Self(rawValue: 32) }
    /// The stream waits for its turn to write.
    static var inReady: Self { Self(rawValue: 64) }
    /// A CREDIT of this stream is due.
    static var creditPending: Self { Self(rawValue: 256) }
    /// The reply is one RESPONSE that continues in DATA.
    static var inResponse: Self { Self(rawValue: 512) }
    /// The message that has begun is compressed.
    static var messageCompressed: Self { Self(rawValue: 2048) }
    /// The sender waits until the stream's queue has room.
    static var awaitsRoom: Self { Self(rawValue: 1024) }
    /// The reply states the position of the store (server).
    static var statesPosition: Self { Self(rawValue: 4096) }
  }

  init(id: UInt32, tag: UInt64, receiveWindow: UInt64, sendAllowance: UInt64) {
    self.id = id
    self.tag = tag
    window = FlowWindow(receiveAllowance: receiveWindow, sendAllowance: sendAllowance)
    takenAllowance = receiveWindow
  }

  /// The allowance that may be stated now: the window plus what the application has taken, plus
  /// what is in reassembly while no complete message waits before it.
  var grantableAllowance: UInt64 {
    takenAllowance &+ (waitingMessages == 0 ? reassemblyCharge : 0)
  }
}

/// A message that comes in several frames; owned by its stream until it is whole.
final class Reassembly {
  var bytes = ByteQueue()
}
