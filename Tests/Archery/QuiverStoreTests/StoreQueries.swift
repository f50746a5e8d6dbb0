import ChildProcesses
import Foundation
import Synchronization

@testable import QuiverStore

#if DEBUG
  /// Every query of the store, whether a test has used it or not.
  ///
  /// Queries are static properties, most of them private, which are made at first use. This makes
  /// all of them: it finds the accessors of the module's static properties in the symbols of the
  /// test program, and calls each, as the compiler does at an access. An optimized program does not
  /// have them all.
  enum StoreQueries {
    /// The program has no symbols, or the tool that reads them failed.
    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    static func all() throws -> [Query] {
      _ = try created.get()
      // Tests have queries of their own.
      return Query.all.withLock { $0 }.filter { $0.file.hasPrefix("QuiverStore/") }.map(\.query)
    }

    private static let created = Result { try createAll() }

    private static func createAll() throws {
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let base = try base(of: program)
      let symbols = try symbols(of: program)
      guard symbols.count > 100 else {
        throw Failure(description: "nm found \(symbols.count) static properties of QuiverStore")
      }
      for offset in symbols {
        // unsafe: an accessor takes nothing and returns the address of its property.
        let accessor = unsafeBitCast(
          base + offset, to: (@convention(c) () -> UnsafeRawPointer?).self)
        _ = accessor()
      }
    }

    /// Where the program is mapped.
    private static func base(of program: String) throws -> UnsafeRawPointer {
      let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
      for line in maps.split(separator: "\n") where line.hasSuffix(program) {
        let words = line.split(separator: " ")
        let start = words[0].split(separator: "-").first.flatMap { UInt($0, radix: 16) }
        if words.count > 2, UInt(words[2], radix: 16) == 0,
          let base = start.flatMap({ UnsafeRawPointer(bitPattern: $0) })
        {
          return base
        }
      }
      throw Failure(description: "the test program is not found in memory")
    }

    /// The offsets of the accessors: Swift's mangled names of module QuiverStore that end in `vau`,
    /// or `vauZ` for static ones.
    private static func symbols(of program: String) throws -> [Int] {
      let process = ChildProcess()
      let output = Pipe()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["nm", "--defined-only", program]
      process.standardOutput = output
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(description: "nm ended with \(process.terminationStatus); install binutils")
      }
      return text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("$s11QuiverStore"),
          words[2].hasSuffix("vau") || words[2].hasSuffix("vauZ")
        else { return nil }
        return Int(words[0], radix: 16)
      }
    }
  }
#endif
