/**
 * A publisher as that of the naive pipeline, but for Sluice's mailboxes: Express, the text of the message in MongoDB, and its entry
 * in the mailboxes. It responds once both have it. There is no ingress, no worker and no record.
 */
import { createServer } from 'node:http';
import { createShards } from '@sluice/shards/shards';
import { connectStore } from '@sluice/store/connect';
import type { UntoldRecord } from '@sluice/store/untold/untold-record';
import { coalesced } from '@sluice/store/writing/coalesced';
import { connectOutbound } from '@sluice/telling/connect-outbound';
import express from 'express';
import { Redis } from 'ioredis';
import { listenAndTell } from '../support/tell.ts';

const { REDIS_URL = '', MONGO_URL = '', SLUICE_NAMESPACE: namespace = '', ACCOUNT = '' } = process.env;
const redis = new Redis(REDIS_URL, { maxRetriesPerRequest: null });
const logger = { info: () => {}, warn: () => {}, error: () => {} };
const store = connectStore({ url: MONGO_URL, namespace, logger });
const onError = (error: unknown) => process.stderr.write(`direct publisher: ${String(error)}\n`);
const { outbound } = connectOutbound({
  ...{ redis, shards: createShards(namespace, 1), store, replicaWaits: [], now: Date.now },
  ...{ onError, onUnsendable: onError },
});
const tell = coalesced(async (records: readonly UntoldRecord[]) => {
  const fanned = await outbound.fanOut(ACCOUNT, records);
  if (fanned.status === 'fenced') throw new Error('the account is fenced');
  outbound.forgetLater.add(ACCOUNT, fanned.told);
});
let number = 0;

const app = express();
app.use(express.json());
app.post('/publish', async (request, response) => {
  const id = `evt_${String(++number).padStart(32, '0')}`;
  const [at, actor] = [Date.now(), { type: 'source', id: 'src_bench' } as const];
  const change = {
    sequence: number,
    kind: 'event.created',
    at,
    actor,
    data: { id, ...request.body },
  } as const;
  await tell([{ collection: 'events', id, account_id: ACCOUNT, changes: [change] }]);
  response.json({ ok: true, id });
});
listenAndTell(createServer(app));
