import type { VerifySample } from './verify-sample.ts';

export const java: VerifySample = {
  id: 'java',
  label: 'Java',
  file: 'Receive.java',
  run: 'java Receive.java',
  code: `import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receive {
  public static void main(String[] args) throws Exception {
    String secret = System.getenv("SLUICE_WEBHOOK_SECRET").substring("whsec_".length());
    byte[] key = Base64.getDecoder().decode(secret);
    HttpServer server = HttpServer.create(new InetSocketAddress(3000), 0);
    server.createContext("/", exchange -> {
      byte[] body = exchange.getRequestBody().readAllBytes();
      var headers = exchange.getRequestHeaders();
      boolean genuine = isGenuine(key, headers.getFirst("webhook-id"),
          headers.getFirst("webhook-timestamp"), headers.getFirst("webhook-signature"), body);
      if (genuine) System.out.println(new String(body, "UTF-8"));
      exchange.sendResponseHeaders(genuine ? 204 : 401, -1);
      exchange.close();
    });
    server.start();
  }

  static boolean isGenuine(byte[] key, String id, String timestamp, String signatures, byte[] body) {
    if (id == null || signatures == null || timestamp == null || !timestamp.matches("\\\\d{1,12}")) return false;
    long age = System.currentTimeMillis() / 1000 - Long.parseLong(timestamp);
    if (Math.abs(age) > 300) return false;
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update((id + "." + timestamp + ".").getBytes("UTF-8"));
      byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes("UTF-8");
      // There are two signatures while a rotated secret still signs.
      for (String given : signatures.split(" "))
        if (MessageDigest.isEqual(expected, given.getBytes("UTF-8"))) return true;
      return false;
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }
}
`,
};
