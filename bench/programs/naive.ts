/**
 * The naive pipeline, as tutorials build it: Express, one script for the rate of the source, one job for each request,
 * and the response once Redis has the job.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { Queue } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import { listenAndTell } from '../support/tell.ts';

const secret = process.env.SECRET as string;
const redis = new Redis(process.env.REDIS_URL as string, { maxRetriesPerRequest: null });
const queue = new Queue('naive', { connection: redis, defaultJobOptions: { removeOnComplete: true } });

redis.defineCommand('rate', {
  numberOfKeys: 1,
  lua: `
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local interval, burst = 1000000 / ARGV[1], ARGV[2] * 1000000 / ARGV[1]
    local tat = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0))
    if tat + interval - burst > now then return 0 end
    redis.call('SET', KEYS[1], string.format('%.0f', tat + interval), 'EX', 60)
    return 1`,
});
const rate = redis as unknown as { rate(key: string, perSecond: number, burst: number): Promise<0 | 1> };

const app = express();
app.post(
  '/api/v1/events/webhook/:sourceId',
  express.raw({ type: 'application/json' }),
  async (request, response) => {
    const raw = request.body as Buffer;
    const expected = createHmac('sha256', secret)
      .update(`${request.get('x-service-timestamp')}.`)
      .update(raw)
      .digest();
    const claimed = Buffer.from(String(request.get('x-service-signature')).slice(7), 'hex');
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected))
      return void response.sendStatus(401);
    if ((await rate.rate(`rate:${request.params.sourceId}`, 1_000_000, 1_000_000)) === 0)
      return void response.sendStatus(429);
    const action = JSON.parse(raw.toString());
    const job = await queue.add('action', { source: request.params.sourceId, ...action });
    response.json({ ok: true, id: job.id });
  },
);
listenAndTell(createServer(app));
