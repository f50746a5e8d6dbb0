import Glibc
import QuiverAPI
import QuiverClient
import QuiverJSON
import QuiverRPC

/// `quiver admin backup`: a copy of the whole database, on the server's disk.
enum AdminBackupCommand {
  static let command = Command(
    "admin backup", operands: "FILE", summary: "copy the server's whole database into a file",
    details: """
      The server writes FILE on its own machine with its own permissions, and continues to serve;
      nothing is sent to this program. The backup has every change that was acknowledged before the
      command. It is synced, and each of its pages is checked. FILE must not exist; its directory
      must exist. A relative FILE is in the current directory and needs a server on this machine;
      otherwise FILE begins with a slash.

      Prints the line that `sha256sum --check` takes. Restore the backup with
      `quiverd restore FILE --data DIR`. If the command is interrupted, the incomplete file is
      removed.
      """,
    flags: [.json, .longTimeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let file = try arguments.operands(1...1, "one FILE")[0]
    let access = try Access(arguments, timeout: .seconds(3_600))
    var request = BackupRequest()
    request.file = try path(of: file, access, arguments)
    let wanted = request
    if !arguments.has(.json) {
      Terminal.notice(Terminal.oneLine("the server copies its database to \(request.file)"))
    }
    let made: BackupResponse
    do throws(RPCError) {
      made = try await access.client.call(Admin.backup, wanted)
    } catch {
      throw access.plainFailure(error)
    }
    if arguments.has(.json) {
      try Terminal.print(MessageJSON(printsZeros: true, isPretty: true).text(of: made))
    } else {
      try Terminal.print("\(Hexadecimal.text(made.sha256))  \(Terminal.oneLine(made.file))")
      Terminal.notice("\(made.byteCount) bytes, synced, every page checked")
    }
  }

  /// The path as seen by the server.
  private static func path(
    of file: String, _ access: Access, _ arguments: Arguments
  ) throws(Failure) -> String {
    guard !file.hasPrefix("/") else { return file }
    guard access.isServerHere else {
      throw arguments.usage(
        "FILE is a path on the server's machine and begins with a slash, as /var/backups/\(file)")
    }
    guard let directory = getcwd(nil, 0) else {
      throw .input("the current directory was removed; give FILE as an absolute path")
    }
    defer { free(directory) }
    return String(cString: directory) + "/" + file
  }
}
