import { type Fields, isDocument } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import type { KeyField } from '../order/key-fields.ts';
import type { Plan } from '../plan/plan.ts';
import { type QueryResult, runQuery } from '../plan/run-query.ts';
import { requiredConditions } from '../query/filter.ts';
import { createCollection } from '../storage/collection.ts';
import { createMemoryAccount } from '../storage/memory-account.ts';
import type { Command } from './command.ts';
import { type FindQuery, parseFind } from './find.ts';

/** Commands that explain supports, and the field with their filter. */
const FILTER_FIELDS: Record<string, string> = {
  find: 'filter',
  count: 'query',
  distinct: 'query',
  findAndModify: 'query',
};
const SILENT = { put: () => {}, remove: () => {} };

/** `explain` (manual, "explain"): the index that a query uses, and its cost with other verbosities. */
export const explain: Command = {
  fields: ['verbosity'],
  run({ body, database, time }, { catalog }) {
    const explained = body.explain;
    if (!isDocument(explained))
      throw new CommandError(
        'TypeMismatch',
        `BSON field 'explain' is the wrong type, expected type 'object'`,
      );
    const name = Object.keys(explained)[0] ?? '';
    const filterField = FILTER_FIELDS[name];
    if (!filterField) throw notSupported(`explaining ${name}`);
    const namespace = `${database}.${String(explained[name])}`;
    const wanted = parseFind({
      ...(name === 'find' ? explained : {}),
      filter: explained[filterField],
      sort: explained.sort,
    });
    const collection =
      catalog.collection(namespace) ??
      createCollection({ namespace, listener: SILENT, memory: createMemoryAccount({ log: () => {} }) });
    const result = runQuery(collection, wanted.query, wanted.range, time);
    const stage = winningPlan(wanted, result.plan);
    const queryPlanner = {
      plannerVersion: 1,
      namespace,
      parsedQuery: wanted.query.source,
      winningPlan: stage,
      rejectedPlans: [],
    };
    return [
      ['explainVersion', '1'],
      ['queryPlanner', queryPlanner],
      ...(body.verbosity === 'queryPlanner' ? [] : [statistics(result, stage)]),
    ];
  },
};

function statistics(
  { documents, keysExamined, documentsExamined }: QueryResult,
  stage: Fields,
): readonly [string, Fields] {
  return [
    'executionStats',
    {
      executionSuccess: true,
      nReturned: documents.length,
      totalKeysExamined: keysExamined,
      totalDocsExamined: documentsExamined,
      executionStages: stage,
    },
  ];
}

function winningPlan({ query, range, projection }: FindQuery, plan: Plan): Fields {
  let stage = accessStage(query.filter, plan);
  if (range.sort.length > 0 && !(plan.kind === 'index' && plan.sorted)) {
    stage = { stage: 'SORT', sortPattern: pattern(range.sort), inputStage: stage };
  }
  if (range.skip > 0) stage = { stage: 'SKIP', skipAmount: range.skip, inputStage: stage };
  if (range.limit > 0) stage = { stage: 'LIMIT', limitAmount: range.limit, inputStage: stage };
  return projection ? { stage: 'PROJECTION_SIMPLE', inputStage: stage } : stage;
}

function accessStage(filter: FindQuery['query']['filter'], plan: Plan): Fields {
  if (plan.kind === 'scan') return { stage: 'COLLSCAN', direction: 'forward' };
  const { definition, arrayFields } = plan.index;
  const [condition, ...others] = requiredConditions(filter);
  if (definition.name === '_id_' && plan.exact && condition?.operator === '$eq' && others.length === 0)
    return { stage: 'IDHACK' };
  return {
    stage: 'FETCH',
    inputStage: {
      stage: 'IXSCAN',
      keyPattern: definition.specification.key,
      indexName: definition.name,
      isMultiKey: arrayFields.size > 0,
      isUnique: definition.unique,
      isPartial: definition.partial !== null,
      isSparse: definition.sparse,
      direction: plan.reverse ? 'backward' : 'forward',
      intervals: plan.intervals.length,
    },
  };
}

function pattern(sort: readonly KeyField[]): Fields {
  return Object.fromEntries(sort.map(({ name, direction }) => [name, direction]));
}
