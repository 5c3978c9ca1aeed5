import type { Sources } from '@sluice/store/sources/sources';
import { type ChangeSourceDeps, changeSource } from '../sources/change-source.ts';

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
