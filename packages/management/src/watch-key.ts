import { type KeyFit, type KeyFitDeps, keyFit, whyUnknownKey } from './key-fit.ts';

export interface WatchKeyDeps extends KeyFitDeps {
  /** Settles when the first attempt to reach MongoDB has ended. */
  readonly opened: () => Promise<unknown>;
  /** Told once when the keys open nothing, and once when they do after all. */
  readonly logger: {
    error(fields: object, message: string): void;
    info(fields: object, message: string): void;
  };
}

export interface KeyWatch {
  /** Why this process should be sent no work; null: nothing is known against it. */
  trouble(): 'starting' | 'unknown_key' | null;
  stop(): void;
}

const EVERY_MS = 2000;

/** With MongoDB away nothing can be said against a key, and work can flow without: so long is it waited for. */
const FIRST_LOOK_MS = 5000;

/** Looks whether the keys of this process open anything, until they do: a source may yet be made, or rotated. */
export function watchKey({ opened, logger, ...deps }: WatchKeyDeps): KeyWatch {
  let fit: KeyFit | undefined;
  let looked = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const before = fit;
    fit = await keyFit(deps).catch(() => before);
    looked = true;
    if (fit === 'unknown_key' && before !== fit)
      logger.error({ event: 'secret_key.unknown' }, whyUnknownKey(deps.keyring));
    if (fit !== 'unknown_key' && before === 'unknown_key')
      logger.info({ event: 'secret_key.known' }, 'SLUICE_SECRET_KEY opens signing secrets now');
    if (fit !== 'fits' && !stopped) timer = setTimeout(() => void look(), EVERY_MS);
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
