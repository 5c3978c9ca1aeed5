/** The floor of deliveries: an undici pool, one HMAC and one POST for each message. It has no queue and no log. */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';

const CONNECTIONS = 32;
const url = new URL(process.env.TARGET as string);
const key = Buffer.alloc(48, 1);
const pool = new Pool(url.origin, { connections: CONNECTIONS });
const filler = 'x'.repeat(600);

async function post(number: number): Promise<void> {
  const id = `msg_${String(number).padStart(32, '0')}`;
  const body = `{"id":"${id}","type":"event.created","timestamp":"${new Date().toISOString()}","data":"${filler}"}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const { statusCode, body: answer } = await pool.request({
    path: url.pathname,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await answer.dump();
  if (statusCode !== 200) throw new Error(`the receiver responded ${statusCode}`);
}

process.on('message', async ({ from, count }: { from: number; count: number }) => {
  let next = 0;
  const lane = async () => {
    while (next < count) await post(from + next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  process.send?.({ done: true });
});
process.on('disconnect', () => process.exit());
process.send?.({ url: '' });
