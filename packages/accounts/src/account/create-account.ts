import { DEFAULT_PLAN, type Plans } from '@sluice/contract/account/plans';
import { newId } from '@sluice/credentials/ids';
import type { Account, Accounts } from '@sluice/store/accounts/accounts';

export interface CreateAccountDeps {
  readonly accounts: Pick<Accounts, 'insertAccount'>;
  readonly plans: Plans;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface NewAccount {
  readonly name: string;
  /** Default: unlimited. */
  readonly plan?: string;
  /** For accounts that need the same id in every installation, such as `demo`. Default: a new id. */
  readonly accountId?: string;
}

export type AccountCreated =
  | { readonly status: 'created'; readonly account: Account }
  | { readonly status: 'account_exists' }
  | { readonly status: 'unknown_plan'; readonly known: readonly string[] };

/** Creates an account. */
export async function createAccount(deps: CreateAccountDeps, input: NewAccount): Promise<AccountCreated> {
  const { name, plan = DEFAULT_PLAN, accountId = newId('acc') } = input;
  if (!deps.plans.has(plan)) return { status: 'unknown_plan', known: [...deps.plans.keys()] };
  const account: Account = { account_id: accountId, name, plan, created_at: deps.now() };
  const { status } = await deps.accounts.insertAccount(account);
  return status === 'exists' ? { status: 'account_exists' } : { status: 'created', account };
}
