import { serialize } from 'bson';
import { fieldsDecoder } from '../bson/decode-fields.ts';
import { type Path, parsePath, valuesAt } from '../bson/path.ts';
import { type Fields, isDocument, smallNumberOf } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import { runQuery } from '../plan/run-query.ts';
import { parseQuery } from '../query/query.ts';
import type { StoredDocument } from '../storage/stored-document.ts';
import { type Command, countField, namespaceOf } from './command.ts';
import { wholeReply } from './cursors.ts';

const STAGES = ['$match', '$skip', '$limit', '$group'];

/**
 * `aggregate` (manual, "aggregate (database command)") on a collection. A pipeline is a query ($match, $skip, $limit) and one
 * $group of its documents, which is what drivers count with.
 */
export const aggregate: Command = {
  fields: ['pipeline', 'cursor'],
  run(request, { catalog }) {
    const namespace = namespaceOf(request);
    const { $match, $skip, $limit, $group } = stagesOf(request.body.pipeline);
    const range = {
      sort: [],
      skip: countField({ $skip }, '$skip') ?? 0,
      limit: countField({ $limit }, '$limit') ?? 0,
    };
    const query = parseQuery($match, '$match');
    const group = parseGroup($group);
    const collection = catalog.collection(namespace);
    const found = collection ? runQuery(collection, query, range).documents : [];
    return wholeReply(
      namespace,
      grouped(found, group).map((row) => serialize(row)),
    );
  },
};

/** The arguments of the stages by their names. Rejects unknown stages (40324), and any other order by name. */
function stagesOf(pipeline: unknown): Fields {
  if (!Array.isArray(pipeline))
    throw new CommandError('TypeMismatch', `'pipeline' option must be specified as an array`);
  const names = pipeline.map((stage: unknown) => (isDocument(stage) ? Object.keys(stage) : []).join());
  const unknown = names.find((name) => !STAGES.includes(name));
  if (unknown !== undefined)
    throw new CommandError(
      'Location40324',
      `Unrecognized pipeline stage name: '${unknown}'. The embedded development store has ${STAGES.join(', ')}`,
    );
  if (names.join() !== STAGES.filter((name) => names.includes(name)).join() || names.at(-1) !== '$group')
    throw notSupported(`a pipeline of ${names.join(', ')}`);
  return Object.assign({}, ...pipeline);
}

/** A constant, or the value of a field. */
type Expression = { readonly constant: unknown } | { readonly path: Path };

interface Total {
  readonly name: string;
  readonly operator: '$sum' | '$max';
  readonly expression: Expression;
}

interface Group {
  readonly id: Expression;
  readonly totals: readonly Total[];
}

/** Parses a $group (manual, "$group") with the totals $sum and $max. */
function parseGroup(group: unknown): Group {
  if (!isDocument(group)) throw new CommandError('BadValue', 'a group specification must be an object');
  const { _id: id, ...totals } = group;
  return {
    id: parseExpression(id),
    totals: Object.entries(totals).map(([name, total]) => {
      const [operator, ...others] = Object.keys(isDocument(total) ? total : {});
      if ((operator !== '$sum' && operator !== '$max') || others.length > 0)
        throw notSupported(`the accumulator of '${name}'`);
      return { name, operator, expression: parseExpression((total as Fields)[operator]) };
    }),
  };
}

function parseExpression(value: unknown): Expression {
  if (typeof value === 'string' && /^\$[^$]/.test(value)) return { path: parsePath(value.slice(1)) };
  if (value === null || smallNumberOf(value) !== undefined) return { constant: smallNumberOf(value) ?? null };
  throw notSupported(`the expression ${JSON.stringify(value)}`);
}

/** Decodes only the fields that the group reads. */
function grouped(found: readonly StoredDocument[], { id, totals }: Group): Fields[] {
  const expressions = [id, ...totals.map(({ expression }) => expression)];
  const names = expressions.flatMap((one) => ('path' in one ? [one.path[0] as string] : []));
  const decode = fieldsDecoder(new Set(names));
  const rows = new Map<string, Fields>();
  for (const stored of found) {
    const document = names.length === 0 ? {} : decode(stored.bytes);
    const _id = evaluate(id, document) ?? null;
    const key = valueKey(_id);
    const row = rows.get(key) ?? { _id };
    rows.set(key, row);
    for (const { name, operator, expression } of totals)
      row[name] = TOTALS[operator](row[name], evaluate(expression, document));
  }
  return [...rows.values()];
}

function evaluate(expression: Expression, document: Fields): unknown {
  return 'path' in expression ? valuesAt(document, expression.path).values[0] : expression.constant;
}

/** $sum ignores what is no number, $max a missing value. */
const TOTALS: Record<Total['operator'], (total: unknown, value: unknown) => unknown> = {
  $sum: (total, value) => Number(total ?? 0) + (smallNumberOf(value) ?? 0),
  $max: (greatest = null, value) =>
    value !== undefined && (greatest === null || valueKey(value) > valueKey(greatest)) ? value : greatest,
};
