/** A whole program that receives messages and verifies them. It needs the standard library only. */
export interface VerifySample {
  readonly id: string;
  readonly label: string;
  /** The file name for the pasted code. */
  readonly file: string;
  readonly run: string;
  /** It listens on port 3000 and reads the secret from the environment. */
  readonly code: string;
}

/** The environment variable that every program reads. */
export const WEBHOOK_SECRET_VARIABLE = 'SLUICE_WEBHOOK_SECRET';

export const node: VerifySample = {
  id: 'node',
  label: 'Node',
  file: 'receive.mjs',
  run: 'node receive.mjs',
  code: `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const key = Buffer.from(process.env.SLUICE_WEBHOOK_SECRET.slice('whsec_'.length), 'base64');

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const signed = Buffer.concat([Buffer.from(\`\${id}.\${timestamp}.\`), body]);
  const expected = Buffer.from('v1,' + createHmac('sha256', key).update(signed).digest('base64'));
  // There are two signatures while a rotated secret still signs.
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const body = await buffer(request);
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const message = JSON.parse(body);
  console.log(message.type, message.data);
  response.writeHead(204).end();
}).listen(3000);
`,
};

const python: VerifySample = {
  id: 'python',
  label: 'Python',
  file: 'receive.py',
  run: 'python3 receive.py',
  code: `import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(os.environ["SLUICE_WEBHOOK_SECRET"][len("whsec_"):])


def is_genuine(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # There are two signatures while a rotated secret still signs.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, one) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if is_genuine(self.headers, body):
            message = json.loads(body)
            print(message["type"], message["data"])
            self.send_response(204)
        else:
            self.send_response(401)
        self.end_headers()


ThreadingHTTPServer(("", 3000), Receiver).serve_forever()
`,
};

const php: VerifySample = {
  id: 'php',
  label: 'PHP',
  file: 'receive.php',
  run: 'php -S 0.0.0.0:3000 receive.php',
  code: `<?php
$key = base64_decode(substr(getenv('SLUICE_WEBHOOK_SECRET'), strlen('whsec_')));
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$body = file_get_contents('php://input');
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));

// There are two signatures while a rotated secret still signs.
$isGenuine = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
    $isGenuine = hash_equals($expected, $given) || $isGenuine;
}
if (!$isGenuine || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit;
}
$message = json_decode($body, true);
error_log($message['type'] . ' ' . json_encode($message['data']));
http_response_code(204);
`,
};

const go: VerifySample = {
  id: 'go',
  label: 'Go',
  file: 'receive.go',
  run: 'go run receive.go',
  code: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func isGenuine(key []byte, header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// There are two signatures while a rotated secret still signs.
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal(expected, []byte(given)) {
			return true
		}
	}
	return false
}

func main() {
	secret := strings.TrimPrefix(os.Getenv("SLUICE_WEBHOOK_SECRET"), "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || !isGenuine(key, request.Header, body) {
			response.WriteHeader(401)
			return
		}
		fmt.Println(string(body))
		response.WriteHeader(204)
	})
	panic(http.ListenAndServe(":3000", nil))
}
`,
};

const ruby: VerifySample = {
  id: 'ruby',
  label: 'Ruby',
  file: 'receive.ru',
  run: 'gem install rackup webrick && rackup -p 3000 receive.ru',
  code: `require "json"
require "openssl"

KEY = ENV.fetch("SLUICE_WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m")

def genuine?(env, body)
  timestamp = env["HTTP_WEBHOOK_TIMESTAMP"].to_s
  return false if (Time.now.to_i - timestamp.to_i).abs > 300

  signed = "#{env["HTTP_WEBHOOK_ID"]}.#{timestamp}.".b + body.b
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", KEY, signed)].pack("m0")
  # There are two signatures while a rotated secret still signs.
  env["HTTP_WEBHOOK_SIGNATURE"].to_s.split(" ").any? do |given|
    OpenSSL.secure_compare(expected, given)
  end
end

run(lambda do |env|
  body = env["rack.input"]&.read.to_s
  next [401, {}, []] unless genuine?(env, body)

  message = JSON.parse(body)
  puts "#{message["type"]} #{message["data"]}"
  [204, {}, []]
end)
`,
};

const java: VerifySample = {
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

/** Receive the messages of a webhook subscription. */
export const VERIFY_SAMPLES: readonly [VerifySample, ...VerifySample[]] = [node, python, php, go, ruby, java];
