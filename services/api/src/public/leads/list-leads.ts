import { leadFilter, leadRecord } from '@sluice/contract/lead';
import { listParameters } from '@sluice/contract/public-list';
import { describeLead } from '@sluice/leads/describe-lead';
import { hasStage } from '@sluice/leads/find-stage';
import { listLeads as pageLeads } from '@sluice/leads/list-leads';
import * as z from 'zod';
import { refuse } from '../../http/result.ts';
import { listOrder, placeOf } from '../../leads/list-order.ts';
import type { Place } from '../cursors.ts';
import type { PublicCall } from '../declare-route.ts';
import { listRoute } from '../list-route.ts';
import type { LeadRouteDeps } from './deps.ts';

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
  async read(
    call: PublicCall<z.output<typeof query>>,
    after: Place | undefined,
    { leadDeps }: LeadRouteDeps,
  ) {
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
