import type { ShardedDirectory } from '@sluice/admission/sharded-directory';
import type { Fence } from '@sluice/admission/source-directory';
import type { Plans } from '@sluice/contract/account/plans';
import type { Account, Accounts } from '@sluice/store/accounts/accounts';
import type { Sources } from '@sluice/store/sources/sources';
import { orUnconfirmed } from '../audit/unconfirmed-change.ts';
import { announce } from '../sources/change-source.ts';

export interface SetPlanDeps {
  readonly accounts: Pick<Accounts, 'findAccount' | 'setAccountPlan'>;
  readonly sources: Pick<Sources, 'findSource' | 'listSources' | 'changeSource'>;
  readonly directory: Pick<ShardedDirectory, 'fence' | 'publish'>;
  readonly plans: Plans;
}

export type PlanSet =
  /** `before` is the previous plan. */
  | { readonly status: 'set'; readonly account: Account; readonly before: string }
  | { readonly status: 'account_not_found' }
  | { readonly status: 'unknown_plan'; readonly known: readonly string[] };

/**
 * Moves an account to another plan. The next request of every source of the account uses it.
 * Throws UnconfirmedChangeError if MongoDB or Redis did not respond half way.
 */
export async function setPlan(deps: SetPlanDeps, accountId: string, plan: string): Promise<PlanSet> {
  if (!deps.plans.has(plan)) return { status: 'unknown_plan', known: [...deps.plans.keys()] };
  const found = await deps.accounts.findAccount(accountId);
  if (found === undefined) return { status: 'account_not_found' };
  const before = await deps.sources.listSources({ account_id: accountId });
  const fences = new Map<string, Fence>();
  for (const { source_id } of before) fences.set(source_id, await deps.directory.fence(source_id, accountId));
  const account = await orUnconfirmed(`MongoDB has not confirmed the plan of ${accountId}`, store());
  if (account === undefined) return { status: 'account_not_found' };
  await orUnconfirmed(
    `The plan of ${accountId} is stored but not announced for all of its sources`,
    announceAll(),
  );
  return { status: 'set', account, before: found.plan };

  // Versions first: if this process dies after the plan is stored, ingresses must notice that their cached plan is old.
  async function store(): Promise<Account | undefined> {
    for (const { source_id } of before) await deps.sources.changeSource(source_id, undefined);
    return deps.accounts.setAccountPlan(accountId, plan);
  }

  // Raises the versions again: a change of a source in between may have published the old plan with its version.
  // Lists the sources again: one created meanwhile may have read the old plan.
  async function announceAll(): Promise<void> {
    for (const { source_id } of await deps.sources.listSources({ account_id: accountId })) {
      const fence = fences.get(source_id) ?? (await deps.directory.fence(source_id, accountId));
      const source = await deps.sources.changeSource(source_id, undefined);
      if (source !== undefined) await announce(deps, source, fence);
    }
  }
}
