import type { Store } from '@sluice/store/connect';
import type { LeadHistory } from '@sluice/store/leads/lead-history';
import type { LeadSearch } from '@sluice/store/leads/lead-search';
import type { LeadSettingsStore } from '@sluice/store/leads/lead-settings';
import type { Leads } from '@sluice/store/leads/leads';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { createInTurn, type InTurn } from './contention.ts';
import { createSettingsReader, type SettingsReader } from './settings-reader.ts';

/** The dependencies of every function about leads. */
export interface LeadDeps {
  readonly leads: Leads;
  readonly leadSearch: LeadSearch;
  readonly leadHistory: LeadHistory;
  readonly leadSettings: LeadSettingsStore;
  readonly settings: SettingsReader;
  readonly inTurn: InTurn;
  readonly publisher: { publishSoon(record: PendingRecord): void };
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Makes the dependencies once for each process. */
export function createLeadDeps(
  store: Pick<Store, 'leads' | 'leadSearch' | 'leadHistory' | 'leadSettings'>,
  { publisher, now = Date.now }: { readonly publisher: LeadDeps['publisher']; readonly now?: () => number },
): LeadDeps {
  const { leads, leadSearch, leadHistory, leadSettings } = store;
  return {
    leads,
    leadSearch,
    leadHistory,
    leadSettings,
    settings: createSettingsReader(leadSettings, now),
    inTurn: createInTurn(),
    publisher,
    now,
  };
}
