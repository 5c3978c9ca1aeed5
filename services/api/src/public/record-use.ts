import type { Activity } from '@sluice/monitoring/activity';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Request } from 'express';
import { KEY_USES } from '../keys/activity.ts';
import type { LastUsed } from './last-used.ts';

/** The longest part of a User-Agent that is stored. Its start names the client. */
const CLIENT_MAX = 200;

export interface RecordUseDeps {
  readonly lastUsed: Pick<LastUsed, 'note'>;
  readonly activity: Pick<Activity, 'add' | 'sawClient'>;
  readonly now: () => number;
}

/** Records the use of a key in memory. It is written periodically, batched with others. */
export function recordUse(
  { lastUsed, activity, now }: RecordUseDeps,
  { key_id }: ApiKey,
  request: Request,
): void {
  const at = now();
  const address = request.ip ?? '';
  const client = clientOf(request.get('user-agent'));
  const route = `${request.method} ${request.route.path}`;
  lastUsed.note(key_id, { at, address, route, ...(client !== undefined && { client }) });
  activity.add(key_id, at, KEY_USES);
  activity.sawClient(key_id, at, address);
}

/** The client of a request. Only printable ASCII is kept: the dashboard shows this text of a stranger. */
export function clientOf(userAgent: string | undefined): string | undefined {
  const text = userAgent
    ?.replace(/[^ -~]/g, '')
    .trim()
    .slice(0, CLIENT_MAX);
  return text === '' ? undefined : text;
}
