import type { Role } from '@sluice/contract/account/roles';
import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { type WithDates, withDates, withTimes } from '../writing/stored-record.ts';
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

interface MembershipDocument extends WithDates<Membership, 'created_at'> {
  readonly _id: string;
  readonly schema_version: 1;
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
    (await collection.find(filter).sort({ created_at: 1 }).toArray()).map(fromDocument);
  return {
    async insertMembership(membership) {
      const _id = idOf(membership.account_id, membership.user_id);
      const document = { _id, schema_version: 1 as const, ...withDates(membership, ['created_at']) };
      try {
        await collection.insertOne(document, { writeConcern });
        return { status: 'inserted' };
      } catch (error) {
        if (isDuplicateKey(error)) return { status: 'exists' };
        throw error;
      }
    },
    findMembership: async (accountId, userId) =>
      found(await collection.findOne({ _id: idOf(accountId, userId) })),
    listMembers: (account_id) => list({ account_id }),
    listMembershipsOf: (user_id) => list({ user_id }),
    countOwners: (account_id) => collection.countDocuments({ account_id, role: 'owner' }),
    async setRole(accountId, userId, role) {
      const id = { _id: idOf(accountId, userId) };
      return found(
        await collection.findOneAndUpdate(id, { $set: { role } }, { returnDocument: 'before', writeConcern }),
      );
    },
    async removeMembership(accountId, userId) {
      return found(await collection.findOneAndDelete({ _id: idOf(accountId, userId) }, { writeConcern }));
    },
  };
}

const found = (document: MembershipDocument | null) =>
  document === null ? undefined : fromDocument(document);

function fromDocument({ _id, schema_version: _, ...rest }: MembershipDocument): Membership {
  return withTimes(rest, ['created_at']);
}
