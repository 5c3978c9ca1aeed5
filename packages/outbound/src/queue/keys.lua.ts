import { luaKeys } from '@sluice/redis/keyspace';

/** The scripts make their keys from the local `prefix`. */
export const KEY = luaKeys('prefix');
