import type { IdPrefix } from '@sluice/credentials/ids';
import { auditEntry } from '@sluice/management/audit-entry';
import type { KeptAnswer } from '@sluice/store/idempotency';
import type { Request } from 'express';
import { refuse } from '../http/result.ts';
import type { PublicCall, PublicResult, PublicRoute, SuccessStatus } from './declare-route.ts';
import { keptRefusal } from './kept-answer.ts';
import { runIdempotent } from './run-idempotent.ts';
import type { ServeDeps } from './serve-deps.ts';
import { defaultStatus } from './success-status.ts';

/** A call, and the body as sent. */
export type SentCall = PublicCall<unknown, unknown, IdPrefix> & { readonly sent: unknown };

const KEY_MALFORMED = refuse(
  'validation_failed',
  'The header Idempotency-Key must have 1 to 255 printable ASCII characters. Correct it, or leave it out.',
);

/** A result, and whether it repeats the answer to an earlier request. */
export type Ran = PublicResult<unknown> & { readonly replayed?: true };

/** Runs the handler of a route, once for each Idempotency-Key, and writes the audit entry of its change. */
export async function runRoute<Deps extends ServeDeps>(
  route: PublicRoute<Deps>,
  deps: Deps,
  request: Request,
  call: SentCall,
): Promise<Ran> {
  const header = request.get('idempotency-key');
  if (route.readAgain === undefined || header === undefined) return handle(route, deps, call);
  const idempotencyKey = readIdempotencyKey(header);
  if (idempotencyKey === undefined) return KEY_MALFORMED;
  const { accountId, apiKey, ids: newIds, sent: body } = call;
  const [path = '', query = ''] = request.originalUrl.split(/(?=\?)/);
  const name = { accountId, keyId: apiKey.key_id, method: route.method, path, query, idempotencyKey };
  const ended = await runIdempotent(deps, { name, body, newIds }, (run) =>
    handle(route, deps, { ...call, ...run }, run.requestId),
  );
  switch (ended.outcome) {
    case 'refused':
      return ended;
    case 'ran':
      return ended.result;
    case 'replay':
      return { ...(await replay(route, deps, call, ended.answer)), replayed: true };
  }
}

async function handle<Deps extends ServeDeps>(
  route: PublicRoute<Deps>,
  deps: Deps,
  call: SentCall,
  ongoing?: string,
): Promise<PublicResult<unknown>> {
  const result = await route.handler(call, deps);
  if (result.outcome !== 'done') return result;
  const { deed } = result;
  if (deed !== undefined) {
    const named = ongoing === undefined ? deed : { ...deed, ongoing };
    const entry = auditEntry(call.doer, call.accountId, named, deps.now());
    await (ongoing === undefined ? deps.auditLog.insertEntry(entry) : deps.auditLog.putEntry(entry));
  }
  return { ...result, status: result.status ?? defaultStatus(route) };
}

/** The record may have changed since: the answer is read again, with the status of the first. */
async function replay<Deps extends ServeDeps>(
  route: PublicRoute<Deps>,
  deps: Deps,
  call: SentCall,
  answer: KeptAnswer,
): Promise<PublicResult<unknown>> {
  if ('code' in answer) return keptRefusal(answer);
  const first = { status: answer.status as SuccessStatus, target: answer.target };
  const read = await route.readAgain?.(first, call, deps);
  if (read === undefined) throw new Error(`${route.operationId} cannot replay`);
  return read.outcome === 'done' ? { ...read, status: first.status } : read;
}

/** The draft's quoted form and the bare form, which most clients send, name the same key. */
function readIdempotencyKey(header: string): string | undefined {
  const text = /^"(.*)"$/.exec(header)?.[1] ?? header;
  return /^[ -~]{1,255}$/.test(text) ? text : undefined;
}
