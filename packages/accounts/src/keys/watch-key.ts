import { type KeyFit, type KeyFitDeps, keyFit, whyUnknownKey } from './key-fit.ts';

export interface WatchKeyDeps extends KeyFitDeps {
  /** How often to look again once the keys fit. Absent: never. A key change may leave this process with the old key. Milliseconds. */
  readonly againMs?: number;
  /** Settles when the first attempt to reach MongoDB has ended. */
  readonly opened: () => Promise<unknown>;
  /** Logs once when the keys open nothing, and once when they start to. */
  readonly logger: {
    error(fields: object, message: string): void;
    info(fields: object, message: string): void;
  };
}

export interface KeyWatch {
  /** Why this process should receive no work; null: no problem is known. */
  trouble(): 'starting' | 'unknown_key' | null;
  stop(): void;
}

const EVERY_MS = 2000;

/** How long to wait for MongoDB before assuming that the key is fine. */
const FIRST_LOOK_MS = 5000;

/** Checks the keys of this process until they open a secret, or for ever: a source may still be created or rotated. */
export function watchKey({ opened, logger, againMs, ...deps }: WatchKeyDeps): KeyWatch {
  let fit: KeyFit | undefined;
  let looked = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const before = fit;
    fit = await keyFit(deps).catch(() => before);
    looked = true;
    if (fit === 'unknown_key' && before !== fit)
      logger.error({ event: 'secret_key.unknown' }, whyUnknownKey(deps));
    if (fit !== 'unknown_key' && before === 'unknown_key')
      logger.info({ event: 'secret_key.known' }, 'SLUICE_SECRET_KEY now opens signing secrets');
    const nextMs = fit === 'fits' ? againMs : EVERY_MS;
    if (nextMs !== undefined && !stopped) timer = setTimeout(() => void look(), nextMs);
    timer?.unref();
  };
  void opened().then(look, look);
  const late = setTimeout(() => {
    looked = true;
  }, FIRST_LOOK_MS);
  late.unref();

  return {
    trouble() {
      if (fit === 'unknown_key') return fit;
      return looked ? null : 'starting';
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(late);
    },
  };
}
