import { createHash, randomUUID } from 'node:crypto';
import { PROBLEMS } from '@sluice/contract/problem/problem';
import { DAY_MS } from '@sluice/contract/time/durations';
import type { MacKeys } from '@sluice/credentials/mac';
import type { Idempotency, IdempotencyRecord, KeptAnswer } from '@sluice/store/idempotency';
import { type Refusal, refuse } from '../../http/result.ts';
import type { PublicResult } from './declare-route.ts';

/**
 * The part of an answer that is kept for replays; undefined if another try may get another answer: 401, 412, 429 and 5xx. If-Match
 * does not name a request, so a client may send it again with the new ETag and the same key. A rejection is kept as its code and our
 * own sentences, which contain no value of the request.
 */
function keptAnswer(result: PublicResult<unknown>): KeptAnswer | undefined {
  switch (result.outcome) {
    case 'done':
      if (result.target === undefined || result.status === undefined)
        throw new Error('an idempotent route must name its target and status');
      return { status: result.status, target: result.target };
    case 'stream':
      return undefined;
    case 'empty':
      return { status: 204, target: '' };
    case 'refused': {
      const { status } = PROBLEMS[result.code];
      if (status === 401 || status === 412 || status === 429 || status >= 500) return undefined;
      return { code: result.code, detail: result.detail, errors: result.errors ?? [] };
    }
  }
}

/** The rejection in a kept answer. */
export function keptRefusal({ code, detail, errors }: Extract<KeptAnswer, { code: unknown }>): Refusal {
  return refuse(code, detail, errors.length === 0 ? {} : { errors });
}

/** How long a process may work on a request before another may take it over. Milliseconds. */
const LEASE_MS = 30_000;
/** How long an answer is kept. Milliseconds. */
const KEPT_MS = DAY_MS;

const IN_PROGRESS = refuse(
  'idempotency_in_progress',
  'The first request with this Idempotency-Key is still in progress. Send it again after Retry-After to get its response.',
  { retryAfterSeconds: 1 },
);
const REUSED = refuse(
  'idempotency_key_reused',
  'This Idempotency-Key was used with another body in the last 24 hours. Use a new key for a new request.',
);

interface IdempotentDeps {
  readonly idempotency: Idempotency;
  readonly mac: MacKeys;
  readonly now: () => number;
}

/** Two requests with equal names are tries of one request. */
interface RequestName {
  readonly accountId: string;
  readonly keyId: string;
  readonly method: string;
  readonly path: string;
  /** The query as sent, with its question mark; empty if there is none. */
  readonly query: string;
  readonly idempotencyKey: string;
}

/** One run of a handler. */
interface Run {
  readonly ids: Readonly<Record<string, string>>;
  readonly isRepeat: boolean;
  /** The same for every try of one request. */
  readonly requestId: string;
  /** When the first try began. Milliseconds since the Unix epoch. */
  readonly begunAt: number;
}

type IdempotentResult<R> =
  | { readonly outcome: 'ran'; readonly result: PublicResult<R> }
  | { readonly outcome: 'replay'; readonly answer: KeptAnswer };

/**
 * Runs a request once, however often it is sent (draft-ietf-httpapi-idempotency-key-header). The record comes first and
 * holds all ids, so a process that dies at any instant leaves a request that the next try completes under the same ids.
 */
export async function runIdempotent<R>(
  deps: IdempotentDeps,
  { name, body, newIds }: { name: RequestName; body: unknown; newIds: Readonly<Record<string, string>> },
  run: (run: Run) => Promise<PublicResult<R>>,
): Promise<IdempotentResult<R> | Refusal> {
  const { idempotency, mac, now } = deps;
  // A route without a body gets none.
  const text = JSON.stringify(body ?? null);
  const fresh: IdempotencyRecord = {
    record_id: recordId(name),
    account_id: name.accountId,
    body_hash: mac.sign('idempotent-body', text),
    ids: newIds,
    holder: randomUUID(),
    lease_until: now() + LEASE_MS,
    answer: null,
    expires_at: now() + KEPT_MS,
  };
  const begun = await idempotency.begin(fresh);
  if (begun.status === 'begun') return work(deps, fresh, false, run);

  const { record } = begun;
  if (record.expires_at <= now())
    return (await idempotency.replace(record, fresh)) ? work(deps, fresh, false, run) : IN_PROGRESS;
  if (!mac.fits('idempotent-body', text, record.body_hash)) return REUSED;
  if (record.answer !== null) return { outcome: 'replay', answer: record.answer };
  if (record.lease_until > now()) return IN_PROGRESS;
  const next = { ...record, holder: fresh.holder, lease_until: fresh.lease_until };
  return (await idempotency.replace(record, next)) ? work(deps, next, true, run) : IN_PROGRESS;
}

async function work<R>(
  { idempotency }: IdempotentDeps,
  record: IdempotencyRecord,
  isRepeat: boolean,
  run: (run: Run) => Promise<PublicResult<R>>,
): Promise<IdempotentResult<R>> {
  try {
    const begunAt = record.expires_at - KEPT_MS;
    const result = await run({ ids: record.ids, isRepeat, requestId: record.record_id, begunAt });
    const answer = keptAnswer(result);
    if (answer === undefined) await idempotency.endLease(record);
    else await idempotency.keepAnswer(record, answer);
    return { outcome: 'ran', result };
  } catch (error) {
    // If this fails too, the lease ends by its time.
    await idempotency.endLease(record).catch(() => {});
    throw error;
  }
}

function recordId({ accountId, keyId, method, path, query, idempotencyKey }: RequestName): string {
  const names = JSON.stringify([accountId, keyId, method, path, query, idempotencyKey]);
  return createHash('sha256').update(names).digest('hex');
}
