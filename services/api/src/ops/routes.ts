import { knownChange } from '@sluice/accounts/audit/audited';
import {
  dropDeadLetter,
  isFound,
  letterTarget,
  retryDeadLetter,
} from '@sluice/accounts/dead-letters/dead-letters';
import { formatInstant } from '@sluice/contract/time/instant';
import type { OperatorList, Replica } from '@sluice/dashboard-api/ops';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { GONE_MS, type ReplicaState, readReplicas } from '@sluice/monitoring/replicas';
import type { StoredDeadLetter } from '@sluice/queue/dead-letters';
import type { User } from '@sluice/store/users/users';
import type { Binder } from '../http/bind.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';
import { isOverdue } from '../parts/count-subscriptions-due.ts';
import type { RouteDeps } from '../parts.ts';
import { isOwn, ownLetters } from './own-letters.ts';
import { readMemory } from './redis-memory.ts';

const LETTERS_SHOWN = 200;

/** Operators may belong to other accounts. */
const NOT_OPERATOR = refuse('forbidden', 'Only operators can see the list of operators.');

/** Health of the installation, and the account's own dead letters. */
export function opsRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { redis, keyspace, deadLetters, now } = deps;

  guarded(ROUTES.ops.show, {}, async ({ who }) => {
    const [replicas, { queues }, subscriptions, memory, letters] = await Promise.all([
      readReplicas({ redis, keyspace }, now()),
      deps.takeQueueSnapshot(),
      deps.countSubscriptionsDue(),
      readMemory(redis, deps.shards),
      ownLetters(deadLetters, who.accountId),
    ]);
    return done({
      replicas: replicas.map((state) => describeReplica(state, now())).sort(byKindAndHost),
      queues: queues.map(({ name, waiting, active, delayed, oldest_at }) => {
        const oldest_waiting_ms = oldest_at === null ? null : Math.max(0, now() - oldest_at);
        return { name, waiting, active, delayed, oldest_waiting_ms };
      }),
      // It counts all accounts, and another account's lateness concerns operators only.
      ...(who.user.operator && { subscriptions }),
      undispatched:
        !replicas.some(({ kind }) => kind === 'dispatcher') && isOverdue(subscriptions.oldest_due_ms),
      dead_letters: letters.items.length,
      dead_letters_partial: letters.partial,
      redis: memory,
    });
  });

  guarded(ROUTES.ops.operators, {}, async ({ who }) => {
    if (!who.user.operator) return NOT_OPERATOR;
    const operators = await deps.users.listOperators();
    return done({ items: operators.map((user) => describeOperator(user, who.user)) });
  });

  guarded(ROUTES.ops.deadLetters, {}, async ({ who }) => {
    const { items, partial } = await ownLetters(deadLetters, who.accountId);
    return done({ items: items.slice(0, LETTERS_SHOWN), partial });
  });

  const ownLetter = async (who: SignedIn, deliveryId = ''): Promise<StoredDeadLetter | undefined> => {
    const letter = await deadLetters.get(deliveryId);
    return letter !== undefined && isOwn(letter, who.accountId) ? letter : undefined;
  };

  guarded(ROUTES.ops.retryDeadLetter, {}, async ({ who, params, request }) => {
    const letter = await ownLetter(who, params.deliveryId);
    if (letter === undefined) return notFound('dead letter');
    const deed = { action: 'dead_letter.retried', target: letterTarget(letter) } as const;
    const work = () => retryDeadLetter(deps, letter.delivery_id);
    const { status } = await deps.audited(who, request, knownChange(deed, work, isFound));
    return status === 'letter_not_found' ? notFound('dead letter') : done(null);
  });

  guarded(ROUTES.ops.dropDeadLetter, {}, async ({ who, params, request }) => {
    const letter = await ownLetter(who, params.deliveryId);
    if (letter === undefined) return notFound('dead letter');
    const deed = { action: 'dead_letter.dropped', target: letterTarget(letter) } as const;
    const work = () => dropDeadLetter(deps, letter.delivery_id);
    const { status } = await deps.audited(who, request, knownChange(deed, work, isFound));
    return status === 'letter_not_found' ? notFound('dead letter') : done(null);
  });
}

function describeOperator({ user_id, email, name }: User, self: User): OperatorList['items'][number] {
  return { user_id, email, name, self: user_id === self.user_id };
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
