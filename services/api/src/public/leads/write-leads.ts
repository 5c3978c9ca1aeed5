import {
  leadInput,
  leadMove,
  leadPatch,
  leadRecord,
  leadWritten,
  matchOn,
  WRITTEN_LEAD,
} from '@sluice/contract/lead/lead';
import { changeLead as change, moveLead as move } from '@sluice/leads/change/change-lead';
import { createLead as create } from '@sluice/leads/change/create-lead';
import * as z from 'zod';
import type { RouteDeps } from '../../parts.ts';
import { type FirstAnswer, type PublicCall, publicRoute } from '../layer/declare-route.ts';
import { answerWritten, readWritten } from './answer-written.ts';
import { LEAD_ID } from './read-leads.ts';

const query = z.strictObject({ match_on: matchOn.optional() });
type CreateCall = PublicCall<z.output<typeof query>, z.output<typeof leadInput>, 'lead'>;

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
  async handler(call: CreateCall, { leadDeps }: RouteDeps) {
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
  async readAgain(first: FirstAnswer, { accountId }: CreateCall, { leadDeps }: RouteDeps) {
    const result = await readWritten(leadDeps, accountId, first);
    if (result.outcome !== 'done') return result;
    return { ...result, body: { created: first.status === 201, ...result.body } };
  },
});

type ChangeCall = PublicCall<undefined, z.output<typeof leadPatch>>;

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
    { accountId, apiKey, actor, doer, params, body: patch, ifMatch }: ChangeCall,
    { leadDeps }: RouteDeps,
  ) {
    const leadId = params.leadId as string;
    const written = await change(leadDeps, { accountId, leadId, patch, ifMatch, actor, doer });
    return answerWritten(written, { mayRead: apiKey.scopes.includes('read:leads') });
  },
});

type MoveCall = PublicCall<undefined, z.output<typeof leadMove>>;

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
  async handler(call: MoveCall, { leadDeps }: RouteDeps) {
    const { accountId, apiKey, actor, doer, params, body, ifMatch, isRepeat, requestId } = call;
    const leadId = params.leadId as string;
    const { stage } = body;
    const note = body.note ?? undefined;
    const wanted = { accountId, leadId, stage, note, ifMatch, actor, doer, isRepeat, requestId };
    const written = await move(leadDeps, wanted);
    return answerWritten(written, { mayRead: apiKey.scopes.includes('read:leads') });
  },
  readAgain: (first: FirstAnswer, { accountId }: MoveCall, { leadDeps }: RouteDeps) =>
    readWritten(leadDeps, accountId, first),
});
