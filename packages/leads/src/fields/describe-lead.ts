import type { LeadRecord } from '@sluice/contract/lead/lead';
import { formatInstant } from '@sluice/contract/time/instant';
import type { Lead } from '@sluice/store/leads/lead-document';

/** A lead as the API returns it and as messages contain it. */
export function describeLead(lead: Lead): LeadRecord {
  const created = formatInstant(lead.created_at);
  // Most leads of an import or a sync were never changed. Formatting an instant costs as much as the rest.
  const time = (at: number) => (at === lead.created_at ? created : formatInstant(at));
  return {
    id: lead.lead_id,
    name: lead.name ?? null,
    company: lead.company ?? null,
    email: lead.email ?? null,
    phone: lead.phone ?? null,
    phone_e164: lead.phone_e164 ?? null,
    stage: lead.stage,
    external_id: lead.external_id ?? null,
    tags: [...lead.tags],
    fields: Object.fromEntries(lead.fields),
    note: lead.note ?? null,
    origin: lead.origin,
    conversation_id: lead.conversation_id,
    created_at: created,
    updated_at: time(lead.updated_at),
    stage_changed_at: time(lead.stage_changed_at),
  };
}
