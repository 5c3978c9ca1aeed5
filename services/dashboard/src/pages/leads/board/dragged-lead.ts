import type { LeadItem } from '@sluice/dashboard-api/leads';

const LEAD = Symbol('lead');

/** Attaches a lead to a drag. */
export function dragData(lead: LeadItem): Record<string | symbol, unknown> {
  return { [LEAD]: lead };
}

/** Returns the lead that is dragged; undefined if something else is. */
export function draggedLead(data: Readonly<Record<string | symbol, unknown>>): LeadItem | undefined {
  return data[LEAD] as LeadItem | undefined;
}
