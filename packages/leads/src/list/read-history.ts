import type { PendingChange } from '@sluice/contract/message/change';
import type { LeadDeps } from '../deps.ts';

export interface ReadHistory {
  readonly accountId: string;
  readonly leadId: string;
  /** Only changes before this sequence number: that of the last change of the previous page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export type HistoryRead =
  | { readonly status: 'page'; readonly items: readonly PendingChange[]; readonly more: boolean }
  | { readonly status: 'not_found' };

/** Changes of a lead, newest first. Those that are not published yet are still in the lead itself, so none is missing. */
export async function readHistory(
  { leads, leadHistory }: LeadDeps,
  { accountId, leadId, before, limit }: ReadHistory,
): Promise<HistoryRead> {
  // The lead first: a change that is published between the two reads is in both.
  const lead = await leads.findLead(accountId, leadId);
  if (lead === undefined) return { status: 'not_found' };
  const page = await leadHistory.pageRows(leadId, { ...(before !== undefined && { before }), limit });
  const published = new Set(page.items.map(({ sequence }) => sequence));
  const untold = lead.untold.filter(
    ({ sequence }) => !published.has(sequence) && (before === undefined || sequence < before),
  );
  const items = [...untold, ...page.items].sort((a, b) => b.sequence - a.sequence);
  return { status: 'page', items: items.slice(0, limit), more: page.more || items.length > limit };
}
