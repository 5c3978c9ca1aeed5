/** The naive outbound pipeline, as tutorials build it: Express, and one BullMQ job for each message. */
import { createServer } from 'node:http';
import { Queue } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import { listenAndTell } from '../support/tell.ts';

const redis = new Redis(process.env.REDIS_URL as string, { maxRetriesPerRequest: null });
const queue = new Queue('messages', {
  connection: redis,
  defaultJobOptions: {
    removeOnComplete: true,
    attempts: 11,
    backoff: { type: 'exponential', delay: 5000 },
  },
});
let number = 0;

const app = express();
app.use(express.json());
app.post('/publish', async (request, response) => {
  const id = `msg_${String(++number).padStart(32, '0')}`;
  const body = { id, type: 'event.created', timestamp: new Date().toISOString(), data: request.body };
  await queue.add('message', { id, url: process.env.TARGET, body });
  response.json({ ok: true, id });
});
listenAndTell(createServer(app));
