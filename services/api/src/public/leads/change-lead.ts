import { leadPatch, leadRecord, leadWritten, WRITTEN_LEAD } from '@sluice/contract/lead';
import { changeLead as change } from '@sluice/leads/change-lead';
import type * as z from 'zod';
import { type PublicCall, publicRoute } from '../declare-route.ts';
import { answerWritten } from './answer-written.ts';
import type { LeadRouteDeps } from './deps.ts';
import { LEAD_ID } from './read-lead.ts';

type Call = PublicCall<undefined, z.output<typeof leadPatch>>;

export const changeLead = publicRoute({
  method: 'PATCH',
  path: '/api/public/leads/:leadId',
  operationId: 'updateLead',
  tag: 'Leads',
  summary: 'Change a lead',
  description:
    'A JSON merge patch (RFC 7396): an absent field stays, `null` clears. `fields` is merged key by key, `tags` are replaced. A patch without effect changes no time.',
  scopes: ['write:leads'],
  params: LEAD_ID,
  body: leadPatch,
  success: { 200: 'The lead after the change.' },
  response: leadWritten,
  etag: leadRecord,
  ifMatch: true,
  discloses: { scope: 'read:leads', always: WRITTEN_LEAD },
  problems: ['not_found', 'external_id_taken', 'unknown_stage'],
  async handler(
    { accountId, apiKey, actor, doer, params, body: patch, ifMatch }: Call,
    { leadDeps }: LeadRouteDeps,
  ) {
    const leadId = params.leadId as string;
    const written = await change(leadDeps, { accountId, leadId, patch, ifMatch, actor, doer });
    return answerWritten(written, { mayRead: apiKey.scopes.includes('read:leads') });
  },
});
