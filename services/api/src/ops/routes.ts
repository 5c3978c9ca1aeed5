import type { Keyspace } from '@sluice/admission/keyspace';
import { type ReplicaState, readReplicas } from '@sluice/admission/replicas';
import type { Shards } from '@sluice/admission/shards';
import type { DeadLetter, Replica } from '@sluice/contract/dashboard/ops';
import { ROUTES } from '@sluice/contract/dashboard/routes';
import { formatInstant } from '@sluice/contract/instant';
import { type DeadLetterDeps, dropDeadLetter, retryDeadLetter } from '@sluice/management/dead-letters';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';
import type { Redis } from 'ioredis';
import type { Audit } from '../audit/record.ts';
import type { Binder } from '../http/bind.ts';
import { done, notFound } from '../http/result.ts';
import type { SignedIn } from '../session/authenticate.ts';
import { GONE_MS, type LookAtQueues } from './look-at-queues.ts';
import { readMemory } from './redis-memory.ts';

export interface OpsDeps extends Omit<DeadLetterDeps, 'deadLetters'> {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly shards: Shards;
  readonly lookAtQueues: LookAtQueues;
  readonly deadLetters: DeadLetters;
  readonly audit: Audit;
  readonly now: () => number;
}

/** Of all accounts' letters so many are looked through; the page shows as many at most. */
const LETTERS_READ = 1000;
const LETTERS_SHOWN = 200;

/** Health of the installation, and the account's own dead letters. */
export function opsRoutes({ guarded }: Binder, deps: OpsDeps): void {
  const { redis, keyspace, deadLetters, now } = deps;

  guarded(ROUTES.ops.show, {}, async ({ who }) => {
    const [replicas, { queues }, memory, letters] = await Promise.all([
      readReplicas({ redis, keyspace }, now()),
      deps.lookAtQueues(),
      readMemory(redis, deps.shards),
      ownLetters(deadLetters, who),
    ]);
    return done({
      replicas: replicas.map((state) => describeReplica(state, now())).sort(byKindAndHost),
      queues: queues.map(({ name, waiting, active, oldest_at }) => {
        const oldest_waiting_ms = oldest_at === null ? null : Math.max(0, now() - oldest_at);
        return { name, waiting, active, oldest_waiting_ms };
      }),
      dead_letters: letters.length,
      redis: memory,
    });
  });

  guarded(ROUTES.ops.deadLetters, {}, async ({ who }) => {
    const own = await ownLetters(deadLetters, who);
    return done({ items: own.slice(0, LETTERS_SHOWN).map(describeLetter) });
  });

  const ownLetter = async (who: SignedIn, deliveryId = ''): Promise<StoredDeadLetter | undefined> => {
    const letter = await deadLetters.get(deliveryId);
    return letter !== undefined && isOwn(letter, who) ? letter : undefined;
  };

  guarded(ROUTES.ops.retryDeadLetter, {}, async ({ who, params, request }) => {
    const letter = await ownLetter(who, params.deliveryId);
    if (letter === undefined) return notFound('dead letter');
    const { status } = await retryDeadLetter(deps, letter.delivery_id);
    if (status === 'letter_not_found') return notFound('dead letter');
    await deps.audit(who, request, { action: 'dead_letter.retried', target: targetOf(letter) });
    return done(null);
  });

  guarded(ROUTES.ops.dropDeadLetter, {}, async ({ who, params, request }) => {
    const letter = await ownLetter(who, params.deliveryId);
    if (letter === undefined) return notFound('dead letter');
    const { status } = await dropDeadLetter(deps, letter.delivery_id);
    if (status === 'letter_not_found') return notFound('dead letter');
    await deps.audit(who, request, { action: 'dead_letter.dropped', target: targetOf(letter) });
    return done(null);
  });
}

async function ownLetters(deadLetters: DeadLetters, who: SignedIn): Promise<readonly StoredDeadLetter[]> {
  return (await deadLetters.list(LETTERS_READ)).filter((letter) => isOwn(letter, who));
}

/** Letters whose account cannot be told are nobody's here: the CLI has them. */
function isOwn({ action }: StoredDeadLetter, { accountId }: SignedIn): boolean {
  return (action as { account_id?: unknown } | null)?.account_id === accountId;
}

function targetOf(letter: StoredDeadLetter): { id: string; name: string } {
  return { id: letter.delivery_id, name: describeLetter(letter).title ?? letter.delivery_id };
}

/** What was enqueued may be of any shape: only text is taken from it. */
function describeLetter({ delivery_id, failed_at, reason, action }: StoredDeadLetter): DeadLetter {
  const raw = action as {
    source_id?: unknown;
    action?: { kind?: unknown; identity?: { title?: unknown } };
  } | null;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    delivery_id,
    source_id: text(raw?.source_id),
    failed_at: formatInstant(failed_at),
    reason,
    action: text(raw?.action?.kind),
    title: text(raw?.action?.identity?.title),
  };
}

function describeReplica(state: ReplicaState, now: number): Replica {
  const { replica_id, kind, host, pid, trouble, started_at, last_seen_at } = state;
  const times = { started_at: formatInstant(started_at), last_seen_at: formatInstant(last_seen_at) };
  const gone = now - last_seen_at >= GONE_MS;
  return { replica_id, kind, host, pid, trouble, ready: trouble === null && !gone, ...times, gone };
}

function byKindAndHost(a: Replica, b: Replica): number {
  return a.kind.localeCompare(b.kind) || a.host.localeCompare(b.host) || a.pid - b.pid;
}
