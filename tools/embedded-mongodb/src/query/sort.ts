import { valuesAt } from '../bson/path.ts';
import { type Fields, isDocument } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { type KeyField, keyFields } from '../order/key-fields.ts';
import { EMPTY_ARRAY_KEY, inverted, valueKey } from '../order/value-key.ts';

/** Parses a sort (manual, "cursor.sort"): 1 or -1 for each field. An empty one means no order. */
export function parseSort(value: unknown): KeyField[] {
  if (value === undefined) return [];
  if (!isDocument(value)) throw new CommandError('TypeMismatch', 'Expected field sort to be of type object');
  for (const [name, direction] of Object.entries(value)) {
    if (Math.abs(Number(direction)) !== 1)
      throw new CommandError(
        'BadValue',
        `$sort key ordering must be 1 (for ascending) or -1 (for descending), not for ${name}`,
      );
  }
  return Object.keys(value).length === 0 ? [] : keyFields(value);
}

/** A string in the sort order of the field. The least element of an array counts, or the greatest when descending. */
function fieldSortKey({ path, direction }: KeyField, document: Fields): string {
  const { values } = valuesAt(document, path);
  let best = values.length === 0 ? EMPTY_ARRAY_KEY : valueKey(values[0]);
  for (const value of values.slice(1)) {
    const key = valueKey(value);
    if (direction === 1 ? key < best : key > best) best = key;
  }
  return direction === 1 ? best : inverted(best);
}

/** Sorts stably by the documents' keys, each computed once. */
export function sortedBy<T>(
  items: readonly T[],
  fields: readonly KeyField[],
  documentOf: (item: T) => Fields,
): T[] {
  const keyed = items.map((item) => {
    const document = documentOf(item);
    return { item, key: fields.map((field) => fieldSortKey(field, document)).join('') };
  });
  keyed.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}
