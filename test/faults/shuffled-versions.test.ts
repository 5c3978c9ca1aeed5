import { isDeepStrictEqual } from 'node:util';
import { type AdmittedAction, GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { newId } from '@sluice/credentials/ids';
import { createProducer, type Producer } from '@sluice/queue/producer';
import { createKeyspace } from '@sluice/redis/keyspace';
import type { ListedEvent } from '@sluice/store/events/listed-event';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { seededRandom } from '../support/load.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { seed, sized } from '../support/size.ts';
import { cancel, remove, upsert } from '../worker/support/groups.ts';
import { report } from './support/report.ts';
import { drained } from './support/whole.ts';

const WORKERS = sized({ short: 2, long: 4 });
const SEEDS = sized({ short: 1, long: 20 });
const ACTIONS = sized({ short: 300, long: 10_000 });
const EVENTS = sized({ short: 40, long: 400 });
const LARGEST_GROUP = 60;
/** Groups that are enqueued at the same time. */
const AT_A_TIME = 20;

describe('versions that arrive in any order', function () {
  this.timeout(sized({ short: 240_000, long: 900_000 }));
  let pipeline: Pipeline;
  let redis: Redis;
  let producer: Producer;
  before(async () => {
    pipeline = await startPipeline({ ingress: 0, workers: WORKERS });
    redis = new Redis(pipeline.redis.url);
    producer = createProducer({ redis, prefix: createKeyspace(pipeline.namespace).prefix });
    await redis.ping();
  });
  after(async () => {
    await producer?.close();
    redis?.disconnect();
    await pipeline?.stop();
  });

  async function enqueueAll(actions: readonly AdmittedAction[], random: () => number): Promise<void> {
    const groups: AdmittedAction[][] = [];
    for (let at = 0; at < actions.length; at += groups.at(-1)?.length ?? 0)
      groups.push(actions.slice(at, at + 1 + Math.floor(random() * LARGEST_GROUP)));
    while (groups.length > 0) {
      const some = groups.splice(0, AT_A_TIME);
      await Promise.all(
        some.map((group) =>
          producer.enqueueActions({ v: GROUP_VERSION, group_id: newId('grp'), actions: group }),
        ),
      );
    }
  }

  it(`leave each of ${EVENTS} events at its highest version, on ${WORKERS} workers`, async () => {
    const runs: Run[] = [];
    for (let i = 0; i < SEEDS; i++) runs.push(await shuffle(seed + i));
    report(`${runs.filter(isRight).length} of ${SEEDS}`, SEEDS);
    for (const { ofSeed, logged, failed, stored, highest } of runs) {
      expect({ logged, failed }, `SEED=${ofSeed}`).to.deep.equal({ logged: ACTIONS, failed: 0 });
      expect(stored, `SEED=${ofSeed}`).to.deep.equal(highest);
    }
  });

  /** The workers apply a random history in a random order. */
  async function shuffle(ofSeed: number): Promise<Run> {
    const random = seededRandom(ofSeed);
    const sourceId = newId('src');
    const history = randomHistory(sourceId, random);
    await enqueueAll(shuffled(history, random), random);
    await drained(pipeline);
    const rows = await pipeline.deliveries({ sourceId });
    return {
      ofSeed,
      logged: new Set(rows.map((row) => row.delivery_id)).size,
      failed: rows.filter(({ outcome }) => outcome === 'failed').length,
      stored: (await pipeline.events({ sourceId })).map(inShort).sort(),
      highest: highestVersions(history),
    };
  }
});

/** The outcome of one history. */
interface Run {
  readonly ofSeed: number;
  /** Actions in the delivery log, each counted once. */
  readonly logged: number;
  readonly failed: number;
  readonly stored: readonly string[];
  /** The expected value of `stored`. */
  readonly highest: readonly string[];
}

function isRight({ logged, failed, stored, highest }: Run): boolean {
  return logged === ACTIONS && failed === 0 && isDeepStrictEqual(stored, highest);
}

/** Actions on few events in the order of their sequence numbers. The price of each upsert is its number. */
function randomHistory(source_id: string, random: () => number): AdmittedAction[] {
  const received_at = Date.now();
  return Array.from({ length: ACTIONS }, (_, i) => {
    const title = `Event ${Math.floor(random() * EVENTS)}`;
    const kind = random();
    const action = kind < 0.6 ? upsert(title, `${i}`) : kind < 0.8 ? cancel(title) : remove(title);
    const ids = { delivery_id: newId('dlv'), request_id: newId('req'), source_id, account_id: 'acc_test' };
    return { ...ids, sequence: i + 1, received_at, duplicate_of: null, action };
  });
}

/** Fisher-Yates shuffle. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}

/** The events after applying the actions one after the other. Does not use the fold, on purpose. */
function highestVersions(history: readonly AdmittedAction[]): string[] {
  const events = new Map<string, { readonly price: string; readonly status: string }>();
  for (const { action } of history) {
    const { title } = action.identity;
    const event = events.get(title);
    if (action.kind === 'upsert')
      events.set(title, { price: action.content.price as string, status: action.status });
    else if (action.kind === 'delete') events.delete(title);
    else if (event !== undefined) events.set(title, { ...event, status: 'cancelled' });
  }
  return [...events].map(([title, { price, status }]) => `${title}: ${price} ${status}`).sort();
}

const inShort = ({ title, price, status }: ListedEvent) => `${title}: ${price} ${status}`;
