import type { Logger } from '../telemetry/logger.ts';
import { within } from '../timing/within.ts';
import { shareLook } from './shared-look.ts';

export interface Readiness {
  check(): Promise<{ ready: boolean; checks: Record<string, string> }>;
  setDraining(): void;
}

export interface ReadinessSettings {
  /** Checks that ask a store. Probes share them and their results. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** Checks of what the process knows without asking. They throw why not, and every probe runs them. */
  readonly knownChecks?: Readonly<Record<string, () => void>>;
  readonly logger: Logger;
  /** Milliseconds that one check may take. Default: CHECK_TIMEOUT_MS. */
  readonly checkTimeoutMs?: number;
}

/** A frozen store does not answer, and the probe must not wait for it. Milliseconds. */
export const CHECK_TIMEOUT_MS = 500;

/** The least time between two looks at the stores, for any number of probes. A recovery is noticed sooner than a failure. */
const READY_FRESH_MS = 500;
const UNREADY_FRESH_MS = 100;

/** A process is ready when it does not drain and every check passes in time. */
export function createReadiness({
  checks = {},
  knownChecks = {},
  logger,
  checkTimeoutMs = CHECK_TIMEOUT_MS,
}: ReadinessSettings): Readiness {
  let draining = false;
  let wasReady: boolean | undefined;
  const bounded = Object.entries(checks).map(
    ([name, check]) => [name, boundCheck(check, checkTimeoutMs)] as const,
  );
  const look = shareLook({
    look: async () =>
      Object.fromEntries(await Promise.all(bounded.map(async ([name, check]) => [name, await check()]))),
    freshMs: (states: Record<string, string>) => (allOk(states) ? READY_FRESH_MS : UNREADY_FRESH_MS),
  });

  async function check() {
    const seen = { ...(await look()), ...known() };
    const states = draining ? { ...seen, draining: 'draining' } : seen;
    const ready = allOk(states);
    if (ready !== wasReady) logger.info({ ready, checks: states }, 'readiness changed');
    wasReady = ready;
    return { ready, checks: states };
  }

  const known = (): Record<string, string> =>
    Object.fromEntries(Object.entries(knownChecks).map(([name, known]) => [name, stateOf(known)]));

  return {
    check,
    setDraining: () => {
      draining = true;
    },
  };
}

function stateOf(known: () => void): string {
  try {
    known();
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function allOk(states: Readonly<Record<string, string>>): boolean {
  return Object.values(states).every((state) => state === 'ok');
}

/** Returns or resolves when work can flow. Throws or rejects with the reason when it cannot. */
export type Check = () => Promise<unknown> | unknown;

/**
 * Probes share one command to a frozen store; otherwise each probe would add one that waits in memory.
 * After this time a new command is sent, because a driver may have lost the first. Milliseconds.
 */
const HUNG_MS = 5_000;

/** Resolves within `timeoutMs` to `ok` or to the reason. While a run hangs, a new one starts every 5 s at most. */
function boundCheck(check: Check, timeoutMs: number): () => Promise<string> {
  let pending: Promise<string> | undefined;
  let begunAt = 0;

  function begin(): Promise<string> {
    begunAt = performance.now();
    const begun = outcomeOf(check).finally(() => {
      if (pending === begun) pending = undefined;
    });
    return begun;
  }

  return () => {
    if (pending === undefined || performance.now() - begunAt >= HUNG_MS) pending = begin();
    return within(timeoutMs, pending, () => `no answer within ${timeoutMs} ms`);
  };
}

async function outcomeOf(check: Check): Promise<string> {
  try {
    await check();
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
