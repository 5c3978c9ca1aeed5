import type { Logger } from './logger.ts';

/** Returns, or resolves, when work can flow; throws or rejects with the reason when it cannot. */
export type Check = () => Promise<unknown> | unknown;

export interface Readiness {
  check(): Promise<{ ready: boolean; checks: Record<string, string> }>;
  setDraining(): void;
}

/** A frozen store answers nothing: the probe must not wait for it. */
const CHECK_TIMEOUT_MS = 500;

/** Ready is: not draining, and every check passes within its time. */
export function createReadiness({
  checks,
  logger,
}: {
  checks: Readonly<Record<string, Check>>;
  logger: Logger;
}): Readiness {
  let draining = false;
  let wasReady: boolean | undefined;

  async function check() {
    const entries = Object.entries(checks);
    const results = await Promise.all(entries.map(([, run]) => outcome(run)));
    const states = Object.fromEntries(entries.map(([name], index) => [name, results[index] ?? '']));
    if (draining) states.draining = 'draining';
    const ready = Object.values(states).every((state) => state === 'ok');
    if (ready !== wasReady) logger.info({ ready, checks: states }, 'readiness changed');
    wasReady = ready;
    return { ready, checks: states };
  }

  return {
    check,
    setDraining: () => {
      draining = true;
    },
  };
}

async function outcome(run: Check): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${CHECK_TIMEOUT_MS} ms`), CHECK_TIMEOUT_MS);
  });
  const done = (async () => {
    await run();
    return 'ok';
  })();
  try {
    return await Promise.race([done, late]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
    done.catch(() => {});
  }
}
