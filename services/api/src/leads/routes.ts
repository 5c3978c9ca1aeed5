import { pageQuery } from '@sluice/dashboard-api/common';
import { leadQuery } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { listLeads } from '@sluice/leads/list/list-leads';
import { readHistory } from '@sluice/leads/list/read-history';
import * as z from 'zod';
import type { Binder } from '../http/bind.ts';
import { nextCursor, placeTime, readCursor } from '../http/cursor.ts';
import { done, notFound } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';
import { actorNames, describeChange } from './describe-change.ts';
import { listOrder, placeOf, SEARCH_TOO_SHORT } from './list-order.ts';
import { describeLeadItem } from './written.ts';

const PAGE = 50;
const HISTORY = 20;
const NO_LEAD = notFound('lead');
const PLACE = z.tuple([placeTime, z.string()]);
const SEQUENCE = z.tuple([z.int()]);

/** The account's leads: list, search, show with history, and whether something has changed. */
export function leadRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { leadDeps } = deps;
  const routes = ROUTES.leads;

  guarded(routes.list, { query: leadQuery }, async ({ who, query }) => {
    const { cursor, limit = PAGE, sort, ...filter } = query;
    const from = readCursor(cursor, PLACE);
    if (from.outcome === 'refused') return from;
    const { place } = from;
    const order = listOrder(sort);
    const page = await listLeads(leadDeps, {
      ...{ accountId: who.accountId, filter, ...order, limit },
      ...(place !== undefined && { after: { at: place[0], lead_id: place[1] } }),
    });
    if (page.status === 'query_too_short') return SEARCH_TOO_SHORT;
    const next_cursor = nextCursor(page, (last) => {
      const { at, lead_id } = placeOf(last, order.by);
      return [at, lead_id];
    });
    return done({ items: page.items.map(describeLeadItem), next_cursor });
  });

  guarded(routes.version, {}, async ({ who }) => {
    const [newest, settings] = await Promise.all([
      leadDeps.leadSearch.newestChanges(who.accountId),
      leadDeps.leadSettings.findSettings(who.accountId),
    ]);
    const parts = newest.flatMap(({ lead_id, updated_at, revision }) => [updated_at, revision, lead_id]);
    return done({ version: [settings.revision, ...parts].join('-') });
  });

  guarded(routes.show, {}, async ({ who, params }) => {
    const lead = await leadDeps.leads.findLead(who.accountId, params.leadId as string);
    return lead === undefined ? NO_LEAD : done(describeLeadItem(lead));
  });

  guarded(
    routes.history,
    { query: pageQuery },
    async ({ who, params, query: { cursor, limit = HISTORY } }) => {
      const from = readCursor(cursor, SEQUENCE);
      if (from.outcome === 'refused') return from;
      const before = from.place?.[0];
      const leadId = params.leadId as string;
      const page = await readHistory(leadDeps, { accountId: who.accountId, leadId, before, limit });
      if (page.status === 'not_found') return NO_LEAD;
      const names = await actorNames(deps, who.accountId, page.items);
      return done({
        items: page.items.map((change) => describeChange(change, names)),
        next_cursor: nextCursor(page, (last) => [last.sequence]),
      });
    },
  );
}
