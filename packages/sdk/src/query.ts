import { createQuerySerializer } from 'openapi-fetch';
import type { operations } from './generated/api.ts';
import type { FiltersOf, Instant, QueryOf } from './types.ts';

const serialize = createQuerySerializer<Record<string, unknown>>();

/**
 * The query of a call. A `Date` or a Temporal value becomes its text. openapi-fetch would list its properties, of which it has none, so
 * a program without types would get a list without the filter.
 */
export function serializeQuery(query: Record<string, unknown>): string {
  return serialize(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, textOf(name, value)])),
  );
}

/**
 * The text of an instant.
 * @throws TypeError for a `Date` without a time.
 */
export function instantText(name: string, instant: Instant): string {
  if (typeof instant === 'string') return instant;
  if (Number.isNaN(instant.getTime()))
    throw new TypeError(
      `${name} is an invalid Date. Pass one with a time, or a text such as 2026-01-31T09:00:00Z.`,
    );
  return instant.toISOString();
}

function textOf(name: string, value: unknown): unknown {
  if (value instanceof Date) return instantText(name, value);
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
