import type { Role } from '@sluice/contract/account/roles';
import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { isDuplicateKey } from '../writing/write-errors.ts';

/** The role of a user in an account. */
export interface Membership {
  readonly account_id: string;
  readonly user_id: string;
  readonly role: Role;
  /** Milliseconds since the Unix epoch. */
  readonly created_at: number;
}

export interface Memberships {
  insertMembership(membership: Membership): Promise<{ readonly status: 'inserted' | 'exists' }>;
  findMembership(accountId: string, userId: string): Promise<Membership | undefined>;
  /** Oldest first. */
  listMembers(accountId: string): Promise<readonly Membership[]>;
  /** Oldest first. */
  listMembershipsOf(userId: string): Promise<readonly Membership[]>;
  countOwners(accountId: string): Promise<number>;
  /** Returns the previous membership; undefined if there is none. */
  setRole(accountId: string, userId: string, role: Role): Promise<Membership | undefined>;
  /** Returns the removed membership; undefined if there was none. */
  removeMembership(accountId: string, userId: string): Promise<Membership | undefined>;
}

interface MembershipDocument extends Omit<Membership, 'created_at'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly created_at: Date;
}

function membershipSchema() {
  return nativeSchema<MembershipDocument>()
    .index({ account_id: 1, created_at: 1 })
    .index({ user_id: 1, created_at: 1 });
}

/** Ids contain no colon, so the result is unambiguous. */
const idOf = (accountId: string, userId: string) => `${accountId}:${userId}`;

export function createMemberships(connection: Connection): Memberships {
  const collection = registerCollection(connection, 'Membership', membershipSchema(), 'memberships');
  const { writeConcern } = ADMIN_WRITE;
  const list = async (filter: { account_id: string } | { user_id: string }) =>
    (await collection.find(filter).sort({ created_at: 1 }).toArray()).flatMap(
      (one) => fromDocument(one) ?? [],
    );
  return {
    async insertMembership({ account_id, user_id, role, created_at }) {
      const fields = { account_id, user_id, role, created_at: new Date(created_at) };
      try {
        await collection.insertOne(
          { _id: idOf(account_id, user_id), schema_version: 1, ...fields },
          { writeConcern },
        );
        return { status: 'inserted' };
      } catch (error) {
        if (isDuplicateKey(error)) return { status: 'exists' };
        throw error;
      }
    },
    findMembership: async (accountId, userId) =>
      fromDocument(await collection.findOne({ _id: idOf(accountId, userId) })),
    listMembers: (account_id) => list({ account_id }),
    listMembershipsOf: (user_id) => list({ user_id }),
    countOwners: (account_id) => collection.countDocuments({ account_id, role: 'owner' }),
    async setRole(accountId, userId, role) {
      const id = { _id: idOf(accountId, userId) };
      return fromDocument(
        await collection.findOneAndUpdate(id, { $set: { role } }, { returnDocument: 'before', writeConcern }),
      );
    },
    async removeMembership(accountId, userId) {
      return fromDocument(
        await collection.findOneAndDelete({ _id: idOf(accountId, userId) }, { writeConcern }),
      );
    },
  };
}

function fromDocument(document: MembershipDocument | null): Membership | undefined {
  if (document === null) return undefined;
  const { account_id, user_id, role, created_at } = document;
  return { account_id, user_id, role, created_at: created_at.getTime() };
}
