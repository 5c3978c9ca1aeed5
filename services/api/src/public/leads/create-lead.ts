import { leadInput, leadRecord, leadWritten, matchOn, WRITTEN_LEAD } from '@sluice/contract/lead';
import { createLead as create } from '@sluice/leads/create-lead';
import * as z from 'zod';
import { type FirstAnswer, type PublicCall, publicRoute } from '../declare-route.ts';
import { answerWritten } from './answer-written.ts';
import type { LeadRouteDeps } from './deps.ts';
import { readWritten } from './read-written.ts';

const query = z.strictObject({ match_on: matchOn.optional() });
type Call = PublicCall<z.output<typeof query>, z.output<typeof leadInput>, 'lead'>;

export const createLead = publicRoute({
  method: 'POST',
  path: '/api/public/leads',
  operationId: 'createLead',
  tag: 'Leads',
  summary: 'Create a lead, or change the one that matches',
  description:
    'Creates a lead. With `match_on`, the oldest lead with the same value is changed instead: absent fields and the stage stay. A body without a value of these fields creates a lead. Concurrent requests that match make one lead. If `match_on` names `external_id`, a lead with another one is never changed.',
  scopes: ['write:leads'],
  query,
  body: leadInput,
  creates: ['lead'],
  success: { 201: 'The lead was created.', 200: 'A lead matched, and was changed where it differed.' },
  response: leadWritten,
  etag: leadRecord,
  recordsAt: '/api/public/leads',
  discloses: { scope: 'read:leads', always: WRITTEN_LEAD },
  problems: ['not_found', 'external_id_taken', 'unknown_stage'],
  async handler(call: Call, { leadDeps }: LeadRouteDeps) {
    const { accountId, apiKey, actor, doer, query, body, ids, isRepeat, requestId } = call;
    const wanted = {
      accountId,
      input: body,
      matchOn: query.match_on,
      actor,
      doer,
      origin: 'api',
      ids,
      isRepeat,
      requestId,
    } as const;
    const mayRead = apiKey.scopes.includes('read:leads');
    const result = answerWritten(await create(leadDeps, wanted), { mayRead });
    if (result.outcome !== 'done') return result;
    return { ...result, body: { created: result.status === 201, ...result.body } };
  },
  async readAgain(first: FirstAnswer, { accountId }: Call, { leadDeps }: LeadRouteDeps) {
    const result = await readWritten(leadDeps, accountId, first);
    if (result.outcome !== 'done') return result;
    return { ...result, body: { created: first.status === 201, ...result.body } };
  },
});
