import type { Role } from '@sluice/contract/account/roles';
import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';

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

interface LinkDocument extends Omit<Link, 'token_hash' | 'created_at' | 'expires_at'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly created_at: Date;
  readonly expires_at: Date;
}

function linkSchema() {
  return nativeSchema<LinkDocument>()
    .index({ account_id: 1, created_at: -1 })
    .index({ expires_at: 1 }, { expireAfterSeconds: 0 });
}

export function createLinks(connection: Connection): Links {
  const collection = registerCollection(connection, 'Link', linkSchema(), 'links');
  const { writeConcern } = ADMIN_WRITE;
  return {
    async insertLink({ token_hash, created_at, expires_at, ...rest }) {
      const times = { created_at: new Date(created_at), expires_at: new Date(expires_at) };
      await collection.insertOne({ _id: token_hash, schema_version: 1, ...rest, ...times }, { writeConcern });
    },
    findLink: async (tokenHash) => fromDocument(await collection.findOne({ _id: tokenHash })),
    takeLink: async (tokenHash) =>
      fromDocument(await collection.findOneAndDelete({ _id: tokenHash }, { writeConcern })),
    async listInvites(account_id) {
      const cursor = collection.find({ account_id, kind: 'invite' }).sort({ created_at: -1 });
      return (await cursor.toArray()).flatMap((document) => fromDocument(document) ?? []);
    },
    async withdrawInvite(account_id, link_id) {
      const wanted = { account_id, link_id, kind: 'invite' } as const;
      return fromDocument(await collection.findOneAndDelete(wanted, { writeConcern }));
    },
    async withdrawOwnerLinks(account_id) {
      await collection.deleteMany({ account_id, kind: 'first_owner' }, { writeConcern });
    },
  };
}

function fromDocument(document: LinkDocument | null): Link | undefined {
  if (document === null) return undefined;
  const { _id, schema_version: _, created_at, expires_at, ...rest } = document;
  return { token_hash: _id, ...rest, created_at: created_at.getTime(), expires_at: expires_at.getTime() };
}
