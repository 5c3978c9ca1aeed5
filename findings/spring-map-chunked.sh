#!/usr/bin/env bash
# Spring's RestClient sends a Map in chunks, and offers HTTP/2 with each request.
#
# Expected: a POST of a small body has Content-Length, and no header about HTTP/2 after a server has not answered to it.
# Instead: a Map is written to the line while it is serialised: Transfer-Encoding: chunked. Bytes and a String have
#   Content-Length. Over http each request has `Connection: Upgrade, HTTP2-Settings` and `Upgrade: h2c`, also the second one.
# Versions: spring-web 7.0.1 with Jackson 3.0.2, HTTP client of OpenJDK 17.0.15. Date: 2026-11-27.
# Hurts: the sender of a Map cannot see the bytes that it has to sign. A server that reads plain HTTP quickly does not meet it.
# In our code: docs/sending-events.md, "Sign what is sent". services/ingress/src/http/plain leaves such requests to Node.
# Usage: findings/spring-map-chunked.sh [version of spring-web]
set -euo pipefail
for program in java mvn; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
version=${1:-7.0.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<EOF
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>look</groupId><artifactId>look</artifactId><version>1</version><dependencies>
<dependency><groupId>org.springframework</groupId><artifactId>spring-web</artifactId><version>$version</version></dependency>
<dependency><groupId>tools.jackson.core</groupId><artifactId>jackson-databind</artifactId><version>3.0.2</version></dependency>
</dependencies></project>
EOF
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib
cat >Look.java <<'EOF'
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

class Look {
  public static void main(String[] args) throws Exception {
    var client = RestClient.create();
    for (Object body : new Object[] {Map.of("n", 1.0), "{\"n\":1.0}", "{\"n\":1.0}".getBytes()})
      client.post().uri(args[0]).contentType(MediaType.APPLICATION_JSON).body(body).retrieve().toBodilessEntity();
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

const got = [];
const server = createServer(async (request, response) => {
  const { upgrade, 'transfer-encoding': encoding, 'content-length': length } = request.headers;
  got.push({ body: await text(request), upgrade, encoding, length });
  response.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
await promisify(execFile)('java', ['-cp', 'lib/*', 'Look.java', `http://127.0.0.1:${server.address().port}/`]);
console.log(got);
const [map, string, bytes] = got;
assert.equal(map.encoding, 'chunked', 'a Map has a Content-Length now');
assert.equal(string.length, '9');
assert.equal(bytes.length, '9');
for (const { body, upgrade } of got) assert.deepEqual([body, upgrade], ['{"n":1.0}', 'h2c']);
server.close();
EOF
node look.mjs
