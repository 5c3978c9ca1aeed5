import { type Fields, isDocument } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import type { KeyField } from '../order/key-fields.ts';
import type { Plan } from '../plan/plan.ts';
import { type QueryResult, runQuery } from '../plan/run-query.ts';
import { requiredConditions } from '../query/filter.ts';
import type { Command } from './command.ts';
import { type FindQuery, parseFind } from './find.ts';

/** `explain` (manual, "explain") of a find: the index that it uses, and its cost with other verbosities. */
export const explain: Command = {
  fields: ['verbosity'],
  run({ body, database }, { catalog }) {
    const explained = body.explain;
    if (!isDocument(explained) || typeof explained.find !== 'string')
      throw notSupported('explaining anything but a find');
    const namespace = `${database}.${explained.find}`;
    const collection = catalog.collection(namespace);
    if (!collection) throw new CommandError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    const wanted = parseFind(explained);
    const result = runQuery(collection, wanted.query, wanted.range);
    const stage = winningPlan(wanted, result.plan);
    return [
      ['queryPlanner', { winningPlan: stage }],
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
      direction: plan.reverse ? 'backward' : 'forward',
      intervals: plan.intervals.length,
    },
  };
}

function pattern(sort: readonly KeyField[]): Fields {
  return Object.fromEntries(sort.map(({ name, direction }) => [name, direction]));
}
