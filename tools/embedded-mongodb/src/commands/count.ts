import { countMatches } from '../plan/run-query.ts';
import { parseQuery } from '../query/query.ts';
import { type Command, countField, namespaceOf } from './command.ts';

/** `count` (manual, "count (database command)"). Without a query it reads no document. */
export const count: Command = {
  fields: ['query', 'limit', 'skip', 'fields'],
  run(request, { catalog }) {
    const { body } = request;
    const collection = catalog.collection(namespaceOf(request));
    const query = parseQuery(body.query, 'query');
    const skip = countField(body, 'skip') ?? 0;
    const limit = countField(body, 'limit') ?? 0;
    if (!collection) return [['n', 0]];
    return [['n', countMatches(collection, query, { sort: [], skip, limit }, request.time)]];
  },
};
