import { setTimeout as wait } from 'node:timers/promises';
import { LEADS_COUNTED } from '@sluice/dashboard-api/limits';
import type { StageRetired } from '@sluice/dashboard-api/pipeline';
import { moveLead } from '@sluice/leads/change-lead';
import type { LeadDeps } from '@sluice/leads/deps';
import { countInStage, inStage } from '@sluice/leads/list-leads';
import { SETTINGS_AGE_MS } from '@sluice/leads/settings-reader';

export interface RetireDeps {
  readonly leadDeps: LeadDeps;
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
  const stage = settings.stages.find(({ id }) => id === stageId);
  if (stage?.retiring === undefined) return { moved: 0, left: 0 };
  const { into, since, actor } = stage.retiring;
  // Until then another process may still put new leads into the stage.
  const early = since + 2 * SETTINGS_AGE_MS - deps.now();
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
  if (items.length === 0 && early > 0) await wait(Math.min(early, SETTINGS_AGE_MS));
  const left = await countInStage(leadDeps, { accountId, stage: stageId, limit: LEADS_COUNTED });
  if (left > 0 || early > 0) return { moved, left: Math.max(left, 1) };
  await removeStage(leadDeps, accountId, stageId);
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
