import { serialize } from 'bson';
import { parsePipeline } from '../aggregate/pipeline.ts';
import { runPipeline } from '../aggregate/run-pipeline.ts';
import { isDocument } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { type Command, countField, namespaceOf } from './command.ts';

/** `aggregate` (manual, "aggregate (database command)") on a collection. */
export const aggregate: Command = {
  fields: ['pipeline', 'cursor', 'allowDiskUse', 'bypassDocumentValidation', 'explain'],
  run(request, { catalog, cursors }) {
    const { body } = request;
    if (typeof body.aggregate !== 'string')
      throw new CommandError(
        'InvalidNamespace',
        'aggregate needs a collection: database-level pipelines are not supported',
      );
    const namespace = namespaceOf(request);
    if (!isDocument(body.cursor))
      throw new CommandError(
        'FailedToParse',
        `The 'cursor' option is required, except for aggregate with the explain argument`,
      );
    const pipeline = parsePipeline(body.pipeline);
    const collection = catalog.collection(namespace);
    const rows = runPipeline(collection, pipeline, request.time);
    const results = { namespace, count: rows.length, at: (index: number) => serialize(rows[index] ?? {}) };
    return cursors.first(results, countField(body.cursor, 'batchSize'), false);
  },
};
