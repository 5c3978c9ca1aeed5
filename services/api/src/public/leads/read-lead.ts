import { leadRecord } from '@sluice/contract/lead';
import { describeLead } from '@sluice/leads/describe-lead';
import { type PublicCall, publicRoute } from '../declare-route.ts';
import { NO_LEAD } from './answer-written.ts';
import type { LeadRouteDeps } from './deps.ts';

export const LEAD_ID = { leadId: 'The id of the lead.' };

export const readLead = publicRoute({
  method: 'GET',
  path: '/api/public/leads/:leadId',
  operationId: 'getLead',
  tag: 'Leads',
  summary: 'Read a lead',
  description: 'Returns one lead. Its ETag can be sent as If-Match with a change.',
  scopes: ['read:leads'],
  params: LEAD_ID,
  success: { 200: 'The lead.' },
  response: leadRecord,
  etag: leadRecord,
  problems: ['not_found'],
  async handler({ accountId, params }: PublicCall, { leadDeps }: LeadRouteDeps) {
    const lead = await leadDeps.leads.findLead(accountId, params.leadId as string);
    if (lead === undefined) return NO_LEAD;
    return { outcome: 'done', body: describeLead(lead), revision: lead.revision };
  },
});
