import type { Activity } from '@sluice/monitoring/activity';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { ApiKey, KeyUse } from '@sluice/store/accounts/api-keys';
import type { Request } from 'express';

/** The counter of a key's accepted requests. Its scope is the key's id. */
export const KEY_USES = 'uses';

/** Records when, where and for which route keys are used, without one write per use. */
export interface LastUsed {
  note(keyId: string, use: KeyUse): void;
  /** Writes the recorded uses now. They are also written periodically. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface LastUsedDeps {
  /** Later uses win, so replicas may write in any order. */
  readonly write: (uses: ReadonlyMap<string, KeyUse>) => Promise<void>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly everyMs?: number;
}

/** Maximum delay until a use is visible in the dashboard. Losing one when a process is killed is acceptable. */
const EVERY_MS = 3000;

export function createLastUsed({ write, logger, everyMs = EVERY_MS }: LastUsedDeps): LastUsed {
  let uses = new Map<string, KeyUse>();

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return;
    const writing = uses;
    uses = new Map();
    try {
      await write(writing);
    } catch (error) {
      logger.warn({ event: 'last_used.failed', err: error }, 'last use of keys not written; will retry');
      // Keep newer uses that were recorded meanwhile.
      for (const [keyId, use] of writing) if (!uses.has(keyId)) uses.set(keyId, use);
    }
  };
  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    note: (keyId, use) => void uses.set(keyId, use),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** The longest part of a User-Agent that is stored. Its start names the client. */
const CLIENT_MAX = 200;

interface RecordUseDeps {
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
