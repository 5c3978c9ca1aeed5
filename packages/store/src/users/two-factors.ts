import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { type TwoFactor, usersCollection } from './users.ts';

/** The sealed key of one user. */
export interface SealedKey {
  readonly user_id: string;
  readonly sealed_key: string;
}

/** The second factors of users. Each operation is one atomic write: of concurrent callers, exactly one gets `true`. */
export interface TwoFactors {
  /** Begins a set-up, and replaces an earlier unfinished one. */
  putDraft(userId: string, sealedKey: string): Promise<void>;
  /** Turns it on. False if the draft has changed, or if it is already on. */
  turnOn(userId: string, twoFactor: TwoFactor): Promise<boolean>;
  /** Accepts a code of this time step. False if a code of this or a later step was accepted before. */
  useStep(userId: string, sealedKey: string, step: number): Promise<boolean>;
  /** Uses up a recovery code. False if the code doesn't exist. */
  useRecoveryCode(userId: string, hash: string): Promise<boolean>;
  /** False if it is off. */
  replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<boolean>;
  /** False if it is already off. */
  turnOff(userId: string): Promise<boolean>;
  listSealedKeys(): Promise<readonly SealedKey[]>;
  /** Replaces the sealed key `from` with `to`. False if the stored key isn't `from`. */
  resealKey(userId: string, from: string, to: string): Promise<boolean>;
}

export function createTwoFactors(connection: Connection): TwoFactors {
  const users = usersCollection(connection);
  const { writeConcern } = ADMIN_WRITE;
  const update = async (filter: object, change: object): Promise<boolean> =>
    (await users.updateOne(filter, change, { writeConcern })).matchedCount === 1;
  return {
    async putDraft(_id, two_factor_draft) {
      await update({ _id }, { $set: { two_factor_draft } });
    },
    turnOn: (_id, two_factor) =>
      update(
        { _id, two_factor_draft: two_factor.sealed_key, two_factor: { $exists: false } },
        { $set: { two_factor }, $unset: { two_factor_draft: '' } },
      ),
    useStep: (_id, sealedKey, step) =>
      update(
        { _id, 'two_factor.sealed_key': sealedKey, 'two_factor.last_step': { $lt: step } },
        { $set: { 'two_factor.last_step': step } },
      ),
    useRecoveryCode: (_id, hash) =>
      update({ _id, 'two_factor.recovery_hashes': hash }, { $pull: { 'two_factor.recovery_hashes': hash } }),
    replaceRecoveryCodes: (_id, hashes) =>
      update({ _id, two_factor: { $exists: true } }, { $set: { 'two_factor.recovery_hashes': [...hashes] } }),
    turnOff: (_id) =>
      update({ _id, two_factor: { $exists: true } }, { $unset: { two_factor: '', two_factor_draft: '' } }),
    async listSealedKeys() {
      const found = await users.find({ two_factor: { $exists: true } }).toArray();
      return found.flatMap(({ _id, two_factor }) =>
        two_factor === undefined ? [] : { user_id: _id, sealed_key: two_factor.sealed_key },
      );
    },
    resealKey: (_id, from, to) =>
      update({ _id, 'two_factor.sealed_key': from }, { $set: { 'two_factor.sealed_key': to } }),
  };
}
