public import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// What users do with all their data on the server. Needs a connection.
extension OfflineSession {
  /// A page of all data of the user that the server has.
  ///
  /// The first page has the empty token; `nextPageToken` of a page is the token of the next one,
  /// and is empty in the last. Pages with the same `watermark` show one state. Changes that wait on
  /// this device are not among the data: ``syncNow()`` sends them.
  public func exportAccount(
    page token: String = ""
  ) async throws(SessionError) -> ExportMyDataResponse {
    do throws(SessionError) {
      return try await call(
        Account.exportMyData, .with { ($0.pageToken, $0.pageSize) = (token, 500) })
    } catch {
      throw error.whileTrying(to: "export data")
    }
  }

  /// Deletes the user's account on the server, which cannot be undone, then all its data on this
  /// device with the pending changes, and closes the session.
  ///
  /// `name` is exactly the profile's shown name. What the server refuses changes nothing. If the
  /// reply is lost, the session may be signed out; ``discardLocalData()`` deletes the rest then.
  public func deleteAccount(confirmedBy name: String) async throws(SessionError) {
    do throws(SessionError) {
      _ = try await once(Account.deleteMyAccount, .with { $0.confirmation = name })
    } catch {
      throw error.whileTrying(to: "delete the account")
    }
    try await discardLocalData()
  }
}
