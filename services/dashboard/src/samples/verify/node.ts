import type { VerifySample } from './verify-sample.ts';

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
