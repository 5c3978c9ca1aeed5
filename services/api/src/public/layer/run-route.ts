import { auditEntry, audited, type Deed } from '@sluice/accounts/audit/audited';
import type { IdPrefix } from '@sluice/credentials/ids';
import type { KeptAnswer } from '@sluice/store/idempotency';
import type { Request } from 'express';
import { refuse } from '../../http/result.ts';
import type { RouteDeps } from '../../parts.ts';
import {
  defaultStatus,
  type PublicCall,
  type PublicResult,
  type PublicRoute,
  type SuccessStatus,
} from './declare-route.ts';
import { keptRefusal, runIdempotent } from './run-idempotent.ts';

/** A call, and the body as sent. */
type SentCall = PublicCall<unknown, unknown, IdPrefix> & { readonly sent: unknown };

const KEY_MALFORMED = refuse(
  'validation_failed',
  'The header Idempotency-Key must have 1 to 255 printable ASCII characters. Correct it, or leave it out.',
);

/** A result, and whether it repeats the answer to an earlier request. */
export type Ran = PublicResult<unknown> & { readonly replayed?: true };

/** Runs the handler of a route, once for each Idempotency-Key, between the two writes of its audit entry. */
export async function runRoute(
  route: PublicRoute,
  deps: RouteDeps,
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
    handle(route, deps, { ...call, ...run }),
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

async function handle(route: PublicRoute, deps: RouteDeps, call: SentCall): Promise<PublicResult<unknown>> {
  const limited = await route.limit?.(call, deps);
  if (limited !== undefined) return limited;
  const result = await runAudited(route, deps, call);
  return result.outcome === 'done' ? { ...result, status: result.status ?? defaultStatus(route) } : result;
}

async function runAudited(
  route: PublicRoute,
  deps: RouteDeps,
  call: SentCall,
): Promise<PublicResult<unknown>> {
  const { doer, accountId, requestId } = call;
  const { auditLog } = deps;
  const named = (deed: Deed) => (requestId === undefined ? deed : { ...deed, ongoing: requestId });
  const work = () => route.handler(call, deps);
  const deed = (result: PublicResult<unknown>) => (result.outcome === 'done' ? result.deed : undefined);
  const at = deps.now();
  const intent = await route.intent?.(call, deps);
  if (intent !== undefined)
    return audited({ auditLog, doer, accountId, at }, { intent: named(intent), work, deed });
  const result = await work();
  const made = deed(result);
  // It has changed a record that was created between the two looks.
  if (made !== undefined) await auditLog.putEntry(auditEntry(doer, accountId, named(made), at));
  return result;
}

/** The record may have changed since: the answer is read again, with the status of the first. */
async function replay(
  route: PublicRoute,
  deps: RouteDeps,
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
