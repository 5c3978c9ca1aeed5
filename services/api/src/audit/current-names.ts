import type { LeadDeps } from '@sluice/leads/deps';
import { leadName } from '@sluice/leads/lead-name';
import type { AuditEntry } from '@sluice/store/audit/audit-log';

export interface CurrentNamesDeps {
  readonly leads: Pick<LeadDeps['leads'], 'findLeads'>;
  readonly leadSettings: Pick<LeadDeps['leadSettings'], 'findSettings'>;
}

/**
 * Adds the current names of leads and stages to entries of an account. The log stores their ids only, so that an erasure leaves
 * nothing in it: an erased lead keeps its id.
 */
export async function withCurrentNames(
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
