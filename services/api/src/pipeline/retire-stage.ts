import { setTimeout as sleep } from 'node:timers/promises';
import { LEADS_COUNTED } from '@sluice/dashboard-api/limits';
import type { StageRetired } from '@sluice/dashboard-api/pipeline';
import { moveLead } from '@sluice/leads/change/change-lead';
import type { LeadDeps } from '@sluice/leads/deps';
import { countInStage, inStage } from '@sluice/leads/list/list-leads';
import { SETTINGS_AGE_MS } from '@sluice/leads/settings-reader';
import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';
import { WRITE_MS } from '@sluice/store/changed-since';

export interface RetireDeps {
  readonly leadDeps: LeadDeps;
  /** When this process first saw that a stage is being retired, by account, stage and `since`. */
  readonly retiringSeen: Map<string, number>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Leads that one request moves. */
const PORTION = 100;
/** Moves at once. They share round trips, and leave the server to its requests. */
const AT_ONCE = 10;

/** Moves a portion of the leads of a stage that is being retired. Once none is left, the stage is removed. */
export async function retirePortion(
  deps: RetireDeps,
  accountId: string,
  stageId: string,
): Promise<StageRetired> {
  const { leadDeps } = deps;
  const settings = await leadDeps.settings.readFresh(accountId);
  const readAt = deps.now();
  const stage = settings.stages.find(({ id }) => id === stageId);
  if (stage?.retiring === undefined) return { moved: 0, left: 0 };
  const { into, since, actor } = stage.retiring;
  const order = { by: 'created_at', descending: false, limit: PORTION } as const;
  const { items } = await leadDeps.leadSearch.pageLeads(inStage(accountId, stageId), order);
  let moved = 0;
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const some = items.slice(from, from + AT_ONCE);
    const written = await Promise.all(
      some.map(({ lead_id }) => moveLead(leadDeps, { accountId, leadId: lead_id, stage: into, actor })),
    );
    moved += written.filter(({ status }) => status === 'changed').length;
  }
  // Until then another process may still put a lead into the stage. The settings may have been stored long after `since`.
  const seen = `${accountId} ${stageId} ${since}`;
  const seenAt = deps.retiringSeen.get(seen) ?? readAt;
  deps.retiringSeen.set(seen, seenAt);
  const closesAt = seenAt + SETTINGS_AGE_MS + WRITE_MS;
  if (items.length === 0) await sleep(Math.min(Math.max(closesAt - deps.now(), 0), SETTINGS_AGE_MS));
  // Before the count, which sees all writes that have ended.
  const stillOpen = deps.now() < closesAt;
  const left = await countInStage(leadDeps, { accountId, stage: stageId, limit: LEADS_COUNTED });
  if (left > 0 || stillOpen) return { moved, left: Math.max(left, 1) };
  await removeStage(leadDeps, accountId, stageId);
  deps.retiringSeen.delete(seen);
  return { moved, left: 0 };
}

async function removeStage(
  { settings, leadSettings }: LeadDeps,
  accountId: string,
  stageId: string,
): Promise<void> {
  let isStored = false;
  while (!isStored) {
    const before = await settings.readFresh(accountId);
    const stages = before.stages.filter(({ id }) => id !== stageId);
    isStored =
      stages.length === before.stages.length || (await leadSettings.putSettings({ ...before, stages }));
  }
  await settings.readFresh(accountId);
}

interface RetireInBackgroundDeps extends RetireDeps {
  /** Called on failure. The next look tries again. */
  readonly onRetiringFailed: (error: unknown) => void;
}

const EVERY_MS = 3000;

/** Moves the leads out of stages that are being retired, also after the dialog was closed and after a restart. */
export function startRetiring(deps: RetireInBackgroundDeps): Repeated {
  const run = (isStopped: () => boolean) => retireAll(deps, isStopped);
  return repeat({ run, everyMs: EVERY_MS, onError: deps.onRetiringFailed });
}

/** A portion of each stage in rounds, so that a stage with many leads delays no other account. */
async function retireAll(deps: RetireDeps, isStopped: () => boolean): Promise<void> {
  for (let moved = 1; moved > 0 && !isStopped(); ) {
    moved = 0;
    for (const { account_id, stages } of await deps.leadDeps.leadSettings.listRetiring())
      for (const { id, retiring } of stages)
        if (retiring !== undefined && !isStopped())
          moved += (await retirePortion(deps, account_id, id)).moved;
  }
}
