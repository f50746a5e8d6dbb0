import quiver.Client;
import quiver.v1.CreateRiserRequest;
import quiver.v1.Riser;

/** Creates a riser and prints its id. */
public final class First {
  public static void main(String[] words) {
    try (Client client = Client.connect()) {
      Riser riser = Riser.newBuilder().setBrand("Hoyt").setModel("Formula XD").build();
      Riser made = client.equipment().createRiser(CreateRiserRequest.newBuilder().setRiser(riser).build());
      System.out.println(made.getId());
    }
  }
}
