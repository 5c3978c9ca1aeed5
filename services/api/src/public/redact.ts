import type { Scope } from '@sluice/contract/scopes';

/** Fields that every write returns, also to a key that may not read. */
const ALWAYS = ['id', 'created', 'created_at', 'updated_at', 'stage_changed_at'];

/**
 * The response of a write to a key without the reading scope: id, times, and the fields that the request sent, as it
 * sent them. A stored value is never returned, because another client may have written it.
 */
export function redact<R>(
  body: R,
  { discloses, scopes, sent }: { discloses: Scope | undefined; scopes: readonly Scope[]; sent: unknown },
): R {
  if (discloses === undefined || scopes.includes(discloses)) return body;
  const record = body as Record<string, unknown>;
  const always = ALWAYS.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]);
  const own = Object.entries(sent as object)
    .filter(([name]) => Object.hasOwn(record, name) && !ALWAYS.includes(name))
    .map(([name, value]) => [name, value === null ? cleared(record[name]) : value]);
  return Object.fromEntries([...always, ...own]) as R;
}

/** The value of a field after `null` was written to it. */
function cleared(stored: unknown): unknown {
  if (Array.isArray(stored)) return [];
  return typeof stored === 'object' && stored !== null ? {} : null;
}
