import { type Keyring, sealedByAny } from '@sluice/credentials/seal';
import type { Sources } from '@sluice/store/sources/sources';

interface WatchKeyDeps extends KeyFitDeps {
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

/** Stored secrets that were sealed with keys of this installation. */
type SealedSecrets = Pick<Sources, 'hasSealed'>;

export interface KeyFitDeps {
  readonly sources: SealedSecrets;
  /** For a process that signs for webhook subscriptions. */
  readonly subscriptionSecrets?: SealedSecrets;
  readonly keyring: Keyring;
}

/** Whether the keys of a process can open at least one secret of this installation. */
type KeyFit = 'fits' | 'no_secrets' | 'unknown_key';

/**
 * One secret is enough: during a key change, or after a lost key, some secrets are sealed with another key. A process
 * that opens none has the wrong key. It can verify or sign nothing, and no other process can open what it seals.
 */
export async function keyFit({ sources, subscriptionSecrets, keyring }: KeyFitDeps): Promise<KeyFit> {
  const kinds = [sources, ...(subscriptionSecrets === undefined ? [] : [subscriptionSecrets])];
  const fits = await Promise.all(kinds.map((kind) => fitOf(kind, keyring)));
  if (fits.includes('fits')) return 'fits';
  return fits.includes('unknown_key') ? 'unknown_key' : 'no_secrets';
}

async function fitOf(secrets: SealedSecrets, keyring: Keyring): Promise<KeyFit> {
  // The order matters: a secret that is stored in between is sealed with the right key.
  if (!(await secrets.hasSealed())) return 'no_secrets';
  return (await secrets.hasSealed(sealedByAny(keyring))) ? 'fits' : 'unknown_key';
}

/** Tells the operator how to fix a key that opens no secret. Contains only the key's fingerprint, never the key. */
export function whyUnknownKey({
  keyring: { current },
  subscriptionSecrets,
}: Pick<KeyFitDeps, 'keyring' | 'subscriptionSecrets'>): string {
  const signs = subscriptionSecrets !== undefined;
  return (
    `SLUICE_SECRET_KEY (fingerprint ${current.id}) opens the signing secret of no source${signs ? ' and of no webhook subscription' : ''}. ` +
    'Start with the key that they were encrypted with (npm start keeps its own in the file secret-key of DATA_DIR); or, if it is lost, ' +
    `rotate the secret of each source: sluice source rotate-secret ID --lost-key${signs ? ', and of each webhook subscription: sluice webhook rotate-secret ID' : ''}.`
  );
}
