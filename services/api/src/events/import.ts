import {
  eventsOfCalendar,
  importCheck,
  importRows as importRowsBody,
  uidsToFind,
} from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { checkRows } from '@sluice/import/apply/check-rows';
import { goneEvents } from '@sluice/import/apply/gone-events';
import { importDeed, importIntent, importRows } from '@sluice/import/apply/import-rows';
import { knownEvents } from '@sluice/import/apply/known-events';
import type { Binder } from '../http/bind.ts';
import { LARGE_BODY_BYTES } from '../http/read-body.ts';
import { done, notFound } from '../http/result.ts';
import { eventSourcesOf } from '../parts/own-source.ts';
import type { RouteDeps } from '../parts.ts';

/** Handles rows of a file as actions of one source: checks them, or admits and enqueues them like any other action. */
export function importRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { audited } = deps;
  const ownSource = eventSourcesOf(deps.ownSource);

  const check = { body: importCheck, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(ROUTES.events.checkImport, check, async ({ who, body: { source_id, rows } }) => {
    const source = await ownSource(who, source_id);
    if (source === undefined) return notFound('source');
    return done({ rows: await checkRows(deps, source, rows) });
  });

  const uids = { body: uidsToFind, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(ROUTES.events.findUids, uids, async ({ who, body }) => {
    const source = await ownSource(who, body.source_id);
    if (source === undefined) return notFound('source');
    const found = await knownEvents(deps, source, body.uids);
    if (found.outcome === 'refused') return found;
    const { outcome: _, ...known } = found;
    return done(known);
  });

  const calendar = { body: eventsOfCalendar, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(ROUTES.events.findGone, calendar, async ({ who, body: { source_id, event_ids } }) => {
    const source = await ownSource(who, source_id);
    return source === undefined ? notFound('source') : done(await goneEvents(deps, source, event_ids));
  });

  const inputs = { body: importRowsBody, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(ROUTES.events.import, inputs, async ({ who, body, request }) => {
    const source = await ownSource(who, body.source_id);
    if (source === undefined) return notFound('source');
    const importer = { ...source, by: who.user.email };
    const target = { id: source.source_id, name: source.name };
    const { accepted, refused, stopped } = await audited(who, request, {
      intent: importIntent(target, body),
      work: () => importRows(deps, importer, body),
      deed: ({ whole }) => whole && importDeed(target, whole),
    });
    return stopped ?? done({ accepted, refused });
  });
}
