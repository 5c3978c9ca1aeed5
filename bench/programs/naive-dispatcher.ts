/**
 * The worker of the naive outbound pipeline, as tutorials build it: one job a message, global fetch, one insert an attempt. Its
 * writes are as durable as Sluice's.
 */
import { createHmac } from 'node:crypto';
import { Worker } from 'bullmq';
import mongoose from 'mongoose';

const CONCURRENCY = 50;
const key = Buffer.alloc(48, 1);

const Attempt = mongoose.model(
  'Attempt',
  new mongoose.Schema({ message: String, url: String, status: Number, duration_ms: Number, at: Date }).index({
    message: 1,
  }),
);
await mongoose.connect(process.env.MONGO_URL as string, { writeConcern: { w: 'majority', journal: true } });
await Attempt.init();

const { hostname, port } = new URL(process.env.REDIS_URL as string);
const worker = new Worker(
  'messages',
  async ({ data: { id, url, body } }) => {
    const text = JSON.stringify(body);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64');
    const began = Date.now();
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body: text,
      signal: AbortSignal.timeout(15_000),
    });
    await response.text();
    await Attempt.create({
      message: id,
      url,
      status: response.status,
      duration_ms: Date.now() - began,
      at: new Date(),
    });
    if (!response.ok) throw new Error(`the receiver responded ${response.status}`);
  },
  {
    connection: { host: hostname, port: Number(port), maxRetriesPerRequest: null },
    concurrency: CONCURRENCY,
  },
);
worker.on('failed', (_, error) => process.stderr.write(`naive dispatcher: ${error.message}\n`));
await worker.waitUntilReady();
process.on('disconnect', () => process.exit());
process.send?.({ url: '' });
