import type { UntoldChange } from '@sluice/contract/change';
import { formatInstant } from '@sluice/contract/instant';
import { type LeadChangeRecord, leadChange } from '@sluice/contract/lead';
import { pageParameters } from '@sluice/contract/public-list';
import { readHistory } from '@sluice/leads/read-history';
import * as z from 'zod';
import type { Place } from '../cursors.ts';
import type { PublicCall } from '../declare-route.ts';
import { listRoute } from '../list-route.ts';
import { NO_LEAD } from './answer-written.ts';
import type { LeadRouteDeps } from './deps.ts';
import { LEAD_ID } from './read-lead.ts';

const query = z.strictObject(pageParameters);

export const leadHistory = listRoute({
  path: '/api/public/leads/:leadId/history',
  operationId: 'listLeadHistory',
  tag: 'Leads',
  summary: 'List the changes of a lead',
  description: 'Returns who changed what and when, newest first, with the moves between stages.',
  scopes: ['read:leads'],
  params: LEAD_ID,
  query,
  item: leadChange,
  problems: ['not_found'],
  async read(
    call: PublicCall<z.output<typeof query>>,
    after: Place | undefined,
    { leadDeps }: LeadRouteDeps,
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

function describe({ sequence, kind, at, actor, data, previous, note }: UntoldChange): LeadChangeRecord {
  return {
    ...{ sequence, kind, at: formatInstant(at), actor: { type: actor.type, id: actor.id } },
    ...{ data: { ...data }, previous: previous === undefined ? null : { ...previous }, note: note ?? null },
  };
}
