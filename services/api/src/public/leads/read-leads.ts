import { listParameters, pageParameters } from '@sluice/contract/api/public-list';
import {
  type LeadChangeRecord,
  type LeadField,
  leadChange,
  leadField,
  leadFilter,
  leadRecord,
} from '@sluice/contract/lead/lead';
import { pipelineStage } from '@sluice/contract/lead/pipeline';
import type { PendingChange } from '@sluice/contract/message/change';
import { formatInstant } from '@sluice/contract/time/instant';
import { hasStage } from '@sluice/leads/change/find-stage';
import { describeLead } from '@sluice/leads/fields/describe-lead';
import { listLeads as pageLeads } from '@sluice/leads/list/list-leads';
import { readHistory } from '@sluice/leads/list/read-history';
import type { LeadSettings } from '@sluice/store/leads/lead-settings';
import * as z from 'zod';
import { refuse } from '../../http/result.ts';
import { listOrder, placeOf } from '../../leads/list-order.ts';
import type { RouteDeps } from '../../parts.ts';
import { type PublicCall, publicRoute } from '../layer/declare-route.ts';
import type { Place } from '../layer/list-route.ts';
import { hasPartOfName, listRoute, partOfName } from '../layer/list-route.ts';
import { NO_LEAD } from './answer-written.ts';

const query = z.strictObject({ ...leadFilter.shape, ...listParameters });

/** Many clients forget to encode `+`, so it arrives as a space. No email address has a space. */
function withPlus<F extends { readonly email?: string | undefined }>(filter: F): F {
  const { email } = filter;
  return email === undefined ? filter : { ...filter, email: email.trim().replaceAll(' ', '+') };
}

const NO_STAGE = 'The account has no such stage. GET /api/public/pipeline-stages lists the stages.';
const UNKNOWN_STAGE = refuse('unknown_stage', NO_STAGE, {
  errors: [{ pointer: '/stage', detail: NO_STAGE }],
});

const TOO_SHORT = 'Send at least two characters of a word.';

export const listLeads = listRoute({
  path: '/api/public/leads',
  operationId: 'listLeads',
  tag: 'Leads',
  summary: 'List and search leads',
  description:
    'Returns leads, newest first by default. All filters must match. To read what has changed, sort by `updated_at` and pass the `updated_until` of the last read as `updated_since`.',
  scopes: ['read:leads'],
  query,
  item: leadRecord,
  byChange: true,
  problems: ['unknown_stage'],
  async read(call: PublicCall<z.output<typeof query>>, after: Place | undefined, { leadDeps }: RouteDeps) {
    const { limit, cursor: _, sort, updated_since: updatedSince, ...sent } = call.query;
    const filter = withPlus(sent);
    const { stage } = filter;
    if (stage !== undefined && !(await hasStage(leadDeps, call.accountId, stage.trim())))
      return UNKNOWN_STAGE;
    const order = listOrder(sort);
    const listed = await pageLeads(leadDeps, {
      ...{ accountId: call.accountId, filter, updatedSince, ...order, limit },
      ...(after !== undefined && { after: { at: after[0] as number, lead_id: after[1] as string } }),
    });
    if (listed.status === 'query_too_short')
      return refuse('validation_failed', TOO_SHORT, { errors: [{ pointer: '/q', detail: TOO_SHORT }] });
    const items = listed.items.map((lead) => {
      const { at, lead_id } = placeOf(lead, order.by);
      return { record: describeLead(lead), place: [at, lead_id] };
    });
    return { items, more: listed.more };
  },
});

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
  async handler({ accountId, params }: PublicCall, { leadDeps }: RouteDeps) {
    const lead = await leadDeps.leads.findLead(accountId, params.leadId as string);
    if (lead === undefined) return NO_LEAD;
    return { outcome: 'done', body: describeLead(lead), revision: lead.revision };
  },
});

const historyQuery = z.strictObject(pageParameters);

export const leadHistory = listRoute({
  path: '/api/public/leads/:leadId/history',
  operationId: 'listLeadHistory',
  tag: 'Leads',
  summary: 'List the changes of a lead',
  description: 'Returns who changed what and when, newest first, with the moves between stages.',
  scopes: ['read:leads'],
  params: LEAD_ID,
  query: historyQuery,
  item: leadChange,
  problems: ['not_found'],
  async read(
    call: PublicCall<z.output<typeof historyQuery>>,
    after: Place | undefined,
    { leadDeps }: RouteDeps,
  ) {
    const { accountId, params } = call;
    const before = after?.[0] as number | undefined;
    const leadId = params.leadId as string;
    const read = await readHistory(leadDeps, { accountId, leadId, before, limit: call.query.limit });
    if (read.status === 'not_found') return NO_LEAD;
    const items = read.items.map((change) => ({ record: describe(change), place: [change.sequence] }));
    return { items, more: read.more };
  },
});

function describe({ sequence, kind, at, actor, data, previous, note }: PendingChange): LeadChangeRecord {
  return {
    ...{ sequence, kind, at: formatInstant(at), actor: { type: actor.type, id: actor.id } },
    ...{ data: { ...data }, previous: previous === undefined ? null : { ...previous }, note: note ?? null },
  };
}

const partQuery = z.strictObject({ q: partOfName });

export const leadFields = publicRoute({
  method: 'GET',
  path: '/api/public/leads/fields',
  operationId: 'listLeadFields',
  tag: 'Leads',
  summary: 'List the fields of leads',
  description: "Returns the fields of a lead with the account's custom fields, for mappings and menus.",
  scopes: ['read:leads', 'write:leads'],
  query: partQuery,
  success: { 200: 'The fields.' },
  response: z.array(leadField),
  problems: [],
  async handler(
    { accountId, query: { q } }: PublicCall<z.output<typeof partQuery>>,
    { leadDeps }: RouteDeps,
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

export const pipelineStages = publicRoute({
  method: 'GET',
  path: '/api/public/pipeline-stages',
  operationId: 'listPipelineStages',
  tag: 'Leads',
  summary: 'List the pipeline stages',
  description:
    'Returns the stages in the order of the pipeline, for menus. A stage that is being retired is left out.',
  scopes: ['read:leads', 'write:leads'],
  query: partQuery,
  success: { 200: 'The stages.' },
  response: z.array(pipelineStage),
  problems: [],
  async handler(
    { accountId, query: { q } }: PublicCall<z.output<typeof partQuery>>,
    { leadDeps }: RouteDeps,
  ) {
    const { stages } = await leadDeps.settings.readFresh(accountId);
    const isWanted = hasPartOfName(q);
    const body = stages
      .map(({ id, name, kind, retiring }, position) => ({ stage: { id, name, position, kind }, retiring }))
      .filter(({ stage, retiring }) => retiring === undefined && isWanted(stage))
      .map(({ stage }) => stage);
    return { outcome: 'done', body };
  },
});
