import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Verifies one message a line of standard input, and prints "verified" or "rejected" for each. Fields are separated by tabs. */
class Verify {
  public static void main(String[] args) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null; ) {
      var fields = line.split("\t");
      var headers =
          Map.of(
              "webhook-id", List.of(fields[1]),
              "webhook-timestamp", List.of(fields[2]),
              "webhook-signature", List.of(fields[3]));
      try {
        new Webhook(fields[0]).verify(fields[4], headers);
        System.out.println("verified");
      } catch (WebhookVerificationException error) {
        System.out.println("rejected");
      }
    }
  }
}
