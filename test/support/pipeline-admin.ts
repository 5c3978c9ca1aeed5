import { createAccount } from '@sluice/accounts/account/create-account';
import { setPlan } from '@sluice/accounts/account/set-plan';
import { changeSender } from '@sluice/accounts/secrets/change-sender';
import { endOverlap, rotateSecret } from '@sluice/accounts/secrets/rotate-secret';
import { changeMapping } from '@sluice/accounts/sources/change-mapping';
import { setSourceActive } from '@sluice/accounts/sources/change-source';
import { createChannel } from '@sluice/accounts/sources/create-channel';
import { createSource } from '@sluice/accounts/sources/create-source';
import { newSecretFor } from '@sluice/accounts/sources/new-secret';
import { DEFAULT_PLAN } from '@sluice/contract/account/plans';
import { CONVERSATIONS_PATH } from '@sluice/contract/delivery/webhook-path';
import { HOUR_MS } from '@sluice/contract/time/durations';
import type { Mapping } from '@sluice/signature/mapping/mapping';
import type { Sender } from '@sluice/signature/sender/sender';
import { created } from './created.ts';
import type { TestSource } from './ingress.ts';

type AdminDeps = Parameters<typeof createAccount>[0] &
  Parameters<typeof createSource>[0] &
  Parameters<typeof rotateSecret>[0] &
  Parameters<typeof setPlan>[0];

/** The part of a pipeline that an admin changes. */
export interface PipelineAdmin {
  addSource(options?: {
    readonly plan?: string;
    readonly ratePerSecond?: number;
    readonly rateBurst?: number;
    /** An existing account. Default: a new one. */
    readonly accountId?: string;
  }): Promise<TestSource>;
  /** A channel of a new account. */
  addChannel(): Promise<TestSource>;
  /** Lets another sender send to a source. Without `mapping` the sender's own is used. */
  setSender(source: TestSource, sender: Sender, mapping?: Mapping): Promise<TestSource>;
  /** With `endsAt` (ms since the Unix epoch, less than an hour ahead) the old secret is accepted until then. */
  rotateSecret(source: TestSource, endsAt?: number): Promise<TestSource>;
  endOverlap(source: TestSource): Promise<void>;
  setActive(source: TestSource, active: boolean): Promise<void>;
  setPlan(source: TestSource, plan: string): Promise<void>;
}

export function createPipelineAdmin(deps: AdminDeps): PipelineAdmin {
  const addAccount = async (plan: string): Promise<string> => {
    const account = created(await createAccount(deps, { name: 'test', plan }));
    return account.account.account_id;
  };
  return {
    async addSource({ plan = DEFAULT_PLAN, accountId: existing, ...rate } = {}) {
      const accountId = existing ?? (await addAccount(plan));
      const made = created(await createSource(deps, { accountId, name: 'test', ...rate }));
      const { source_id: sourceId } = made.source;
      return {
        sourceId,
        accountId,
        secret: made.signingSecret,
        path: `/api/v1/events/webhook/${sourceId}`,
      };
    },
    async addChannel() {
      const accountId = await addAccount(DEFAULT_PLAN);
      const made = created(await createChannel(deps, { accountId, name: 'test' }));
      const { source_id: sourceId } = made.channel;
      return { sourceId, accountId, secret: made.signingSecret, path: CONVERSATIONS_PATH + sourceId };
    },
    async setSender(source, sender, mapping) {
      const secret = newSecretFor({ sender });
      const changed = await changeSender(deps, source.sourceId, { sender, secret });
      if (changed.status !== 'changed') throw new Error(changed.status);
      if (mapping !== undefined) await changeMapping(deps, source.sourceId, mapping);
      return { ...source, secret };
    },
    async rotateSecret(source, endsAt) {
      const rotated =
        endsAt === undefined
          ? await rotateSecret(deps, source.sourceId)
          : await rotateSecret({ ...deps, now: () => endsAt - HOUR_MS }, source.sourceId, { overlap: '1h' });
      if (rotated.status !== 'rotated') throw new Error(rotated.status);
      return { ...source, secret: rotated.signingSecret };
    },
    async endOverlap({ sourceId }) {
      await endOverlap(deps, sourceId);
    },
    async setActive({ sourceId }, active) {
      await setSourceActive(deps, sourceId, active);
    },
    async setPlan({ accountId }, plan) {
      await setPlan(deps, accountId, plan);
    },
  };
}
