import Glibc
import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver strength import`: a strength log of any length.
enum StrengthImportCommand {
  private static let lenient = Flag(
    "--lenient", .none, "skip invalid lines and name them; else one invalid line rejects the file")
  private static let replace = Flag("--replace", .none, "replace all existing sets")
  private static let unit = Flag(
    "--unit", .word("lb|kg"), "the unit of the weights; else the one in the file, else lb")
  private static let format = Flag(
    "--format", .word("strong|hevy"), "the file is an export of this app")

  static let command = Command(
    "strength import", operands: "FILE", summary: "import a strength log",
    details: """
      Lines are MMM dd yyyy,Exercise,sets,reps,weight, or the same without sets. A set that
      exists is not added again. An interrupted import stores nothing. - is standard input.

      With --format the file has the columns of Strong or Hevy, in any order. Date, exercise, weight
      and repetitions are kept; columns that are not known are named. A row is one set; rows without
      repetitions or weight are counted and left out. A file without a unit needs --unit.
      """,
    flags: [lenient, unit, format, replace, .longTimeout], run: run)

  /// The number of bytes of a chunk.
  private static let chunkByteCount = 64 * 1024

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(1...1, "one FILE")
    var options = ImportOptions()
    options.lenient = arguments.has(lenient)
    options.mode = arguments.has(replace) ? .replace : .merge
    if let text = arguments.value(of: unit) {
      guard let number = WeightText.unit(text) else {
        throw arguments.usage("--unit is lb or kg, not \(text)")
      }
      options.unit = number
    }
    let input: any ChunkSource
    if let word = arguments.value(of: format) {
      input = try WorkoutFile(words[0], word, &options, arguments)
    } else {
      let reader = try ChunkReader(path: words[0])
      try takeUnit(of: reader, &options, arguments)
      input = reader
    }
    options.byteCount = input.byteCount
    let access = try Access(arguments, timeout: .seconds(3_600))
    let result = try await send(input, options, access)
    try report(result)
    guard result.kept else {
      throw BadLinesText.failure(result.badLines, count: result.badLineCount)
    }
  }

  /// Takes the unit that an export names in its first line.
  private static func takeUnit(
    of input: ChunkReader, _ options: inout ImportOptions, _ arguments: Arguments
  ) throws(Failure) {
    let first = try input.peek(atMost: chunkByteCount)
    guard let named = StrengthFileHead.unit(of: first) else { return }
    guard options.unit == .unspecified || options.unit == named else {
      throw arguments.usage(
        "the weights are in \(WeightText.symbol(named)), as the first line says; leave --unit out")
    }
    options.unit = named
  }

  private static func send(
    _ input: any ChunkSource, _ options: ImportOptions, _ access: Access
  ) async throws(Failure) -> ImportResult {
    let call = try await access.attemptPlainly { () async throws(RPCError) in
      try access.client.open(
        Logbook.importSets, options: CallOptions(timeout: access.timeout))
    }
    let sending = Task { () -> Failure? in
      do throws(Failure) {
        var request = ImportSetsRequest()
        request.options = options
        repeat {
          request.chunk = try input.next(atMost: chunkByteCount)
          let item = request
          do throws(RPCError) { try await call.send(item) } catch { return nil }
          request.options = nil
        } while !request.chunk.isEmpty
        call.finish()
        return nil
      } catch {
        call.cancel()
        return error
      }
    }
    var bar = ProgressBar()
    var result: ImportResult?
    var refusal: RPCError?
    do throws(RPCError) {
      for try await progress in call.replies {
        // The import continues after all bytes were read, and the size of standard input is
        // unknown.
        let total = Double(max(1, progress.byteCount))
        let share = progress.result == nil ? min(0.99, Double(progress.readByteCount) / total) : 1
        bar.show(progress.byteCount == 0 && share < 1 ? 0 : share, "\(progress.lineCount) lines")
        result = progress.result ?? result
      }
    } catch {
      refusal = error
    }
    bar.end()
    if let failure = await sending.value { throw failure }
    if let refusal { throw access.plainFailure(refusal) }
    guard let result else { throw Failure.input("the server ended the import without a result") }
    return result
  }

  private static func report(_ result: ImportResult) throws(Failure) {
    guard result.kept else { return }
    for line in result.badLines { BadLinesText.printError(line) }
    let rest = result.badLineCount - Int64(result.badLines.count)
    if rest > 0 { Terminal.printError("and \(rest) more") }
    var text = "\(result.lineCount) lines: added \(result.added), unchanged \(result.unchanged)"
    if result.removed > 0 { text += ", removed \(result.removed)" }
    if result.badLineCount > 0 { text += ", skipped \(result.badLineCount)" }
    try Terminal.confirm(text)
  }
}

/// The bytes of a log, in chunks.
protocol ChunkSource: Sendable {
  /// 0 if it is not known.
  var byteCount: Int64 { get }

  /// The next bytes; empty at the end.
  func next(atMost count: Int) throws(Failure) -> [UInt8]
}

/// A file or standard input, read in chunks.
// Sendable because one task at a time reads, and only it uses the descriptor.
final class ChunkReader: ChunkSource, @unchecked Sendable {
  /// 0 if it is not known.
  let byteCount: Int64
  private let path: String
  private let descriptor: Int32
  private var peeked: [UInt8] = []

  init(path: String) throws(Failure) {
    self.path = path
    guard path != "-" else {
      descriptor = STDIN_FILENO
      byteCount = 0
      return
    }
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      byteCount = 0
      throw .input("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    var status = stat()
    byteCount = fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  deinit {
    if path != "-", descriptor >= 0 { close(descriptor) }
  }

  /// The next bytes, which the next call of ``next(atMost:)`` returns too.
  func peek(atMost count: Int) throws(Failure) -> [UInt8] {
    peeked = try next(atMost: count)
    return peeked
  }

  func next(atMost count: Int) throws(Failure) -> [UInt8] {
    guard peeked.isEmpty else {
      defer { peeked = [] }
      return peeked
    }
    var item = [UInt8](repeating: 0, count: count)
    while true {
      let read = item.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else {
        throw .input("cannot read \(path): \(String(cString: strerror(errno)))")
      }
      item.removeLast(count - read)
      return item
    }
  }
}
