import { formatInstant } from '@sluice/contract/instant';
import { type AuditItem, auditQuery } from '@sluice/dashboard-api/audit';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { AuditEntry, AuditLog } from '@sluice/store/audit/audit-log';
import type { Binder } from '../http/bind.ts';
import { decodeCursor, nextCursor } from '../http/cursor.ts';
import { done, refuse } from '../http/result.ts';
import { type CurrentNamesDeps, withCurrentNames } from './current-names.ts';

const PAGE = 50;

export interface AuditRoutesDeps {
  readonly auditLog: Pick<AuditLog, 'pageEntries'>;
  readonly leadDeps: CurrentNamesDeps;
}

/** The audit log of the account in pages, newest first. */
export function auditRoutes({ guarded }: Binder, { auditLog, leadDeps }: AuditRoutesDeps): void {
  guarded(ROUTES.audit.list, { query: auditQuery }, async ({ who, query }) => {
    const { cursor, action, limit = PAGE } = query;
    const place = cursor === undefined ? undefined : decodeCursor(cursor, isPlace);
    if (cursor !== undefined && place === undefined)
      return refuse('bad_request', 'The cursor does not belong to this list. Reload the list.');
    const page = await auditLog.pageEntries({
      account_id: who.accountId,
      limit,
      ...(action !== undefined && { action }),
      ...(place !== undefined && { before: { at: place[0], audit_id: place[1] } }),
    });
    const next_cursor = nextCursor(page, (last) => [last.at, last.audit_id]);
    const items = await withCurrentNames(leadDeps, who.accountId, page.items);
    return done({ items: items.map(describe), next_cursor });
  });
}

type Place = readonly [at: number, auditId: string];

function isPlace(place: unknown): place is Place {
  if (!Array.isArray(place) || place.length !== 2) return false;
  const [at, auditId] = place as unknown[];
  return Number.isSafeInteger(at) && Math.abs(at as number) <= 8.64e15 && typeof auditId === 'string';
}

function describe({ account_id: _, at, ...entry }: AuditEntry): AuditItem {
  return { ...entry, at: formatInstant(at) };
}
