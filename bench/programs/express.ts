/** Stock Express: its raw body parser, the signature and JSON.parse, without a queue. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import { listenAndTell } from '../support/tell.ts';

const secret = process.env.SECRET as string;
const app = express();
app.post(
  '/api/v1/events/webhook/:sourceId',
  express.raw({ type: 'application/json' }),
  (request, response) => {
    const raw = request.body as Buffer;
    const expected = createHmac('sha256', secret)
      .update(`${request.get('x-service-timestamp')}.`)
      .update(raw)
      .digest();
    const claimed = Buffer.from(String(request.get('x-service-signature')).slice(7), 'hex');
    if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected))
      return void response.sendStatus(401);
    JSON.parse(raw.toString());
    response.json({ ok: true });
  },
);
listenAndTell(createServer(app));
