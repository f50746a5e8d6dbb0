import QuiverJSON
import QuiverProtobuf
import QuiverRPC

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A status's detail as one line of JSON.
enum DetailJSON {
  /// `{"type":…,"value":{…}}`; for an unknown type its bytes in base64 as `bytes`.
  static func text(of detail: RPCError.Detail, _ types: Types?) -> String {
    let name = quoted(detail.type)
    if let schema = types?.message(named: detail.type),
      let value = try? MessageJSON(printsZeros: true).text(of: detail.value, schema)
    {
      return "{\"type\":\(name),\"value\":\(value)}"
    }
    return "{\"type\":\(name),\"bytes\":\"\(Data(detail.value).base64EncodedString())\"}"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in Terminal.oneLine(text).unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
