import { formatInstant } from '@sluice/contract/instant';
import type { LeadRecord } from '@sluice/contract/lead';
import type { Lead } from '@sluice/store/lead-document';

/** A lead as the API returns it and as messages contain it. */
export function describeLead(lead: Lead): LeadRecord {
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
    created_at: formatInstant(lead.created_at),
    updated_at: formatInstant(lead.updated_at),
    stage_changed_at: formatInstant(lead.stage_changed_at),
  };
}
