import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import quiver.CallOptions;
import quiver.Client;
import quiver.RpcException;
import quiver.StatusCode;
import quiver.Uuid7;
import quiver.v1.AddEntriesRequest;
import quiver.v1.AddEntriesResponse;
import quiver.v1.CreateTournamentRequest;
import quiver.v1.EntryDraft;
import quiver.v1.FormatReference;
import quiver.v1.GetStandingsRequest;
import quiver.v1.OperationKind;
import quiver.v1.RecordEndRequest;
import quiver.v1.ScoringOperation;
import quiver.v1.StartTournamentRequest;

/**
 * Scores a tournament that survives lost connections and restarts of the server.
 *
 * <p>usage: Scorer [ARCHERS [ENDS]]; the server and the token are those of the environment, or of quiver login.
 *
 * <p>Every arrow has a client_id, so that it may be sent until it is acknowledged and counts once. The
 * program prints each end, compares the standings with its own sums, and exits with 1 if they differ.
 */
public final class Scorer {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Makes a call with one key until the server answers. */
  private static <R> R untilAcknowledged(Function<CallOptions, R> call) throws InterruptedException {
    byte[] key = new byte[16];
    RANDOM.nextBytes(key);
    CallOptions options = CallOptions.NONE.withKey(key).waitingForReady().withTimeout(Duration.ofSeconds(10));
    while (true) {
      try {
        return call.apply(options);
      } catch (RpcException error) {
        if (error.code() != StatusCode.UNAVAILABLE && error.code() != StatusCode.DEADLINE_EXCEEDED) throw error;
        System.err.println("again: " + error);
        Thread.sleep(200);
      }
    }
  }

  private static ScoringOperation arrow(long participant, int end, int index) {
    return ScoringOperation.newBuilder().setClientId(Uuid7.next()).setKind(OperationKind.OPERATION_KIND_RECORD)
        .setParticipantId(participant).setEndIndex(end).setArrowIndex(index)
        .setValue(6 + RANDOM.nextInt(5)).build();
  }

  public static void main(String[] words) throws InterruptedException {
    int archers = words.length > 0 ? Integer.parseInt(words[0]) : 4;
    int ends = words.length > 1 ? Integer.parseInt(words[1]) : 10;
    boolean isEqual;
    try (Client client = Client.connect()) {
      isEqual = score(client, archers, ends);
    }
    System.out.println(isEqual ? "the standings are those of the arrows" : "the standings differ");
    System.exit(isEqual ? 0 : 1);
  }

  private static boolean score(Client client, int archers, int ends) throws InterruptedException {
    CreateTournamentRequest create = CreateTournamentRequest.newBuilder().setName("Indoor evening")
        .setFormat(FormatReference.newBuilder().setCodename("wa18")).setClientId(Uuid7.next()).build();
    long event = untilAcknowledged(options -> client.tournament().createTournament(create, options)).getId();
    AddEntriesRequest.Builder add = AddEntriesRequest.newBuilder().setTournamentId(event);
    for (int number = 1; number <= archers; number++) {
      add.addEntries(EntryDraft.newBuilder().setClientId(Uuid7.next()).setName("Archer " + number));
    }
    AddEntriesResponse entered =
        untilAcknowledged(options -> client.tournament().addEntries(add.build(), options));
    StartTournamentRequest start = StartTournamentRequest.newBuilder().setId(event).build();
    untilAcknowledged(options -> client.tournament().startTournament(start, options));
    Map<Long, Long> totals = new HashMap<>();
    entered.getParticipantsList().forEach(one -> totals.put(one.getId(), 0L));
    for (int end = 0; end < ends; end++) {
      for (long participant : totals.keySet()) {
        RecordEndRequest.Builder record = RecordEndRequest.newBuilder();
        for (int index = 0; index < 3; index++) record.addOperations(arrow(participant, end, index));
        untilAcknowledged(options -> client.tournament().recordEnd(record.build(), options));
        long sum = record.getOperationsList().stream().mapToLong(ScoringOperation::getValue).sum();
        totals.merge(participant, sum, Long::sum);
      }
      System.out.println("end " + (end + 1) + ": " + totals.values().stream().mapToLong(one -> one).sum());
    }
    GetStandingsRequest get = GetStandingsRequest.newBuilder().setTournamentId(event).build();
    Map<Long, Long> stored = new HashMap<>();
    client.tournament().getStandings(get, CallOptions.NONE.waitingForReady()).getRowsList()
        .forEach(row -> stored.put(row.getParticipantId(), (long) row.getTotal()));
    return stored.equals(totals);
  }
}
