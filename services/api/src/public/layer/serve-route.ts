import { type IdPrefix, newId } from '@sluice/credentials/ids';
import { isRedisFull } from '@sluice/redis/connection/redis-away';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { PUBLIC_BODY_BYTES, readJsonBody } from '../../http/read-body.ts';
import { refusalOf } from '../../http/refusal-of.ts';
import { type Refusal, refuse } from '../../http/result.ts';
import { sendRefusal } from '../../http/send.ts';
import { markKnownCaller } from '../../http/signed-in.ts';
import { validate, validateQuery } from '../../http/validate.ts';
import { clientOf, recordUse } from '../../parts/last-used.ts';
import type { RouteDeps } from '../../parts.ts';
import { authenticateKey, refuseMissingScope, takeKeyRate } from './check-key.ts';
import type { PublicCall, PublicResult, PublicRoute } from './declare-route.ts';
import { runRoute } from './run-route.ts';
import { readIfMatch, redact, sendResult } from './send-result.ts';
import { createTimeBudget, lateRefusal } from './time-budget.ts';

/**
 * Serves one request of a declared route. The checks run in this order: key, scope, rate, body, query, Idempotency-Key.
 * Then the handler runs between the two writes of its audit entry, and the response is sent. A body is read only for a live key.
 */
async function serveRoute(
  route: PublicRoute,
  deps: RouteDeps,
  request: Request,
  response: Response,
): Promise<void> {
  const { budgetMs } = route;
  const refusal = () =>
    lateRefusal({
      method: route.method,
      hasIdempotencyKey: request.get('idempotency-key') !== undefined,
      hasIfMatch: request.get('if-match') !== undefined,
    });
  const budget = createTimeBudget({ ...deps, refusal, ...(budgetMs !== undefined && { budgetMs }) });
  const refuseWith = (refusal: Refusal & { readonly apiKey?: ApiKey }, sent?: unknown) => {
    const { apiKey, ...shown } = refusal;
    if (apiKey !== undefined && route.onRefused !== undefined)
      route
        .onRefused({ apiKey, refusal: shown, sent, client: clientOf(request.get('user-agent')) }, deps)
        .catch(deps.onLateError);
    sendResult(route, deps, request, response, shown);
  };
  const admitted = await budget.spend(() => admit(route, deps, request, response));
  if (admitted.outcome === 'refused') return refuseWith(admitted);
  const { apiKey } = admitted;
  const waited = !request.complete;
  const read = await readInput(route, request, response);
  if (read.outcome === 'refused') return refuseWith({ ...read, apiKey }, read.sent);
  if (admitted.over !== undefined && !route.isServedOverRate?.(read.body)) return refuseWith(admitted.over);
  const result = await budget.spend(async (): Promise<PublicResult<unknown>> => {
    // A sender can delay its body until after the key was revoked, so the key is checked again.
    const still = waited ? await checkKey(route, deps, request, response) : admitted;
    if (still.outcome === 'refused') return still;
    return runRoute(route, deps, request, { ...callOf(still.apiKey, request), ...read, ids: newIds(route) });
  });
  if (result.outcome === 'refused') return refuseWith({ ...result, apiKey }, read.sent);
  if (result.outcome === 'stream') return result.open(request, response);
  const { scopes } = apiKey;
  const shown: PublicResult<unknown> =
    result.outcome === 'done' && route.method !== 'GET'
      ? { ...result, body: redact(result.body, { discloses: route.discloses, scopes, sent: read.sent }) }
      : result;
  sendResult(route, deps, request, response, shown);
}

/** A refusal names its key if the key is live. */
type Admitted =
  /** `over`: the key is over its rate, and the body decides whether the request is served. */
  | { readonly outcome: 'live'; readonly apiKey: ApiKey; readonly over?: Refusal | undefined }
  | (Refusal & { readonly apiKey?: ApiKey });

async function admit(
  route: PublicRoute,
  deps: RouteDeps,
  request: Request,
  response: Response,
): Promise<Admitted> {
  const checked = await checkKey(route, deps, request, response);
  if (checked.outcome === 'refused') return checked;
  const { apiKey } = checked;
  const over = route.rated === false ? undefined : await overRate(route, deps, apiKey, request, response);
  if (over !== undefined && !mayBeServedOverRate(route, request)) return over;
  // Only now: requests over the rate limit are unlimited, and would otherwise be logged without limit.
  markKnownCaller(response, apiKey.account_id);
  recordUse(deps, apiKey, request);
  return { ...checked, over };
}

/** Rejects a request over the rate. A full Redis counts nothing, and must not keep a flow from being switched off either. */
async function overRate(
  route: PublicRoute,
  deps: RouteDeps,
  apiKey: ApiKey,
  request: Request,
  response: Response,
): Promise<Refusal | undefined> {
  try {
    return await takeKeyRate(deps, apiKey, response);
  } catch (error) {
    if (isRedisFull(error) && mayBeServedOverRate(route, request)) return refusalOf(error);
    throw error;
  }
}

