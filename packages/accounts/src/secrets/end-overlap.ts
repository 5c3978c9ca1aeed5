import { formatInstant } from '@sluice/contract/instant';
import type { Source } from '@sluice/store/sources/source';
import { type ChangeSourceDeps, changeSource, type SourceChanged } from '../sources/change-source.ts';
import { RECOGNISED_MS } from './rotate-secret.ts';

export interface EndOverlapDeps extends ChangeSourceDeps {
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** When the secret before the last rotation stops being accepted; null: it is not accepted. */
export function overlapEnd({ previous_secret, secret_rotated_at }: Source, nowMs: number): number | null {
  if (previous_secret === null || previous_secret.replaced_at !== secret_rotated_at) return null;
  const { accepted_until } = previous_secret;
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
