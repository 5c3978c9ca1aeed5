import { curl } from './curl.ts';
import { type Sample, SECRET_VARIABLE } from './sample.ts';
import { sluice } from './sluice-command.ts';

const node: Sample = {
  id: 'node',
  label: 'Node',
  file: 'send.mjs',
  run: 'node send.mjs',
  code: ({ endpointUrl, secret, body }) => `import { createHmac } from 'node:crypto';

const secret = ${secret === null ? `process.env.${SECRET_VARIABLE}` : `'${secret}'`};
const body = String.raw\`${body}\`;
const timestamp = Math.floor(Date.now() / 1000).toString();
const signature = createHmac('sha256', secret).update(\`\${timestamp}.\${body}\`).digest('hex');

const response = await fetch('${endpointUrl}', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': \`sha256=\${signature}\`,
  },
  body,
});
console.log(response.status, await response.text());
`,
};

const python: Sample = {
  id: 'python',
  label: 'Python',
  file: 'send.py',
  run: 'python3 send.py',
  code: ({ endpointUrl, secret, body }) => `import hashlib
import hmac
import os
import time
import urllib.error
import urllib.request

secret = ${secret === null ? `os.environ["${SECRET_VARIABLE}"]` : `"${secret}"`}
body = r'''${body}'''.encode()
timestamp = str(int(time.time()))
signature = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()

request = urllib.request.Request(
    "${endpointUrl}",
    data=body,
    headers={
        "Content-Type": "application/json",
        "X-Service-Timestamp": timestamp,
        "X-Service-Signature": "sha256=" + signature,
    },
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error
print(response.status, response.read().decode())
`,
};

const php: Sample = {
  id: 'php',
  label: 'PHP',
  file: 'send.php',
  run: 'php send.php',
  code: ({ endpointUrl, secret, body }) => `<?php
$secret = ${secret === null ? `getenv('${SECRET_VARIABLE}')` : `'${secret}'`};
$body = <<<'BODY'
${body}
BODY;
$timestamp = (string) time();
$signature = hash_hmac('sha256', "$timestamp.$body", $secret);

$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Content-Type: application/json',
        "X-Service-Timestamp: $timestamp",
        "X-Service-Signature: sha256=$signature",
    ],
    'content' => $body,
    'ignore_errors' => true,
]]);
$response = fopen('${endpointUrl}', 'r', false, $context);
echo stream_get_meta_data($response)['wrapper_data'][0], ' ', stream_get_contents($response), PHP_EOL;
`,
};

const go: Sample = {
  id: 'go',
  label: 'Go',
  file: 'send.go',
  run: 'go run send.go',
  code: ({ endpointUrl, secret, body }) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
${secret === null ? '\t"os"\n' : ''}	"strconv"
	"strings"
	"time"
)

func main() {
	secret := ${secret === null ? `os.Getenv("${SECRET_VARIABLE}")` : `"${secret}"`}
	body := \`${body}\`
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "." + body))
	signature := hex.EncodeToString(mac.Sum(nil))

	request, err := http.NewRequest("POST", "${endpointUrl}", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Service-Timestamp", timestamp)
	request.Header.Set("X-Service-Signature", "sha256="+signature)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(text))
}
`,
};

const ruby: Sample = {
  id: 'ruby',
  label: 'Ruby',
  file: 'send.rb',
  run: 'ruby send.rb',
  code: ({ endpointUrl, secret, body }) => `require 'net/http'
require 'openssl'

secret = ${secret === null ? `ENV.fetch('${SECRET_VARIABLE}')` : `'${secret}'`}
body = <<~'BODY'.chomp
  ${body}
BODY
timestamp = Time.now.to_i.to_s
signature = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{timestamp}.#{body}")

response = Net::HTTP.post(
  URI('${endpointUrl}'),
  body,
  'Content-Type' => 'application/json',
  'X-Service-Timestamp' => timestamp,
  'X-Service-Signature' => "sha256=#{signature}"
)
puts "#{response.code} #{response.body}"
`,
};

/** Send an event to a source. */
export const SAMPLES: readonly [Sample, ...Sample[]] = [curl, node, python, php, go, ruby, sluice];

/** Send any other body, such as a message to a channel. */
export const PLAIN_SAMPLES: readonly [Sample, ...Sample[]] = [curl, node, python, php, go, ruby];

/** Returns an upsert of an event that starts at an ISO 8601 time. The signature covers exactly these bytes. */
export function sampleEvent(startsAt: string): string {
  return JSON.stringify({
    action: 'upsert',
    event: { title: 'Open day', starts_at: startsAt, location: 'Berlin', price: 'Free' },
  });
}

/** Returns the first message of a conversation, which also asks for a person. */
export function sampleMessage(): string {
  return JSON.stringify({
    action: 'request_handoff',
    conversation: {
      external_id: 'chat-1',
      subject: 'Tickets for the open day',
      contact: { name: 'Ada Lovelace', email: 'ada@example.com' },
    },
    message: { external_id: 'chat-1-1', author: 'visitor', text: 'Can I still get a ticket?' },
  });
}