/** Longer than a pause of a webhook subscription needs. */
const OVER_RATE_BYTES = 1024;

function mayBeServedOverRate({ isServedOverRate }: PublicRoute, request: Request): boolean {
  return isServedOverRate !== undefined && Number(request.get('content-length')) <= OVER_RATE_BYTES;
}

async function checkKey(
  route: PublicRoute,
  deps: RouteDeps,
  request: Request,
  response: Response,
): Promise<Admitted> {
  const checked = await authenticateKey(deps, request.get('authorization'));
  if (checked.outcome === 'live') {
    const missing = refuseMissingScope(route.scopes, checked.apiKey);
    return missing === undefined ? checked : { ...missing, apiKey: checked.apiKey };
  }
  response.setHeader('www-authenticate', 'Bearer realm="sluice"');
  return checked;
}

type Input =
  | { readonly outcome: 'read'; readonly query: unknown; readonly body: unknown; readonly sent: unknown }
  | (Refusal & { readonly sent?: unknown });

async function readInput(route: PublicRoute, request: Request, response: Response): Promise<Input> {
  let sent: unknown;
  let body: unknown;
  if (route.body !== undefined) {
    const read = await readJsonBody(request, response, PUBLIC_BODY_BYTES);
    if (read.outcome === 'refused') return read;
    sent = read.value;
    const valid = validate(route.body, sent);
    if (valid.outcome === 'refused') return { ...valid, sent };
    body = valid.value;
  }
  const schema = queryOf(route);
  if (schema === undefined) return { outcome: 'read', query: undefined, body, sent };
  const query = validateQuery(schema, { ...request.query });
  return query.outcome === 'refused'
    ? { ...query, sent }
    : { outcome: 'read', query: query.value, body, sent };
}

const NO_PARAMETERS = z.strictObject({});

/** A misspelt parameter must not be lost. A delete ignores it, because a flow that adds one must be able to switch off. */
function queryOf({ query, method }: PublicRoute): z.ZodType | undefined {
  return query ?? (method === 'DELETE' ? undefined : NO_PARAMETERS);
}

function callOf(
  apiKey: ApiKey,
  request: Request,
): Omit<PublicCall<unknown, unknown, never>, 'query' | 'body' | 'ids'> {
  return {
    accountId: apiKey.account_id,
    apiKey,
    actor: { type: 'api_key', id: apiKey.key_id },
    doer: { actor: { key_id: apiKey.key_id, name: apiKey.name }, address: request.ip ?? 'unknown' },
    params: request.params as Record<string, string>,
    isRepeat: false,
    ifMatch: readIfMatch(request.get('if-match')),
    isConditional: request.get('if-match') !== undefined,
  };
}

function newIds({ creates = [] }: PublicRoute): Record<IdPrefix, string> {
  return Object.fromEntries(creates.map((prefix) => [prefix, newId(prefix)])) as Record<IdPrefix, string>;
}

const EMPTY_ID = refuse(
  'not_found',
  'The id is empty: the path ends with a slash. Put the id of the record there, or remove the slash to get the list.',
);

/**
 * Registers declared routes: the only way to a public route, so none can be without a scope. Every other method of a
 * path gets 405. A path with a parameter must come after the fixed paths that it would match.
 */
export function bindPublicRoutes(router: Router, routes: readonly PublicRoute[], deps: RouteDeps): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path);
    const shown = own.map(({ method }) => method).join(', ');
    const allowed = own.flatMap(allowedBy).join(', ');
    const hasRecords = routes.some(({ path: other, method }) => method === 'GET' && isRecordOf(other, path));
    const refuseMethod = (_request: Request, response: Response) => {
      response.setHeader('allow', allowed);
      sendRefusal(response, refuse('method_not_allowed', `This path accepts ${shown} only.`));
    };
    for (const route of own) {
      const method = route.method.toLowerCase() as 'get';
      router[method](path, (request, response) => {
        // Express would serve HEAD with the handler of GET, and such a stream would never end.
        if (route.streams && request.method === 'HEAD') return refuseMethod(request, response);
        if (hasRecords && route.method === 'GET' && request.path.endsWith('/'))
          return sendRefusal(response, EMPTY_ID);
        return serveRoute(route, deps, request, response);
      });
    }
    router.all(path, refuseMethod);
  }
}

/** Express serves HEAD with the handler of GET. */
function allowedBy({ method, streams }: PublicRoute): readonly string[] {
  return method === 'GET' && !streams ? ['GET', 'HEAD'] : [method];
}

/** Express ignores a slash at the end, so the path of a record with an empty id would get the list. */
function isRecordOf(path: string, list: string): boolean {
  return path.startsWith(`${list}/:`) && !path.slice(list.length + 1).includes('/');
}
