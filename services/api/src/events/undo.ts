import type { Deed } from '@sluice/accounts/audit/audited';
import { groupsWithin, type Limits } from '@sluice/contract/delivery/within-limits';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import { type ImportUndone, importName, type UndoEffect } from '@sluice/dashboard-api/imports';
import { UNDO_LEFT_SHOWN } from '@sluice/dashboard-api/limits';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { isOfTheSource, MAX_CHARACTERS, MAX_ITEMS } from '@sluice/import/apply/import-rows';
import { inTurn } from '@sluice/import/apply/in-turn';
import type { StoredImport } from '@sluice/store/imports/imports';
import type { Binder } from '../http/bind.ts';
import { done, notFound, type Refusal, refuse } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';

import { planUndo, type Undoing } from './plan-undo.ts';

/** Undoes an import with actions that are admitted and enqueued like any other. */
export function undoRoutes({ guarded }: Binder, deps: RouteDeps): void {
  const { ownSource, imports, audited } = deps;

  guarded(ROUTES.events.lastImport, {}, async ({ who }) => {
    const last = await imports.lastImport(who.accountId);
    const source = last && (await ownSource(who, last.source_id));
    if (last === undefined || source === undefined) return done({ import: null });
    const { source_id, import_id, file_name, format, by, at, undone_at, event_ids } = last;
    return done({
      import: {
        ...{ source_id, import_id, file_name, format, source_name: source.name, imported_by: by },
        ...{ imported_at: formatInstant(at), events: event_ids.length, undone_at: instantOrNull(undone_at) },
      },
    });
  });

  guarded(ROUTES.events.checkUndo, { body: importName }, async ({ who, body }) => {
    const found = await imports.findImport(who.accountId, body.source_id, body.import_id);
    if (found === undefined) return notFound('import');
    const effect = noEffect();
    for await (const plans of plansOf(deps, found)) for (const plan of plans) count(effect, plan);
    return done(effect);
  });

  guarded(ROUTES.events.undoImport, { body: importName }, async ({ who, body, request }) => {
    const found = await imports.findImport(who.accountId, body.source_id, body.import_id);
    const source = await ownSource(who, body.source_id);
    if (found === undefined || source === undefined) return notFound('import');
    if (found.undone_at !== null) return refuse('conflict', 'This import was already undone.');
    const target = { id: source.source_id, name: source.name };
    const deedOf = (detail: string): Deed => ({ action: 'events.import_undone', target, detail });
    const ran = await audited(who, request, {
      intent: deedOf(found.file_name),
      work: () => inTurn(deps, found, () => undoAndMark(deps, found)),
      deed(done) {
        if (done.outcome === 'refused') return undefined;
        const { deleted, restored, left } = done.result.undone;
        if (deleted + restored === 0) return undefined;
        return deedOf(`${found.file_name}: ${deleted} deleted, ${restored} restored, ${left} unchanged`);
      },
    });
    if (ran.outcome === 'refused') return ran;
    const { undone, stopped } = ran.result;
    if (stopped !== undefined) return stopped;
    return hasEffect(ran.result) ? done(undone) : refuse('conflict', NOTHING);
  });
}

const NOTHING =
  'Nothing in this import can be undone. Either its events were changed since, or its rows are not applied yet. If they are not applied yet, try again in a moment.';

function noEffect(): UndoEffect {
  return { deleted: 0, restored: 0, left: 0, left_events: [], untouched: 0 };
}

/** Yields the undo plans of an import's events in portions that fit into memory. */
async function* plansOf({ events }: RouteDeps, { event_ids, import_id }: StoredImport) {
  for (let at = 0; at < event_ids.length; at += MAX_ITEMS) {
    for (let ids: readonly string[] = event_ids.slice(at, at + MAX_ITEMS); ids.length > 0; ) {
      const { events: stored, unread } = await events.loadPortion(ids);
      const left = new Set(unread);
      yield ids.filter((id) => !left.has(id)).map((id) => planUndo(stored.get(id), import_id));
      ids = unread;
    }
  }
}

interface UndoRun {
  readonly undone: ImportUndone;
  /** Events that the import has not reached yet. */
  readonly waiting: number;
  /** Events that an undo that was interrupted has reached. */
  readonly before: number;
  readonly stopped?: Refusal;
}

/** Whether the undo changes an event, would change one with a larger plan, or has done so before it was interrupted. */
function hasEffect({ undone: { deleted, restored, refused }, before }: UndoRun): boolean {
  return deleted + restored + refused + before > 0;
}

async function undoAndMark(deps: RouteDeps, found: StoredImport): Promise<UndoRun> {
  const result = await undoAll(deps, found);
  const { undone, waiting, stopped } = result;
  if (stopped === undefined && hasEffect(result) && waiting + undone.refused === 0)
    await deps.imports.markUndone(found.source_id, found.import_id, deps.now());
  return result;
}

/** Each portion is read right before it is undone, so that little can change in between. */
async function undoAll(deps: RouteDeps, found: StoredImport): Promise<UndoRun> {
  const undone: ImportUndone = { ...noEffect(), refused: 0 };
  let [waiting, before] = [0, 0];
  for await (const plans of plansOf(deps, found)) {
    for (const plan of plans) if (!isWanted(plan)) count(undone, plan);
    waiting += plans.filter((plan) => plan.outcome === 'untouched' && plan.waits).length;
    before += plans.filter(({ outcome }) => outcome === 'undone').length;
    for (const group of groupsWithin(plans.filter(isWanted), ONE_JOB)) {
      const { import_id } = found;
      const wanted = group.map(({ action, digest }) => ({ action, undone: { import_id, digest } }));
      const results = await deps.enqueueActions(found.source_id, wanted);
      const stopped = results.find((result) => result.outcome === 'refused' && isOfTheSource(result.code));
      if (stopped?.outcome === 'refused') return { undone, waiting, before, stopped };
      group.forEach((plan, index) => {
        if (results[index]?.outcome === 'refused') undone.refused += 1;
        else count(undone, plan);
      });
    }
  }
  return { undone, waiting, before };
}

type Wanted = Undoing & { outcome: 'delete' | 'restore' };

function isWanted(plan: Undoing): plan is Wanted {
  return plan.outcome === 'delete' || plan.outcome === 'restore';
}

function count(effect: UndoEffect, plan: Undoing): void {
  switch (plan.outcome) {
    case 'delete':
      effect.deleted += 1;
      return;
    case 'restore':
      effect.restored += 1;
      return;
    case 'undone':
    case 'untouched':
      effect.untouched += 1;
      return;
    case 'left': {
      effect.left += 1;
      const { event_id, identity } = plan.event;
      const shown = { event_id, title: identity.title, starts_at: formatInstant(identity.starts_at) };
      if (effect.left_events.length < UNDO_LEFT_SHOWN) effect.left_events.push(shown);
    }
  }
}

const ONE_JOB: Limits<Wanted> = {
  sizeOf: ({ action }) => (action.kind === 'upsert' ? JSON.stringify(action.content).length : 0),
  maxItems: MAX_ITEMS,
  maxSize: MAX_CHARACTERS,
};
