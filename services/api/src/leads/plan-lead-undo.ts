import { isDeepStrictEqual } from 'node:util';
import type { LeadPatch } from '@sluice/contract/lead/lead';
import type { PendingChange } from '@sluice/contract/message/change';
import type { LeadUndoPortion } from '@sluice/dashboard-api/lead-imports';
import { LEAD_TEXT_FIELDS } from '@sluice/dashboard-api/lead-names';
import type { StoredLeadImport } from '@sluice/store/imports/lead-imports';
import type { Lead } from '@sluice/store/leads/lead-document';

/** The effect of undoing an import on one of its leads. */
export type LeadUndoing =
  /** The import created the lead. */
  | { readonly outcome: 'erase' }
  | { readonly outcome: 'restore'; readonly patch: LeadPatch }
  /** Another change came after the import. */
  | { readonly outcome: 'left' }
  /** The import did not change it, or it is undone already. */
  | { readonly outcome: 'untouched' };

/**
 * Decides from the changes of a lead, newest first. `record`: the lead as the API returns it. An undo is a change of the same
 * import, so a repeated undo finds nothing to take back.
 */
export function planLeadUndo(
  record: Readonly<Record<string, unknown>>,
  changes: readonly PendingChange[],
  importId: string,
): LeadUndoing {
  const isOfImport = ({ actor }: PendingChange) => actor.import_id === importId;
  const other = changes.findIndex((change) => !isOfImport(change));
  const own = other === -1 ? changes : changes.slice(0, other);
  if (own.length < changes.filter(isOfImport).length) return { outcome: 'left' };
  if (own.length === 0) return { outcome: 'untouched' };
  if (own.at(-1)?.kind === 'lead.created') return { outcome: 'erase' };
  const patch = revertPatch(record, own);
  return Object.keys(patch).length === 0 ? { outcome: 'untouched' } : { outcome: 'restore', patch };
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The merge patch that takes changes of a lead back. `record`: the lead as the API returns it. `changes`: its last changes, newest
 * first. An empty patch: there is nothing to take back.
 */
function revertPatch(record: Values, changes: readonly PendingChange[]): LeadPatch {
  const now = (record.fields ?? {}) as Values;
  const before: Values = Object.assign({}, record, ...changes.map(({ previous }) => previous));
  // `previous` has only the custom fields that differed; null: the field was not there.
  const fieldsBefore: Values = Object.assign({}, now, ...changes.map(({ previous }) => previous?.fields));
  const patch = differing([...LEAD_TEXT_FIELDS, 'stage', 'tags'], before, record);
  const fields = differing(Object.keys(fieldsBefore), fieldsBefore, now);
  // The values were valid when they were stored.
  return (Object.keys(fields).length === 0 ? patch : { ...patch, fields }) as LeadPatch;
}

function differing(names: readonly string[], before: Values, now: Values): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = before[name] ?? null;
      return isDeepStrictEqual(value, now[name] ?? null) ? [] : [[name, value]];
    }),
  );
}

/** Leads in one request, each of which can take a write. */
export const PORTION = 100;

interface UndoPortion {
  readonly result: LeadUndoPortion;
  /** Counts a lead. Undefined: the lead is gone. */
  count(lead: Lead | undefined, outcome: LeadUndoing['outcome']): void;
}

/** Counts the effects of a portion that begins at the lead with this index. */
export function createPortion({ lead_ids }: StoredLeadImport, from: number): UndoPortion {
  const end = from + PORTION;
  const result: LeadUndoPortion = {
    ...{ erased: 0, restored: 0, left: 0, left_leads: [], untouched: 0 },
    next: end < lead_ids.length ? end : null,
  };
  return {
    result,
    count(lead: Lead | undefined, outcome): void {
      switch (outcome) {
        case 'erase':
          result.erased += 1;
          return;
        case 'restore':
          result.restored += 1;
          return;
        case 'untouched':
          result.untouched += 1;
          return;
        case 'left':
          result.left += 1;
          if (lead !== undefined) result.left_leads.push({ id: lead.lead_id, name: nameOf(lead) });
      }
    },
  };
}

function nameOf({ name, email, phone, external_id, lead_id }: Lead): string {
  return name ?? email ?? phone ?? external_id ?? lead_id;
}
