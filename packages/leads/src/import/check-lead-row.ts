import type { CheckedLeadRow, LeadImportRow } from '@sluice/dashboard-api/lead-imports';
import type { LeadMatch } from '@sluice/dashboard-api/lead-names';
import type { LeadSettings } from '@sluice/store/leads/lead-settings';
import { planChange } from '../change/plan-change.ts';
import { wrongField } from '../change/wrong-field.ts';
import type { LeadDeps } from '../deps.ts';
import { findMatch, sharedValues } from '../match/find-match.ts';
import { readLeadRow } from './read-lead-row.ts';

export interface RowToCheck {
  readonly accountId: string;
  readonly settings: LeadSettings;
  readonly matchOn: readonly LeadMatch[];
  readonly row: LeadImportRow;
}

/** Decides what a row would do, and writes nothing. */
export async function checkLeadRow(
  deps: LeadDeps,
  { accountId, settings, matchOn, row: given }: RowToCheck,
): Promise<CheckedLeadRow> {
  const read = readLeadRow(given, settings);
  const { row } = read;
  if (read.outcome === 'bad') return { row, verdict: 'bad', errors: read.errors };
  const { notes } = read;
  const { stage: _, ...patch } = read.input;
  const matching = { accountId, input: read.input, matchOn, leadId: read.leadId };
  const found = await findMatch(deps, matching, settings);
  if (patch.external_id !== undefined) {
    const holder = await deps.leads.findByExternalId(accountId, patch.external_id);
    if (holder !== undefined && holder.lead_id !== found?.lead_id)
      return {
        row,
        verdict: 'bad',
        errors: [wrongField({ status: 'external_id_taken', by: holder.lead_id })],
      };
  }
  if (found === undefined)
    return { row, verdict: 'new', lead_id: null, notes, ...sharedValues(matching, settings) };
  const authored = { actor: { type: 'system', id: 'import' }, at: deps.now() } as const;
  const plan = planChange(found, { patch }, authored, settings);
  switch (plan.status) {
    case 'change':
      return { row, verdict: 'update', lead_id: found.lead_id, notes };
    case 'unchanged':
      return { row, verdict: 'same', lead_id: found.lead_id, notes };
    default:
      return { row, verdict: 'bad', errors: [wrongField(plan)] };
  }
}
