import { setImmediate as turn } from 'node:timers/promises';
import type { Try } from '../../faults/support/load.ts';
import { watchMachine } from '../../faults/support/machine-lag.ts';
import type { TestSource } from '../../support/ingress.ts';
import { type ActionBody, PAUSE_MS, type Sent, sendAll } from '../../support/load.ts';
import type { Pipeline } from '../../support/pipeline.ts';
import type { RedisCluster } from './redis-cluster.ts';

export interface FailoverSettings {
  readonly cluster: RedisCluster;
  readonly pipeline: Pipeline;
  /** One source in each shard. */
  readonly sources: readonly TestSource[];
  /** The shard whose master ends. */
  readonly shard: number;
  /** Whether senders get a 200 only after a replica has the request. */
  readonly wait: boolean;
  readonly end: End;
}

/**
 * How a master ends. If it is cut off from its replica just before, only the master has the last acknowledged requests.
 */
export type End = 'killed' | 'cut off and killed' | 'frozen';

/** The outcome of one master's death under load. */
export interface Failover {
  /** By source, in the order of the responses. */
  readonly sent: readonly (Sent & Try)[][];
  /** Milliseconds until the replica was a master. */
  readonly takeOverMs: number;
  /** How long senders of the shard got no 200, in milliseconds. */
  readonly outageMs: number;
  /** The slowest response, in milliseconds. */
  readonly slowestMs: number;
  /** The longest delay that the machine caused meanwhile. */
  readonly lagMs: number;
  /** Requests of other shards that got a 200 while the killed master's shard got none. */
  readonly othersMeanwhile: number;
}

const STARTED = 40;
const SENDERS = 4;

/** Loads every shard, ends the master of one, and continues until the new master accepts its requests. */
export async function failOver(settings: FailoverSettings): Promise<Failover> {
  const { cluster, pipeline, sources, shard, end, wait } = settings;
  const tag = `${pipeline.namespace}:${shard}`;
  const master = await cluster.masterOf(tag);
  const state = { killedAt: 0, takenOverAt: 0, backAt: 0, over: false, slowestMs: 0, othersMeanwhile: 0 };
  const counts = sources.map(() => 0);
  const sent: (Sent & Try)[][] = sources.map(() => []);
  const machine = await watchMachine();

  const comeBack = async () => (end === 'frozen' ? master.thaw() : master.restart());
  const strike = async (): Promise<void> => {
    while (counts.some((count) => count < STARTED)) await turn();
    if (end === 'cut off and killed') {
      await cluster.cutReplicaOff(master);
      const before = counts[shard] as number;
      // Some more responses that the replica misses. With WAIT there are none until the replica is back.
      const enough = Date.now() + 300;
      while ((counts[shard] as number) < before + STARTED && Date.now() < enough) await turn();
    }
    if (end === 'frozen') master.freeze();
    else await master.kill('SIGKILL');
    state.killedAt = Date.now();
    await cluster.takenOver(tag, master);
    state.takenOverAt = Date.now();
    // It comes back as the replica of the new master. Until then there is no replica to wait for.
    if (wait) await comeBack();
  };

  const load = (source: TestSource, index: number) =>
    sendAll({
      urls: pipeline.urls,
      source,
      bodies: bodiesUntil(() => state.over),
      concurrency: SENDERS,
      pauseMs: PAUSE_MS,
      onAnswered(one, sentAt) {
        const { body, answer } = one;
        const endedAt = Date.now();
        counts[index] = (counts[index] as number) + 1;
        sent[index]?.push({ ...one, n: Number(body.event.price), again: false, sentAt, endedAt });
        state.slowestMs = Math.max(state.slowestMs, endedAt - sentAt);
        if (state.killedAt === 0 || sentAt < state.killedAt || answer?.status !== 200) return;
        if (index !== shard && state.backAt === 0) state.othersMeanwhile += 1;
        if (index === shard && state.backAt === 0) state.backAt = Date.now();
        state.over ||= state.backAt !== 0;
      },
    });

  let lagMs = 0;
  try {
    await Promise.all([...sources.map(load), strike()]);
  } finally {
    lagMs = await machine.stop();
  }
  const { killedAt, takenOverAt, backAt, slowestMs, othersMeanwhile } = state;
  if (!wait) await comeBack();
  await cluster.whole();
  const times = { takeOverMs: takenOverAt - killedAt, outageMs: backAt - killedAt };
  return { sent, ...times, slowestMs, lagMs, othersMeanwhile };
}

/** How long the other servers have to fail over before the test gives up. */
const GIVE_UP_MS = 45_000;

/** Upserts of a few events, endless until `over`. The price identifies each. */
function* bodiesUntil(over: () => boolean): Generator<ActionBody> {
  const giveUpAt = Date.now() + GIVE_UP_MS;
  for (let i = 0; !over() && Date.now() < giveUpAt; i++)
    yield {
      action: 'upsert',
      event: { title: `Event ${i % 50}`, starts_at: '2027-03-01T10:00:00Z', price: `${i}` },
    };
}
