import { decodeExact } from '../bson/decode.ts';
import { smallNumberOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { runQuery } from '../plan/run-query.ts';
import { parseQuery } from '../query/query.ts';
import { type Command, documentsField, namespaceOf, refuseFields } from './command.ts';
import { checkBatch } from './insert.ts';
import { runStatements, writeErrorsField } from './write-errors.ts';

/** `delete` (manual, "delete (database command)"). */
export const remove: Command = {
  fields: ['deletes', 'ordered'],
  run(request, { catalog }) {
    const collection = catalog.collection(namespaceOf(request));
    const statements = documentsField(request, 'deletes', { fields: (fields) => fields, bytes: decodeExact });
    checkBatch(statements.length);
    let deleted = 0;
    const errors = runStatements(statements.length, request.body.ordered !== false, (index) => {
      const { q, limit, ...others } = statements[index]?.() ?? {};
      refuseFields('delete.deletes', others);
      const count = smallNumberOf(limit);
      if (count !== 0 && count !== 1)
        throw new CommandError(
          'FailedToParse',
          `The limit field in delete objects must be 0 or 1. Got ${String(limit)}`,
        );
      const query = parseQuery(q, 'q');
      if (!collection) return;
      const found = runQuery(collection, query, { sort: [], skip: 0, limit: count }).documents;
      for (const stored of found) collection.remove(stored);
      deleted += found.length;
    });
    return [['n', deleted], ...writeErrorsField(errors)];
  },
};
