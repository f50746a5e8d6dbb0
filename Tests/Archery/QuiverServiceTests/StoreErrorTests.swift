import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Errors of the store as statuses", .timeLimit(.minutes(5)))
struct StoreErrorTests {
  @Test(
    "The status has the error's code",
    arguments: [
      (StoreError.Code.cancelled, StatusCode.cancelled), (.invalidArgument, .invalidArgument),
      (.deadlineExceeded, .deadlineExceeded), (.notFound, .notFound),
      (.alreadyExists, .alreadyExists), (.permissionDenied, .permissionDenied),
      (.resourceExhausted, .resourceExhausted), (.failedPrecondition, .failedPrecondition),
      (.aborted, .aborted), (.internalError, .internal), (.unavailable, .unavailable),
      (.dataLoss, .dataLoss),
    ])
  func codes(_ stored: StoreError.Code, _ sent: StatusCode) {
    let error = RPCError(StoreError(stored, "words", notProcessed: true))
    #expect(error.code == sent && error.message == "words" && error.isNotProcessed)
  }

  @Test("The message starts with the field")
  func field() {
    let error = RPCError(StoreError(.invalidArgument, "must be given", field: "riser.brand"))
    #expect(error.message == "riser.brand: must be given" && !error.isNotProcessed)
  }
}
