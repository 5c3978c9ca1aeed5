import { within } from '@sluice/runtime/timing/within';

/** Whether subscriptions want the changes of an account's events. */
export type Keeps = (accountId: string) => boolean;

export interface WantedAccounts {
  /** Asks for the accounts of a run. Never rejects. */
  ask(accountIds: ReadonlySet<string>): Keeps | Promise<Keeps>;
  /** Whether the last result of an account still counts. */
  isCurrent(accountId: string): boolean;
}

export interface WantedAccountsDeps {
  /** Those of the accounts with a subscription to events. */
  readonly read: (accountIds: string[]) => Promise<ReadonlySet<string>>;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

/** A first subscription to events answers once every worker has asked again (packages/outbound). */
const KNOWN_MS = 1000;
/** A run waits this long at most. */
const READ_MS = 500;
const MOST_KNOWN = 10_000;

/**
 * Remembers the result of each account for at most a second, so a busy worker asks MongoDB once a second. If it does not
 * respond, the changes are kept: a change that no subscription wants costs little, and a lost one is lost forever.
 */
export function createWantedAccounts({ read, now }: WantedAccountsDeps): WantedAccounts {
  const known = new Map<string, { readonly wanted: boolean; readonly until: number }>();
  const keeps: Keeps = (accountId) => known.get(accountId)?.wanted ?? true;

  async function ask(accountIds: string[]): Promise<Keeps> {
    if (known.size > MOST_KNOWN) known.clear();
    for (const accountId of accountIds) known.delete(accountId);
    // From before the request: a subscription may be created while it is under way.
    const until = now() + KNOWN_MS;
    const wanted = await within(READ_MS, read(accountIds), () => undefined).catch(() => undefined);
    if (wanted !== undefined)
      for (const accountId of accountIds) known.set(accountId, { wanted: wanted.has(accountId), until });
    return keeps;
  }

  const isCurrent = (accountId: string): boolean => (known.get(accountId)?.until ?? 0) > now();

  return {
    ask(accountIds) {
      const unknown: string[] = [];
      for (const accountId of accountIds) if (!isCurrent(accountId)) unknown.push(accountId);
      return unknown.length === 0 ? keeps : ask(unknown);
    },
    isCurrent,
  };
}
