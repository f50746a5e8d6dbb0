import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore

extension EventsService {
  var deviceRoutes: [Route] {
    [
      .responding(Events.createPlateCodes, createPlateCodes),
      .responding(Events.endDevice, endDevice),
      .reading(Events.listEventDevices, commands, listDevices),
      .responding(Events.reportDevice, reportDevice),
      .responding(Events.deliverOperations, deliverOperations),
    ]
  }

  func createPlateCodes(
    _ request: CreatePlateCodesRequest, _ call: CallContext,
    _ responder: Responder<CreatePlateCodesResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    let command = try MakePlateCodes(
      event: request.tournamentID, first: request.firstTarget, last: request.lastTarget)
    // The codes of an event are the same each time, and are not stored.
    commands.submit(command, by: caller, call, responder, keepsKey: false) { codes in
      var response = CreatePlateCodesResponse()
      response.codes = codes.map { found in
        TargetCode.with { ($0.target, $0.code) = (found.target, found.code) }
      }
      return response
    }
  }

  func endDevice(
    _ request: EndDeviceRequest, _ call: CallContext, _ responder: Responder<EndDeviceResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    commands.submit(
      EndDevice(request.principalID, of: request.tournamentID), by: caller, call, responder
    ) { _ in EndDeviceResponse() }
  }

  func listDevices(
    _ request: ListEventDevicesRequest, _ call: CallContext
  ) throws -> ListEventDevicesResponse {
    let caller = try call.storeCaller().principal
    var response = ListEventDevicesResponse()
    response.devices = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.devices(event: request.tournamentID, principal: caller).map { found in
        EventDevice(found.device, endedAt: found.endedAtMilliseconds)
      }
    }
    return response
  }

  func reportDevice(
    _ request: ReportDeviceRequest, _ call: CallContext,
    _ responder: Responder<ReportDeviceResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    guard let given = request.report else { throw RPCError.invalid("report", "must be given") }
    var report = EventDeviceRecord.Report()
    report.waitingOperations = given.waitingOperations
    report.waitingSinceMilliseconds = given.waitingSinceMilliseconds
    report.pageVersion = given.pageVersion
    report.batteryPercent = given.batteryPercent
    commands.submit(try ReportDevice(report), by: caller, call, responder) { _ in
      ReportDeviceResponse()
    }
  }
}

extension EventDevice {
  /// `endedAt` is 0 while it may score.
  init(_ record: EventDeviceRecord, endedAt: Int64) {
    self.init()
    tournamentID = record.event
    principalID = record.principal
    device = record.device
    joinedAtMilliseconds = record.joinedAtMilliseconds
    lastCallAtMilliseconds = record.lastCallAtMilliseconds
    endedAtMilliseconds = endedAt
    leaseCount = UInt32(clamping: record.leaseCount)
    reportedAtMilliseconds = record.reportedAtMilliseconds
    guard record.reportedAtMilliseconds > 0 else { return }
    var report = DeviceReport()
    report.waitingOperations = record.report.waitingOperations
    report.waitingSinceMilliseconds = record.report.waitingSinceMilliseconds
    report.pageVersion = record.report.pageVersion
    report.batteryPercent = record.report.batteryPercent
    self.report = report
  }
}
