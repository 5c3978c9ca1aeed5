import type { LeadItem, NewLead } from '@sluice/dashboard-api/leads';
import { addLead } from './leads.ts';
import { callAs } from './source.ts';
import type { Person, Stack } from './stack.ts';

const LEADS: readonly NewLead[] = [
  { name: 'Grace Hopper', company: 'US Navy', email: 'grace@example.com', tags: ['fair'], stage: 'stg_won' },
  { name: 'Alan Turing', email: 'alan@example.com', phone: '+44 161 496 0000', stage: 'stg_contacted' },
  { name: 'Katherine Johnson', company: 'Langley Research Center', tags: ['berlin', 'demo', 'fair', 'q4'] },
  { email: 'no-name-but-a-rather-long-address@subdomain.example.com', stage: 'stg_contacted' },
  { name: 'Hedy Lamarr', company: 'Frequency Hopping', phone: '030 901820', stage: 'stg_qualified' },
  { name: 'Someone Else', company: 'Elsewhere', external_id: 'crm-4711', stage: 'stg_lost' },
];

/** Adds leads in every stage, one of them with a history. */
export async function fillLeads(at: Stack, owner: Person): Promise<void> {
  for (const lead of LEADS) await addLead(at, owner, lead);
  const ada: LeadItem = await addLead(at, owner, {
    ...{ name: 'Ada Lovelace', company: 'Analytical Engines', email: 'ada@example.com' },
    ...{ phone: '+49 30 901820', tags: ['fair', 'berlin'], note: 'Met at the fair. Wants a demo in spring.' },
    fields: { Budget: 5000, City: 'London', Newsletter: true },
  });
  const path = `/leads/${ada.id}`;
  await callAs(at, owner, 'PATCH', path, { patch: { company: 'Engines & Co', fields: { Budget: 7500 } } });
  await callAs(at, owner, 'POST', `${path}/stage`, { stage: 'stg_qualified', note: 'Asked for an offer' });
}
