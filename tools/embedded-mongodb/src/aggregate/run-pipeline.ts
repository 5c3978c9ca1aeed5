import { deserialize } from 'bson';
import { Aggregator } from 'mingo';
import { type Fields, isDocument, smallNumberOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { countMatches, EVERYTHING, type QueryRange, runQuery } from '../plan/run-query.ts';
import { matches } from '../query/filter.ts';
import { parseQuery, type Query } from '../query/query.ts';
import { parseSort, sortedBy } from '../query/sort.ts';
import type { TimeLimit } from '../query/time-limit.ts';
import type { Collection } from '../storage/collection.ts';
import type { Stage } from './pipeline.ts';

/**
 * Runs a pipeline. Its first stages ($match, then $sort, $skip, $limit) are a query that uses the indexes. So does
 * counting, which then reads no document. Later $match and $sort use this server's comparison; mingo runs the other stages.
 */
export function runPipeline(
  collection: Collection | undefined,
  pipeline: readonly Stage[],
  time: TimeLimit,
): Fields[] {
  const { query, range, rest } = splitHead(pipeline);
  const counter = counterOf(rest);
  if (counter) return counter(collection ? countMatches(collection, query, range, time) : 0);
  const found = collection ? runQuery(collection, query, range, time).documents : [];
  return rest.reduce(
    runStage,
    found.map((stored) => {
      time.spend();
      return deserialize(stored.bytes);
    }),
  );
}

interface Head {
  readonly query: Query;
  readonly range: QueryRange;
  readonly rest: readonly Stage[];
}

function splitHead(pipeline: readonly Stage[]): Head {
  const range = { ...EVERYTHING };
  const stages = [...pipeline];
  const take = (name: string): Stage | undefined => (stages[0]?.name === name ? stages.shift() : undefined);
  const query = parseQuery(take('$match')?.exact, '$match');
  const sort = take('$sort');
  if (sort) range.sort = sortOf(sort);
  const skip = take('$skip');
  if (skip) range.skip = wholeNumber(skip);
  const limit = take('$limit');
  if (limit) range.limit = wholeNumber(limit);
  return { query, range, rest: stages };
}

/** `$count`, and the `$group` that drivers use to count documents. Both need only the number of documents. */
function counterOf([stage, ...others]: readonly Stage[]): ((count: number) => Fields[]) | null {
  if (!stage || others.length > 0) return null;
  const { name, value } = stage;
  if (name === '$count' && typeof value === 'string')
    return (count) => (count === 0 ? [] : [{ [value]: count }]);
  if (name !== '$group' || !isDocument(value)) return null;
  const { _id: id, n, ...more } = value;
  const countsAll =
    isDocument(n) && n.$sum === 1 && Object.keys(n).length === 1 && Object.keys(more).length === 0;
  if (!countsAll || (id !== null && typeof id !== 'number')) return null;
  return (count) => (count === 0 ? [] : [{ _id: id, n: count }]);
}

function runStage(documents: Fields[], stage: Stage): Fields[] {
  switch (stage.name) {
    case '$match': {
      const { filter } = parseQuery(stage.exact, '$match');
      return documents.filter((document) => matches(filter, document));
    }
    case '$sort':
      return sortedBy(documents, sortOf(stage), (document) => document);
    case '$limit':
      return documents.slice(0, wholeNumber(stage));
    case '$skip':
      return documents.slice(wholeNumber(stage));
    default:
      return mingoStage(documents, stage);
  }
}

function sortOf({ exact }: Stage): QueryRange['sort'] {
  const sort = parseSort(exact);
  if (sort.length === 0) throw new CommandError('BadValue', '$sort stage must have at least one sort key');
  return sort;
}

function wholeNumber({ name, value }: Stage): number {
  const number = smallNumberOf(value);
  const least = name === '$limit' ? 1 : 0;
  if (number === undefined || !Number.isInteger(number) || number < least) {
    throw new CommandError(
      'BadValue',
      `invalid argument to ${name} stage: Expected ${least ? 'a positive' : 'a non-negative'} number`,
    );
  }
  return number;
}

function mingoStage(documents: Fields[], { name, value }: Stage): Fields[] {
  try {
    return new Aggregator([{ [name]: value }], { scriptEnabled: false }).run(documents) as Fields[];
  } catch (error) {
    throw new CommandError(
      'InvalidPipelineOperator',
      `${name}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
