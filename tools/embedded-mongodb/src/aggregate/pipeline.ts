import { deserialize, serialize } from 'bson';
import { type Fields, isDocument } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';

/** One stage: its name and its argument with plain JavaScript values. */
export interface Stage {
  readonly name: string;
  readonly value: unknown;
  /** The argument with its BSON types. */
  readonly exact: unknown;
}

const SUPPORTED = new Set([
  '$match',
  '$sort',
  '$limit',
  '$skip',
  '$count',
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$group',
  '$unwind',
  '$replaceRoot',
  '$replaceWith',
  '$sortByCount',
  '$facet',
  '$sample',
]);
const NOT_SUPPORTED = new Set([
  '$lookup',
  '$graphLookup',
  '$unionWith',
  '$out',
  '$merge',
  '$geoNear',
  '$redact',
  // mingo's $bucket counts a value equal to a boundary in the bucket below it.
  '$bucket',
  '$bucketAuto',
  '$setWindowFields',
  '$fill',
  '$densify',
  '$documents',
  '$changeStream',
  '$collStats',
  '$indexStats',
  '$currentOp',
  '$listSessions',
  '$listLocalSessions',
  '$planCacheStats',
  '$search',
  '$searchMeta',
  '$vectorSearch',
  '$listSampledQueries',
  '$querySettings',
  '$shardedDataDistribution',
]);
/** Expressions that are rejected wherever they occur in a stage. */
const NOT_SUPPORTED_EXPRESSIONS = new Set([
  // These run the client's code.
  '$function',
  '$accumulator',
  '$where',
  // mingo computes these differently at the ends of months and years, and in time zones (7.2.6 and 7.2.7).
  '$dateAdd',
  '$dateDiff',
  '$dateFromParts',
  '$dateFromString',
  '$dateSubtract',
  '$dateTrunc',
  '$isoWeekYear',
  '$week',
]);

/** Parses a pipeline. Rejects unknown stages (40324), stages with several fields (40323), and unsupported ones by name. */
export function parsePipeline(pipeline: unknown): Stage[] {
  if (!Array.isArray(pipeline))
    throw new CommandError('TypeMismatch', `'pipeline' option must be specified as an array`);
  const plain = deserialize(serialize({ pipeline })).pipeline as Fields[];
  return pipeline.map((stage: unknown, index) => {
    if (!isDocument(stage))
      throw new CommandError('TypeMismatch', 'Each element of the pipeline array must be an object');
    const [name, ...others] = Object.keys(stage);
    if (name === undefined || others.length > 0)
      throw new CommandError(
        'Location40323',
        'A pipeline stage specification object must contain exactly one field.',
      );
    if (NOT_SUPPORTED.has(name)) throw notSupported(`the aggregation stage ${name}`);
    if (!SUPPORTED.has(name))
      throw new CommandError('Location40324', `Unrecognized pipeline stage name: '${name}'`);
    if (name !== '$match') rejectExpressions(stage[name]);
    if (name === '$facet' && isDocument(stage.$facet))
      for (const inner of Object.values(stage.$facet)) parsePipeline(inner);
    return { name, value: plain[index]?.[name], exact: stage[name] };
  });
}

function rejectExpressions(value: unknown): void {
  if (Array.isArray(value)) for (const element of value) rejectExpressions(element);
  if (!isDocument(value)) return;
  for (const [name, below] of Object.entries(value)) {
    if (NOT_SUPPORTED_EXPRESSIONS.has(name)) throw notSupported(`the expression ${name}`);
    rejectExpressions(below);
  }
}
