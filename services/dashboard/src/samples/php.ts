import { type Sample, SECRET_VARIABLE } from './sample.ts';

export const php: Sample = {
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
