import { createQuerySerializer } from 'openapi-fetch';

const serialize = createQuerySerializer<Record<string, unknown>>();

/**
 * The query of a call. A `Date` or a Temporal value becomes its text. openapi-fetch would list its properties, of which it has none, so
 * a program without types would get a list without the filter.
 */
export function serializeQuery(query: Record<string, unknown>): string {
  return serialize(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, textOf(value)])));
}

function textOf(value: unknown): unknown {
  const hasText = typeof value === 'object' && value !== null && 'toJSON' in value;
  return hasText && typeof value.toJSON === 'function' ? String(value.toJSON()) : value;
}
