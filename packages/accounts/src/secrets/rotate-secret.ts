import { type Overlap, overlapMs } from '@sluice/contract/account/overlap';
import { DAY_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';
import { type Keyring, seal } from '@sluice/credentials/seal';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import type { Source } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import {
  type ChangeSourceDeps,
  changeSource,
  DECLINED,
  type SourceChanged,
} from '../sources/change-source.ts';

export interface RotateSecretDeps extends ChangeSourceDeps {
  readonly keyring: Keyring;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface Rotation {
  /** The secret that the admin was shown beforehand; absent: a new one. */
  readonly signingSecret?: string;
  /** How long the old secret is still accepted; absent: not at all. */
  readonly overlap?: Overlap;
  /** The last rotation at the time of preparation (null: never rotated); absent: rotate regardless. */
  readonly lastRotated?: number | null;
}

export type SecretRotated =
  | { readonly status: 'rotated'; readonly source: Source; readonly signingSecret: string }
  | { readonly status: 'source_not_found' }
  /** Another rotation came first. */
  | { readonly status: 'stale'; readonly source: Source };

/** How long a retired secret is still recognised, so the log can explain the 401. Milliseconds. */
export const RECOGNISED_MS = DAY_MS;

/**
 * Replaces the signing secret. Without an overlap the old secret is rejected once this resolves (docs/guarantees.md, 4).
 * Any secret from an earlier rotation is forgotten: its overlap, if it still had one, ends immediately.
 */
export async function rotateSecret(
  deps: RotateSecretDeps,
  sourceId: string,
  { signingSecret = newSigningSecret(), overlap = '0', lastRotated }: Rotation = {},
): Promise<SecretRotated> {
  const sealed = seal(deps.keyring, sourceId, signingSecret);
  const result = await changeSource(deps, sourceId, ({ sealed_secret, secret_rotated_at }) => {
    if (lastRotated !== undefined && lastRotated !== secret_rotated_at) return DECLINED;
    const rotatedAt = deps.now();
    const length = overlapMs(overlap);
    return {
      sealed_secret: sealed,
      secret_rotated_at: rotatedAt,
      previous_secret: {
        sealed_secret,
        replaced_at: rotatedAt,
        accepted_until: length === 0 ? null : rotatedAt + length,
        forget_at: rotatedAt + length + RECOGNISED_MS,
      },
    };
  });
  if (result.status === 'source_not_found') return result;
  if (result.status === 'declined') return { status: 'stale', source: result.source };
  return { status: 'rotated', source: result.source, signingSecret };
}

interface EndOverlapDeps extends ChangeSourceDeps {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** When the secret before the last rotation stops being accepted; null: it is not accepted. */
export function overlapEnd({ previous_secret }: Source, nowMs: number): number | null {
  const accepted_until = previous_secret?.accepted_until ?? null;
  return accepted_until !== null && accepted_until > nowMs ? accepted_until : null;
}

/** Once this resolves, requests signed with the old secret get 401. Idempotent. */
export function endOverlap(deps: EndOverlapDeps, sourceId: string): Promise<SourceChanged> {
  return changeSource(deps, sourceId, ({ previous_secret: previous }) => ({
    previous_secret: previous && {
      ...previous,
      accepted_until: null,
      forget_at: Math.min(previous.forget_at, deps.now() + RECOGNISED_MS),
    },
  }));
}

/** The audit log's detail for a rotation with an overlap. */
export function overlapDetail(untilMs: number): string {
  return `the old secret is accepted until ${formatInstant(untilMs)}`;
}

export interface ForgetSecretsDeps extends ChangeSourceDeps {
  readonly sources: ChangeSourceDeps['sources'] & Pick<Sources, 'listForgettable'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/**
 * Deletes expired previous secrets from MongoDB and from the published records. Their overlaps have already ended on
 * time. Safe to run concurrently.
 */
export async function forgetSecrets(deps: ForgetSecretsDeps): Promise<void> {
  for (const { source_id } of await deps.sources.listForgettable(deps.now()))
    await changeSource(deps, source_id, ({ previous_secret: previous }) => ({
      previous_secret: previous !== null && previous.forget_at <= deps.now() ? null : previous,
    }));
}
