import { Long } from 'bson';
import { numberOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { type Command, countField } from './command.ts';

/** `getMore` (manual, "getMore"). */
export const getMore: Command = {
  fields: ['collection', 'batchSize'],
  run({ body, database }, { cursors }) {
    if (typeof body.collection !== 'string')
      throw new CommandError('TypeMismatch', `BSON field 'getMore.collection' must be a string`);
    return cursors.next(
      cursorId(body.getMore),
      `${database}.${body.collection}`,
      countField(body, 'batchSize'),
    );
  },
};

/** `killCursors`: reports for each cursor whether it existed. */
export const killCursors: Command = {
  fields: ['cursors'],
  run({ body }, { cursors }) {
    if (!Array.isArray(body.cursors))
      throw new CommandError('TypeMismatch', `BSON field 'killCursors.cursors' must be an array`);
    const killed: Long[] = [];
    const notFound: Long[] = [];
    for (const value of body.cursors as unknown[]) {
      const id = cursorId(value);
      (cursors.kill(id) ? killed : notFound).push(Long.fromBigInt(id));
    }
    return [
      ['cursorsKilled', killed],
      ['cursorsNotFound', notFound],
      ['cursorsAlive', []],
      ['cursorsUnknown', []],
    ];
  },
};

function cursorId(value: unknown): bigint {
  const id = numberOf(value);
  if (id === undefined || (typeof id === 'number' && !Number.isInteger(id)))
    throw new CommandError('TypeMismatch', 'a cursor id must be a long');
  return BigInt(id);
}
