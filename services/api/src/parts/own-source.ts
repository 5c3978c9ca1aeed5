import { type KeyFitDeps, keyFit, whyUnknownKey } from '@sluice/accounts/keys/watch-key';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Channel, Source } from '@sluice/store/sources/source';
import type { Sources } from '@sluice/store/sources/sources';
import { type Refusal, refuse } from '../http/result.ts';
import type { SignedIn } from '../http/signed-in.ts';

/** Finds a source of the current account; undefined if it does not exist or belongs to another account. */
export type OwnSource = (
  who: Pick<SignedIn, 'accountId'>,
  sourceId: string | undefined,
) => Promise<Source | undefined>;

/** Finds a source that was not deleted. */
export function createOwnSource(deps: { sources: Pick<Sources, 'findSource'> }): OwnSource {
  const ownAnySource = createOwnAnySource(deps);
  return async (who, sourceId) => {
    const source = await ownAnySource(who, sourceId);
    return source?.deleted === undefined ? source : undefined;
  };
}

/** Leaves out channels. They have their own routes, and share only those of the signing secret. */
export function eventSourcesOf(ownSource: OwnSource): OwnSource {
  return async (who, sourceId) => {
    const source = await ownSource(who, sourceId);
    return source === undefined || isChannel(source) ? undefined : source;
  };
}

/** Finds a channel. */
export function channelsOf(ownSource: OwnSource) {
  return async (...asked: Parameters<OwnSource>): Promise<Channel | undefined> => {
    const source = await ownSource(...asked);
    return source !== undefined && isChannel(source) ? source : undefined;
  };
}

/** Finds a source, also a deleted one: its deliveries and kept events are still shown. */
export function createOwnAnySource({ sources }: { sources: Pick<Sources, 'findSource'> }): OwnSource {
  return async ({ accountId }, sourceId = '') => {
    const source = await sources.findSource(sourceId);
    return source?.account_id === accountId ? source : undefined;
  };
}

/**
 * Rejects sealing a secret with a key that opens no secret of the installation: every ingress would then respond to
 * that sender with 503. undefined: the key is right, or there is no secret yet to check it with.
 */
export async function refuseUnknownKey(deps: KeyFitDeps): Promise<Refusal | undefined> {
  if ((await keyFit(deps)) !== 'unknown_key') return undefined;
  return refuse(
    'conflict',
    `Nothing was changed. This API server has a different key than the sources. ${whyUnknownKey({ keyring: deps.keyring })}`,
  );
}
