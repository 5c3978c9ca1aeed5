import type { Role } from '@sluice/contract/account/roles';
import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { type DocumentOf, storedRecord } from '../writing/stored-record.ts';

/** A one-time link that makes its user a member. Times are milliseconds since the Unix epoch. */
export interface Link {
  /** SHA-256 of its token, in hex. */
  readonly token_hash: string;
  /** Identifies the link in lists; it grants no access. */
  readonly link_id: string;
  readonly kind: 'first_owner' | 'invite';
  readonly account_id: string;
  readonly role: Role;
  /** Email address of the invited person; null if anyone with the link can use it. */
  readonly email: string | null;
  /** User id of the owner who made it. Absent if no member made it. */
  readonly invited_by?: string;
  /** The user of the link also becomes an operator of the installation. */
  readonly operator?: true;
  readonly created_at: number;
  readonly expires_at: number;
}

export interface Links {
  insertLink(link: Link): Promise<void>;
  findLink(tokenHash: string): Promise<Link | undefined>;
  /** Deletes and returns the link. Of concurrent callers, exactly one gets it. */
  takeLink(tokenHash: string): Promise<Link | undefined>;
  /** Newest first. */
  listInvites(accountId: string): Promise<readonly Link[]>;
  /** Returns the withdrawn link; undefined if the account has no such invitation. */
  withdrawInvite(accountId: string, linkId: string): Promise<Link | undefined>;
  /** Withdraws every first-owner link of the account. */
  withdrawOwnerLinks(accountId: string): Promise<void>;
}

const LINK = storedRecord<Link>()('token_hash', ['created_at', 'expires_at']);

function linkSchema() {
  return nativeSchema<DocumentOf<typeof LINK>>()
    .index({ account_id: 1, created_at: -1 })
    .index({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

export function createLinks(connection: Connection): Links {
  const collection = registerCollection(connection, 'Link', linkSchema(), 'links');
  const { writeConcern } = ADMIN_WRITE;
  return {
    async insertLink(link) {
      await collection.insertOne(LINK.toDocument(link), { writeConcern });
    },
    findLink: async (tokenHash) => LINK.found(await collection.findOne({ _id: tokenHash })),
    takeLink: async (tokenHash) =>
      LINK.found(await collection.findOneAndDelete({ _id: tokenHash }, { writeConcern })),
    async listInvites(account_id) {
      const cursor = collection.find({ account_id, kind: 'invite' }).sort({ created_at: -1 });
      return (await cursor.toArray()).map(LINK.fromDocument);
    },
    async withdrawInvite(account_id, link_id) {
      const wanted = { account_id, link_id, kind: 'invite' } as const;
      return LINK.found(await collection.findOneAndDelete(wanted, { writeConcern }));
    },
    async withdrawOwnerLinks(account_id) {
      await collection.deleteMany({ account_id, kind: 'first_owner' }, { writeConcern });
    },
  };
}
