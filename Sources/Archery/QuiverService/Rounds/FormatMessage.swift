import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension QuiverAPI.RoundFormat {
  /// The proto field that holds a format.
  static let fieldName = "format"

  init(_ record: RoundFormatRecord) {
    self.init()
    let format = record.format
    id = record.id
    clientID = record.clientID
    codename = format.codename
    name = format.name
    location = QuiverAPI.RoundLocation(rawValue: format.location.rawValue)
    body = format.body
    passes = format.passes.map(QuiverAPI.RoundPass.init)
    arrowCount = UInt32(clamping: format.arrowCount)
    endCount = UInt32(clamping: format.endCount)
    maximumScore = UInt32(clamping: format.maximumScore)
    createdAtMilliseconds = record.createdAtMilliseconds
  }

  /// The owner's fields; throws INVALID_ARGUMENT for an unknown number of an enum.
  func content() throws -> QuiverRules.RoundFormat {
    guard let location = QuiverRules.RoundLocation(rawValue: location.rawValue) else {
      throw RPCError.invalid(Self.fieldName + ".location", "must be indoor, outdoor or field")
    }
    guard passes.count <= QuiverRules.RoundFormat.passRange.upperBound else {
      throw RPCError.invalid(
        Self.fieldName + ".passes",
        "must be at most \(QuiverRules.RoundFormat.passRange.upperBound)")
    }
    var content: [QuiverRules.RoundPass] = []
    for (index, pass) in passes.enumerated() {
      content.append(try pass.content(location, path: "\(Self.fieldName).passes[\(index)]"))
    }
    return QuiverRules.RoundFormat(name: name, location: location, body: body, passes: content)
  }
}

extension QuiverAPI.RoundPass {
  init(_ pass: QuiverRules.RoundPass) {
    self.init()
    arrows = UInt32(clamping: pass.arrowCount)
    arrowsPerEnd = UInt32(clamping: pass.arrowsPerEnd)
    distance = pass.distance
    unit = QuiverAPI.DistanceUnit(rawValue: pass.unit.rawValue)
    face = QuiverAPI.Face(rawValue: pass.face.rawValue)
    diameterCentimetres = pass.diameterCentimetres
  }

  fileprivate func content(
    _ location: QuiverRules.RoundLocation, path: String
  ) throws -> QuiverRules.RoundPass {
    guard let unit = QuiverRules.DistanceUnit(rawValue: unit.rawValue) else {
      throw RPCError.invalid(path + ".unit", "must be metre or yard")
    }
    guard let face = QuiverRules.Face(rawValue: face.rawValue) else {
      throw RPCError.invalid(path + ".face", "must be one of the faces that ListFaces answers")
    }
    return QuiverRules.RoundPass(
      arrowCount: Int(arrows),
      arrowsPerEnd: arrowsPerEnd == 0 ? location.arrowsPerEnd : Int(arrowsPerEnd),
      distance: distance, unit: unit, face: face, diameterCentimetres: diameterCentimetres)
  }
}

extension FormatReference {
  /// The format that a request names; `path` is the reference's.
  func reference(path: String = "format") throws -> FormatChoice {
    guard codename.isEmpty else {
      guard id == 0, clientID.isEmpty else {
        throw RPCError.invalid(
          path + ".codename", "must not be given beside an id; name one of them")
      }
      return .codename(codename)
    }
    return .own(try .given(id: id, clientID: clientID, prefix: path + "."))
  }
}

extension FaceInfo {
  init(_ specification: FaceSpecification) {
    self.init()
    face = QuiverAPI.Face(rawValue: specification.face.rawValue)
    code = specification.code
    values = specification.values.map { UInt32(clamping: $0) }
    rings = specification.rings.map { ring in
      var shown = FaceRing()
      shown.diameter = ring.diameter
      shown.value = UInt32(clamping: ring.value)
      return shown
    }
    xRing = specification.xRing ?? 0
    topValue = UInt32(clamping: specification.topValue)
    secondValue = UInt32(clamping: specification.secondValue)
  }
}
