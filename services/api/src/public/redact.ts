import type { Scope } from '@sluice/contract/scopes';
import type { Disclosed } from './declare-route.ts';

/**
 * The response of a write to a key without the reading scope: the fields that it always sees, and those that the request sent, as it
 * sent them. A stored value is never returned, because another client may have written it.
 */
export function redact<R>(
  body: R,
  { discloses, scopes, sent }: { discloses: Disclosed | undefined; scopes: readonly Scope[]; sent: unknown },
): R {
  if (discloses === undefined || scopes.includes(discloses.scope)) return body;
  const record = body as Record<string, unknown>;
  const seen = discloses.always.filter((name) => Object.hasOwn(record, name));
  const always = seen.map((name) => [name, record[name]]);
  const own = Object.entries(sent as object)
    .filter(([name]) => Object.hasOwn(record, name) && !seen.includes(name))
    .map(([name, value]) => [name, value === null ? cleared(record[name]) : value]);
  return Object.fromEntries([...always, ...own]) as R;
}

/** The value of a field after `null` was written to it. */
function cleared(stored: unknown): unknown {
  if (Array.isArray(stored)) return [];
  return typeof stored === 'object' && stored !== null ? {} : null;
}
