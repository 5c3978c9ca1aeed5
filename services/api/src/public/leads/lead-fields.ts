import { type LeadField, leadField } from '@sluice/contract/lead';
import type { LeadSettings } from '@sluice/store/leads/lead-settings';
import * as z from 'zod';
import { type PublicCall, publicRoute } from '../declare-route.ts';
import { hasPartOfName, partOfName } from '../part-of-name.ts';
import type { LeadRouteDeps } from './deps.ts';

const query = z.strictObject({ q: partOfName });

export const leadFields = publicRoute({
  method: 'GET',
  path: '/api/public/leads/fields',
  operationId: 'listLeadFields',
  tag: 'Leads',
  summary: 'List the fields of leads',
  description: "Returns the fields of a lead with the account's custom fields, for mappings and menus.",
  scopes: ['read:leads', 'write:leads'],
  query,
  success: { 200: 'The fields.' },
  response: z.array(leadField),
  problems: [],
  async handler(
    { accountId, query: { q } }: PublicCall<z.output<typeof query>>,
    { leadDeps }: LeadRouteDeps,
  ) {
    const settings = await leadDeps.settings.readFresh(accountId);
    const isWanted = hasPartOfName(q);
    const body = describeFields(settings).filter(({ key, label }) =>
      [key, label].some((name) => isWanted({ name })),
    );
    return { outcome: 'done', body };
  },
});

/** The fields of a lead, with the custom fields of the account. */
export function describeFields({
  stages,
  custom_fields,
}: Pick<LeadSettings, 'stages' | 'custom_fields'>): LeadField[] {
  const choices = stages
    .filter(({ retiring }) => retiring === undefined)
    .map(({ id, name }) => ({ id, name }));
  const written = (key: string, label: string, extra: Partial<LeadField> = {}): LeadField => ({
    ...{ key, label, type: 'string', required: false, choices: null, read_only: false },
    ...extra,
  });
  return [
    written('name', 'Name'),
    written('company', 'Company'),
    written('email', 'Email'),
    written('phone', 'Phone'),
    written('stage', 'Stage', { choices }),
    written('external_id', 'External ID'),
    written('tags', 'Tags', { type: 'array' }),
    written('note', 'Note'),
    ...custom_fields.map(({ name, type }) => written(`fields.${name}`, name, { type })),
    written('id', 'ID', { read_only: true }),
    written('phone_e164', 'Phone (international)', { read_only: true }),
    written('origin', 'Origin', { read_only: true }),
    written('conversation_id', 'Conversation', { read_only: true }),
    written('created_at', 'Created', { type: 'datetime', read_only: true }),
    written('updated_at', 'Updated', { type: 'datetime', read_only: true }),
    written('stage_changed_at', 'Stage changed', { type: 'datetime', read_only: true }),
  ];
}
