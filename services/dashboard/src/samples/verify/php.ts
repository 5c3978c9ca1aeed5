import type { VerifySample } from './verify-sample.ts';

export const php: VerifySample = {
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
