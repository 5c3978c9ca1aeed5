import type { LeadHistory } from '@sluice/store/lead-history';
import type { Leads } from '@sluice/store/leads';
import type { Untold, UntoldRecord } from '@sluice/store/untold';

export interface TellerDeps {
  readonly untold: Pick<Untold, 'clearTold'>;
  readonly leadHistory: Pick<LeadHistory, 'insertRows' | 'deleteRows'>;
  readonly leads: Pick<Leads, 'erasedAmong'>;
  /** Called when changes could not be told. They stay in their records, so the sweeper tells them. */
  readonly onError: (error: unknown) => void;
}

/** The one place that is told of changes. */
export interface Teller {
  /** Tells a record's changes soon, together with others. Returns at once and never throws. */
  told(record: UntoldRecord): void;
  /** Tells changes and waits for it. Throws if the store is unavailable. Idempotent. */
  tellNow(records: readonly UntoldRecord[]): Promise<void>;
  /** Resolves once everything given so far is told or has failed. */
  settled(): Promise<void>;
}

/** Records that are told together. More wait for the next batch. */
const BATCH = 500;
/** More waiting records than this are left to the sweeper, so that a slow store costs no memory. */
const MOST_WAITING = 20_000;

/** Batches form while the previous one is under way, so a busy process needs two round trips for many changes. */
export function createTeller(deps: TellerDeps): Teller {
  let waiting: UntoldRecord[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      await tellNow(deps, batch).catch(deps.onError);
    }
    running = undefined;
  }

  return {
    told(record) {
      if (waiting.length < MOST_WAITING) waiting.push(record);
      running ??= run();
    },
    tellNow: (records) => tellNow(deps, records),
    async settled() {
      await running;
    },
  };
}

/** First the history, then the record: whatever dies between them, the change is told again. */
async function tellNow(
  { untold, leadHistory, leads }: TellerDeps,
  records: readonly UntoldRecord[],
): Promise<void> {
  const rows = records.filter(({ collection }) => collection === 'leads').flatMap(historyRows);
  await leadHistory.insertRows(rows);
  if (await untold.clearTold(records)) return;
  // An erasure between the change and its history row would leave the row behind.
  const erased = await leads.erasedAmong([...new Set(rows.map(({ lead_id }) => lead_id))]);
  if (erased.size > 0) await leadHistory.deleteRows([...erased]);
}

function historyRows({ id, account_id, changes }: UntoldRecord) {
  // An erased lead has no history.
  return changes
    .filter(({ kind }) => kind !== 'lead.erased')
    .map((change) => ({ lead_id: id, account_id, change }));
}
