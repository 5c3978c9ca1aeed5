import type { LeadUndoPortion } from '@sluice/dashboard-api/lead-imports';
import type { StoredLeadImport } from '@sluice/store/imports/lead-imports';
import type { Lead } from '@sluice/store/leads/lead-document';
import type { LeadUndoing } from './plan-lead-undo.ts';

/** Leads in one request, each of which can take a write. */
export const PORTION = 100;

export interface UndoPortion {
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
