import { replySecretContext } from '@sluice/credentials/reply-secret';
import { type Keyring, type Opened, open, seal, sealedWith } from '@sluice/credentials/seal';
import { totpContext } from '@sluice/credentials/totp-context';
import type { Resealed, Source } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import type { TwoFactors } from '@sluice/store/users/two-factors';
import { orUnconfirmed } from '../audit/unconfirmed-change.ts';
import { announce, type ChangeSourceDeps } from '../sources/change-source.ts';
import { overlapEnd } from './rotate-secret.ts';

interface ResealDeps extends Pick<ChangeSourceDeps, 'accounts' | 'directory'> {
  readonly sources: Pick<Sources, 'findSource' | 'listSources' | 'resealSource'>;
  readonly keyring: Keyring;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

type Unopened = Exclude<Opened, { readonly status: 'opened' }>;

/** The secret that no key opens. `previous`: an overlap in which it is accepted is running. */
export interface Unreadable {
  readonly secret: 'current' | 'previous' | 'reply';
  readonly opened: Unopened;
}

type SecretResealed =
  /** `droppedPrevious`: no key opened the previous secret, and it was no longer accepted. */
  | { readonly status: 'resealed'; readonly droppedPrevious: boolean }
  | { readonly status: 'already_current' }
  | { readonly status: 'source_not_found' }
  | ({ readonly status: 'unreadable' } & Unreadable);

/**
 * Encrypts a source's signing secret with the current key, and the previous secret if it is still known. The secrets
 * stay the same, so no request is rejected. A previous secret that no key opens is dropped after its overlap, because it
 * can only explain a 401. Written only over the text that was opened: if a rotation comes between, it wins, and this
 * starts over. Throws UnconfirmedChangeError if MongoDB or Redis did not respond half way.
 */
export async function resealSecret(deps: ResealDeps, sourceId: string): Promise<SecretResealed> {
  for (;;) {
    const source = await deps.sources.findSource(sourceId);
    if (source === undefined) return { status: 'source_not_found' };
    const current = sealWithCurrentKey(deps.keyring, sourceId, source.sealed_secret);
    if (current.status === 'unreadable') return { ...current, secret: 'current' };
    const previous = source.previous_secret;
    const before = previous && sealWithCurrentKey(deps.keyring, sourceId, previous.sealed_secret);
    const droppedPrevious = before?.status === 'unreadable';
    if (droppedPrevious && overlapEnd(source, deps.now()) !== null) return { ...before, secret: 'previous' };
    const { sealed_reply_secret: replySecret } = source;
    const context = replySecretContext(sourceId);
    const reply = replySecret === undefined ? null : sealWithCurrentKey(deps.keyring, context, replySecret);
    if (reply?.status === 'unreadable') return { ...reply, secret: 'reply' };
    // An older secret of replies that no key opens cannot sign, so it is dropped.
    const older = (source.previous_reply_secrets ?? []).map((one) => ({
      ...one,
      ...sealWithCurrentKey(deps.keyring, context, one.sealed_secret),
    }));
    if (![current, before, reply, ...older].some((one) => one !== null && one.status !== 'already_current'))
      return { status: 'already_current' };
    const sealed = {
      ...current.seals,
      ...(before !== null && {
        previous: droppedPrevious ? { from: previous?.sealed_secret as string, to: null } : before.seals,
      }),
      ...(reply !== null && { reply: reply.seals }),
      ...(older.length > 0 && {
        previousReplies: {
          to: older.flatMap((one) =>
            one.status === 'unreadable' ? [] : [{ sealed_secret: one.seals.to, expires_at: one.expires_at }],
          ),
          version: source.version,
        },
      }),
    };
    if (await replaceSeal(deps, source, sealed)) return { status: 'resealed', droppedPrevious };
  }
}

/** Whether a secret of the source is sealed with another key than the current one. */
export function isStale(keyring: Keyring, source: Source): boolean {
  const { sealed_secret, previous_secret, sealed_reply_secret, previous_reply_secrets = [] } = source;
  const older = [previous_secret, ...previous_reply_secrets].map((one) => one?.sealed_secret);
  return [sealed_secret, sealed_reply_secret, ...older].some(
    (sealed) => sealed !== undefined && sealedWith(sealed) !== keyring.current.id,
  );
}

/** A sealed text and its replacement: the same text if the current key already sealed it. */
function sealWithCurrentKey(keyring: Keyring, context: string, from: string) {
  if (sealedWith(from) === keyring.current.id)
    return { status: 'already_current', seals: { from, to: from } } as const;
  const opened = open(keyring, context, from);
  if (opened.status !== 'opened') return { status: 'unreadable', opened } as const;
  return { status: 'sealed', seals: { from, to: seal(keyring, context, opened.secret) } } as const;
}

/** Whether the new texts replaced those that were read. Fence, MongoDB, publish: as in change-source.ts. */
async function replaceSeal(deps: ResealDeps, source: Source, sealed: Resealed): Promise<boolean> {
  const { source_id, account_id } = source;
  const fence = await deps.directory.fence(source_id, account_id);
  const stored = deps.sources.resealSource(source_id, sealed);
  const resealed = await orUnconfirmed(`MongoDB has not confirmed the new seal of ${source_id}`, stored);
  // If another change was stored first, publish it to remove our fence. The other fence stays until it is published.
  const current = resealed ?? (await deps.sources.findSource(source_id));
  if (current !== undefined)
    await orUnconfirmed(
      `The new seal of ${source_id} is stored but not announced`,
      announce(deps, current, fence),
    );
  return resealed !== undefined;
}

export interface ResealProgress {
  readonly total: number;
  readonly done: number;
}

interface AllResealed {
  /** The resealed sources, with their accounts. */
  readonly resealed: readonly Source[];
  readonly alreadyCurrent: number;
  /** Those of the resealed sources whose previous secret was dropped. */
  readonly droppedPrevious: readonly string[];
  readonly unreadable: readonly ({ readonly source_id: string } & Unreadable)[];
}

/** Sources resealed concurrently: each needs a few sequential round trips. */
const AT_ONCE = 8;

/** Reseals every source of the installation. Run it again if it was interrupted. */
export async function resealAllSecrets(
  deps: ResealDeps,
  onProgress: (progress: ResealProgress) => void,
): Promise<AllResealed> {
  const sources = await deps.sources.listSources();
  const waiting = sources.values();
  const resealed: Source[] = [];
  const droppedPrevious: string[] = [];
  const unreadable: ({ source_id: string } & Unreadable)[] = [];
  let done = 0;
  let alreadyCurrent = 0;
  const work = async () => {
    for (const source of waiting) {
      const result = await resealSecret(deps, source.source_id);
      if (result.status === 'resealed') resealed.push(source);
      if (result.status === 'resealed' && result.droppedPrevious) droppedPrevious.push(source.source_id);
      if (result.status === 'already_current') alreadyCurrent += 1;
      if (result.status === 'unreadable')
        unreadable.push({ source_id: source.source_id, secret: result.secret, opened: result.opened });
      done += 1;
      onProgress({ total: sources.length, done });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { resealed, alreadyCurrent, droppedPrevious, unreadable };
}

interface TwoFactorsResealed {
  readonly resealed: number;
  readonly alreadyCurrent: number;
  readonly unreadable: readonly { readonly user_id: string; readonly opened: Unopened }[];
}

/** Seals the key of every second factor with the current key. Run it again if it was interrupted. */
export async function resealTwoFactors({
  twoFactors,
  keyring,
}: {
  readonly twoFactors: Pick<TwoFactors, 'listSealedKeys' | 'resealKey'>;
  readonly keyring: Keyring;
}): Promise<TwoFactorsResealed> {
  let resealed = 0;
  let alreadyCurrent = 0;
  const unreadable: { user_id: string; opened: Unopened }[] = [];
  for (const { user_id, sealed_key } of await twoFactors.listSealedKeys()) {
    const context = totpContext(user_id);
    const isCurrent = sealedWith(sealed_key) === keyring.current.id;
    const opened = open(keyring, context, sealed_key);
    if (isCurrent) alreadyCurrent += 1;
    else if (opened.status !== 'opened') unreadable.push({ user_id, opened });
    // If it was turned off or set up again meanwhile, there is nothing to reseal.
    else if (await twoFactors.resealKey(user_id, sealed_key, seal(keyring, context, opened.secret)))
      resealed += 1;
  }
  return { resealed, alreadyCurrent, unreadable };
}
