import type { LeadSettings, Stage } from '@sluice/store/leads/lead-settings';
import type { LeadDeps } from '../deps.ts';

/** A stage that takes new leads. */
export function openStage({ stages }: LeadSettings, id: string): Stage | undefined {
  return stages.find((stage) => stage.id === id && stage.retiring === undefined);
}

/** Whether the account has a stage, also one that is being retired. A stage that was just added is known at once. */
export async function hasStage({ settings }: Pick<LeadDeps, 'settings'>, accountId: string, id: string) {
  const isAmong = ({ stages }: LeadSettings) => stages.some((stage) => stage.id === id);
  return isAmong(await settings.read(accountId)) || isAmong(await settings.readFresh(accountId));
}

/** The stage of leads that name none: the first that takes new leads. */
export function firstStage({ stages }: LeadSettings): string {
  const first = stages.find(({ retiring }) => retiring === undefined) ?? stages[0];
  if (first === undefined) throw new Error('a pipeline without a stage');
  return first.id;
}

/** Whether leads may move to a stage. A stage that was just added is known at once. */
export async function takesLeads({ settings }: LeadDeps, accountId: string, stage: string): Promise<boolean> {
  if (openStage(await settings.read(accountId), stage) !== undefined) return true;
  return openStage(await settings.readFresh(accountId), stage) !== undefined;
}
