import type { PlanUse } from '@sluice/admission/plan-use';
import type { SourceRecord } from '@sluice/admission/source-record';
import type { Plans } from '@sluice/contract/account/plans';
import type { Deliveries } from '@sluice/store/deliveries/deliveries';
import type { Sources } from '@sluice/store/sources/sources';

export interface RestorePlanUseDeps {
  readonly planUse: PlanUse;
  readonly plans: Plans;
  readonly sources: Pick<Sources, 'listSources'>;
  readonly deliveries: Pick<Deliveries, 'countAcceptedUpserts'>;
}

/**
 * Restores an account's plan use before a source is republished. Redis counts plan use, so an empty or restored Redis
 * counts too little. The count is raised to at least that of the delivery log. Not counted: actions lost with Redis, or
 * not logged yet, and days beyond DELIVERY_RETENTION_DAYS.
 */
export async function restorePlanUse(
  { planUse, plans, sources, deliveries }: RestorePlanUseDeps,
  { account_id, plan }: SourceRecord,
  nowMs: number,
): Promise<void> {
  const limit = plans.get(plan) ?? null;
  if (limit === null || limit === 0) return;
  const month = new Date(nowMs).toISOString().slice(0, 7);
  const own = await sources.listSources({ account_id });
  const sourceIds = own.map(({ source_id }) => source_id);
  const accepted = await deliveries.countAcceptedUpserts(sourceIds, Date.parse(`${month}-01`), limit);
  if (accepted > 0) await planUse.raise(account_id, month, accepted);
}
