import { formatInstant } from '@sluice/contract/time/instant';
import { type AuditItem, auditQuery } from '@sluice/dashboard-api/audit';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { LeadDeps } from '@sluice/leads/deps';
import { leadName } from '@sluice/leads/fields/lead-name';
import type { AuditEntry } from '@sluice/store/audit/audit-log';
import * as z from 'zod';
import type { Binder } from '../http/bind.ts';
import { nextCursor, placeTime, readCursor } from '../http/cursor.ts';
import { done } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';

const PAGE = 50;
const PLACE = z.tuple([placeTime, z.string()]);

/** The audit log of the account in pages, newest first. */
export function auditRoutes({ guarded }: Binder, { auditLog, leadDeps }: RouteDeps): void {
  guarded(ROUTES.audit.list, { query: auditQuery }, async ({ who, query }) => {
    const { cursor, action, limit = PAGE } = query;
    const from = readCursor(cursor, PLACE);
    if (from.outcome === 'refused') return from;
    const { place } = from;
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

function describe({ account_id: _, at, ...entry }: AuditEntry): AuditItem {
  return { ...entry, at: formatInstant(at) };
}

interface CurrentNamesDeps {
  readonly leads: Pick<LeadDeps['leads'], 'findLeads'>;
  readonly leadSettings: Pick<LeadDeps['leadSettings'], 'findSettings'>;
}

/**
 * Adds the current names of leads and stages to entries of an account. The log stores their ids only, so that an erasure leaves
 * nothing in it: an erased lead keeps its id.
 */
async function withCurrentNames(
  { leads, leadSettings }: CurrentNamesDeps,
  accountId: string,
  entries: readonly AuditEntry[],
): Promise<AuditEntry[]> {
  const ids = [...new Set(entries.filter(isLead).map(({ target }) => target.id))];
  const [found, settings] = await Promise.all([
    ids.length === 0 ? [] : leads.findLeads(accountId, ids),
    entries.some(isMove) ? leadSettings.findSettings(accountId) : undefined,
  ]);
  const names = new Map([
    ...found.map((lead) => [lead.lead_id, leadName(lead)] as const),
    ...(settings?.stages ?? []).map(({ id, name }) => [id, name] as const),
  ]);
  return entries.map((entry) => {
    const { target, detail } = entry;
    const name = isLead(entry) ? (names.get(target.id) ?? target.name) : target.name;
    return { ...entry, target: { ...target, name }, detail: isMove(entry) ? stageIn(detail, names) : detail };
  });
}

function isLead({ target: { id, name } }: AuditEntry): boolean {
  return id === name && id.startsWith('lead_');
}

function isMove({ action }: AuditEntry): boolean {
  return action === 'lead.stage_changed';
}

function stageIn(detail: string | null, names: ReadonlyMap<string, string>): string | null {
  return detail === null ? null : (names.get(detail) ?? detail);
}
