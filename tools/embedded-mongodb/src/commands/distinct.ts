import { fieldsDecoder } from '../bson/decode-fields.ts';
import { parsePath, valuesAt } from '../bson/path.ts';
import { CommandError } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import { EVERYTHING, runQuery } from '../plan/run-query.ts';
import { parseQuery } from '../query/query.ts';
import { type Command, namespaceOf } from './command.ts';

/** `distinct` (manual, "distinct (database command)"): each value once, arrays by their elements. */
export const distinct: Command = {
  fields: ['key', 'query'],
  run(request, { catalog }) {
    const { key, query } = request.body;
    if (typeof key !== 'string')
      throw new CommandError(
        'TypeMismatch',
        `BSON field 'distinct.key' is the wrong type, expected type 'string'`,
      );
    const parsed = parseQuery(query ?? undefined, 'query');
    const collection = catalog.collection(namespaceOf(request));
    if (!collection) return [['values', []]];
    const path = parsePath(key);
    const decode = fieldsDecoder(new Set(path.slice(0, 1)));
    const values = new Map<string, unknown>();
    for (const stored of runQuery(collection, parsed, EVERYTHING).documents) {
      for (const value of valuesAt(decode(stored.bytes), path).values) {
        if (value !== undefined) values.set(valueKey(value), value);
      }
    }
    return [['values', [...values.values()]]];
  },
};
