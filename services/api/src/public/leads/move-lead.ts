import { leadMove, leadRecord, leadWritten, WRITTEN_LEAD } from '@sluice/contract/lead';
import { moveLead as move } from '@sluice/leads/change-lead';
import type * as z from 'zod';
import { type FirstAnswer, type PublicCall, publicRoute } from '../declare-route.ts';
import { answerWritten } from './answer-written.ts';
import type { LeadRouteDeps } from './deps.ts';
import { LEAD_ID } from './read-lead.ts';
import { readWritten } from './read-written.ts';

type Call = PublicCall<undefined, z.output<typeof leadMove>>;

export const moveLead = publicRoute({
  method: 'POST',
  path: '/api/public/leads/:leadId/stage',
  operationId: 'moveLead',
  tag: 'Leads',
  summary: 'Move a lead to another stage',
  description:
    'The note is kept with the move, in the history of the lead. A move to the present stage changes no field and sends no message. Its note is kept as an entry `lead.noted`, with a new ETag.',
  scopes: ['write:leads'],
  params: LEAD_ID,
  body: leadMove,
  success: { 200: 'The lead after the move.' },
  response: leadWritten,
  etag: leadRecord,
  ifMatch: true,
  discloses: { scope: 'read:leads', always: WRITTEN_LEAD },
  problems: ['not_found', 'unknown_stage', 'external_id_taken'],
  async handler(call: Call, { leadDeps }: LeadRouteDeps) {
    const { accountId, apiKey, actor, doer, params, body, ifMatch, isRepeat, requestId } = call;
    const leadId = params.leadId as string;
    const { stage } = body;
    const note = body.note ?? undefined;
    const wanted = { accountId, leadId, stage, note, ifMatch, actor, doer, isRepeat, requestId };
    const written = await move(leadDeps, wanted);
    return answerWritten(written, { mayRead: apiKey.scopes.includes('read:leads') });
  },
  readAgain: (first: FirstAnswer, { accountId }: Call, { leadDeps }: LeadRouteDeps) =>
    readWritten(leadDeps, accountId, first),
});
