import type { Activity } from '@sluice/activity/activity';
import type { RateLimiter, Taken } from '@sluice/admission/rate-limiter';
import { formatInstant } from '@sluice/contract/instant';
import { IDENTITY_PATH, type Identity } from '@sluice/contract/public-api';
import type { Accounts } from '@sluice/store/accounts';
import type { ApiKey } from '@sluice/store/api-keys';
import type { Request, Response, Router } from 'express';
import { instantOrNull } from '../http/instants.ts';
import { markKnownCaller } from '../http/known-caller.ts';
import { refuse } from '../http/result.ts';
import { sendJson, sendRefusal } from '../http/send.ts';
import { KEY_USES } from '../keys/activity.ts';
import { type AuthenticateKeyDeps, authenticateKey } from './authenticate-key.ts';
import type { LastUsed } from './last-used.ts';

export interface PublicDeps extends AuthenticateKeyDeps {
  readonly accounts: Pick<Accounts, 'findAccount'>;
  readonly take: RateLimiter;
  readonly ratePerMinute: number;
  readonly lastUsed: Pick<LastUsed, 'note'>;
  readonly activity: Pick<Activity, 'add' | 'sawClient'>;
}

/** The API that automation platforms call with an API key. */
export function publicRoutes(router: Router, deps: PublicDeps): void {
  router.get(IDENTITY_PATH, (request, response) => identify(deps, request, response));
  router.all(IDENTITY_PATH, (_request, response) => {
    response.setHeader('allow', 'GET');
    sendRefusal(response, refuse('method_not_allowed', 'The identity check accepts GET only.'));
  });
}

async function identify(deps: PublicDeps, request: Request, response: Response): Promise<void> {
  const checked = await authenticateKey(deps, request.get('authorization'));
  if (checked.outcome === 'refused') {
    response.setHeader('www-authenticate', 'Bearer realm="sluice"');
    return sendRefusal(response, checked);
  }
  const { apiKey } = checked;
  const rate = { count: deps.ratePerMinute, seconds: 60 };
  const taken = await deps.take('key', apiKey.key_id, rate);
  setRateHeaders(response, deps.ratePerMinute, taken);
  if (!taken.allowed) {
    const detail = 'This API key is over its rate limit. Wait for Retry-After, then back off exponentially.';
    return sendRefusal(
      response,
      refuse('rate_limited', detail, { retryAfterSeconds: taken.retryAfterSeconds }),
    );
  }
  // Only now: requests over the rate limit are unlimited, and would otherwise be logged without limit.
  markKnownCaller(response);
  const account = await deps.accounts.findAccount(apiKey.account_id);
  if (account === undefined) throw new Error(`the key ${apiKey.key_id} belongs to no account`);
  recordUse(deps, apiKey, request);
  sendJson(response, 200, describe(apiKey, account));
}

/** Records the use in memory. It is written periodically, batched with others. */
function recordUse({ lastUsed, activity, now }: PublicDeps, { key_id }: ApiKey, request: Request): void {
  const at = now();
  const address = request.ip ?? '';
  lastUsed.note(key_id, { at, address, route: `${request.method} ${request.route.path}` });
  activity.add(key_id, at, KEY_USES);
  activity.sawClient(key_id, at, address);
}

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers, as the webhook does. */
function setRateHeaders(response: Response, count: number, { remaining, resetSeconds }: Taken): void {
  response.setHeader('ratelimit-policy', `"key";q=${count};w=60`);
  response.setHeader('ratelimit', `"key";r=${remaining};t=${resetSeconds}`);
}

function describe(key: ApiKey, { account_id, name }: { account_id: string; name: string }): Identity {
  return {
    account: { id: account_id, name },
    key: {
      id: key.key_id,
      name: key.name,
      prefix: key.prefix,
      scopes: [...key.scopes],
      created_at: formatInstant(key.created_at),
      expires_at: instantOrNull(key.expires_at),
      last_used_at: instantOrNull(key.last_used_at),
    },
  };
}
