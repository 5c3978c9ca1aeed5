#!/usr/bin/env bash
# OkHttp, HttpURLConnection and curl send a POST again if the connection closes without a response.
#
# Expected: a POST is not idempotent (RFC 9110, 9.2.2), so a lost response is an error for the caller.
# Instead: on a connection that was used before, each of them sends the same bytes again on a new one, and reports a 200.
# Versions: OkHttp 5.3.2, HttpURLConnection of OpenJDK 17.0.15, curl 7.88.1. Date: 2026-11-27.
# Hurts: a server that counts each POST. A signed request with its timestamp has one effect here, however often it comes.
# In our code: packages/admission/src/checks/duplicates.lua.ts finds the repetition. docs/sending-events.md names these clients.
# Usage: findings/post-sent-twice.sh [version of OkHttp]
set -euo pipefail
for program in java mvn curl; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
version=${1:-5.3.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<EOF
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>look</groupId><artifactId>look</artifactId><version>1</version><dependencies><dependency>
<groupId>com.squareup.okhttp3</groupId><artifactId>okhttp-jvm</artifactId><version>$version</version>
</dependency></dependencies></project>
EOF
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib
cat >Look.java <<'EOF'
import java.net.HttpURLConnection;
import java.net.URI;
import okhttp3.*;

class Look {
  public static void main(String[] args) throws Exception {
    var client = new OkHttpClient();
    for (int n = 1; n <= 2; n++) {
      var body = RequestBody.create("{\"n\":" + n + "}", MediaType.get("application/json"));
      try (var response = client.newCall(new Request.Builder().url(args[0] + "okhttp").post(body).build()).execute()) {
        response.body().string();
      }
    }
    for (int n = 1; n <= 2; n++) {
      var connection = (HttpURLConnection) URI.create(args[0] + "url-connection").toURL().openConnection();
      connection.setDoOutput(true);
      connection.getOutputStream().write(("{\"n\":" + n + "}").getBytes());
      connection.getInputStream().readAllBytes();
    }
    System.exit(0);
  }
}
EOF
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);
const got = {};
const asked = new WeakMap();
// Responds to the first request of a connection. Closes the connection without a response to the second.
const server = createServer(async (request, response) => {
  const body = await text(request);
  (got[request.url] ??= []).push(body);
  const count = (asked.get(request.socket) ?? 0) + 1;
  asked.set(request.socket, count);
  if (count === 2) request.socket.destroy();
  else response.end('{}');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
await run('java', ['-cp', 'lib/*', 'Look.java', url]);
await run('curl', ['-sSf', '-d', '{"n":1}', `${url}curl`, '--next', '-sSf', '-d', '{"n":2}', `${url}curl`]);
console.log(got);
for (const client of ['/okhttp', '/url-connection', '/curl'])
  assert.deepEqual(got[client], ['{"n":1}', '{"n":2}', '{"n":2}'], `${client} reports a lost response now`);
server.close();
EOF
node look.mjs
