import { randomBase62 } from './random-base62.ts';

/** The prefix names the kind of an id, so that a pasted id explains itself. */
export type IdPrefix =
  | 'acc'
  | 'aud'
  | 'chg'
  | 'chn'
  | 'cmsg'
  | 'conv'
  | 'dlv'
  | 'grp'
  | 'idm'
  | 'inv'
  | 'key'
  | 'lead'
  | 'req'
  | 'ses'
  | 'src'
  | 'stg'
  | 'sub'
  | 'usr';

/** 22 characters of base 62 have 130 bits: as unlikely to repeat as a UUID, and impossible to guess. */
const RANDOM_LENGTH = 22;

/** A new id, such as `src_4fBq0QXn3vYzRk8LwT1mHc`. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(RANDOM_LENGTH)}`;
}
