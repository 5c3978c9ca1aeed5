import { createQuerySerializer } from 'openapi-fetch';
import type { operations } from './generated/api.ts';
import type { FiltersOf, QueryOf } from './types.ts';

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

/** The query of one page of a list. Its type has texts only, because the serializer writes a `Date` as its text. */
export function pageQuery<Name extends keyof operations>(
  filters: FiltersOf<Name>,
  cursor: string | undefined,
): QueryOf<Name> {
  return { ...filters, ...(cursor !== undefined && { cursor }) } as QueryOf<Name>;
}
