import type { Connection, mongo } from 'mongoose';
import { NotConnectedError } from './mongo-away.ts';

/** The database of a connection. Throws NotConnectedError until the first connection succeeds. */
export function connectedDb({ db }: Connection): mongo.Db {
  if (db === undefined) throw new NotConnectedError();
  return db;
}
