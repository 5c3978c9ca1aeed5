import { type Path, parsePath } from '../bson/path.ts';
import { type Fields, smallNumberOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';

/** One field of an index or of a sort. */
export interface KeyField {
  readonly name: string;
  readonly path: Path;
  readonly direction: 1 | -1;
  /** Name and direction. */
  readonly id: string;
}

/** The fields of a key pattern or a sort, 1 or -1 each. */
export function keyFields(pattern: Fields): KeyField[] {
  const fields = Object.entries(pattern).map(([name, value]): KeyField => {
    const direction = smallNumberOf(value);
    if (direction === undefined || direction === 0 || Number.isNaN(direction)) {
      throw new CommandError(
        'CannotCreateIndex',
        'Values in the index key pattern must be numbers greater or less than zero',
      );
    }
    if (name.includes('$') || name.split('.').includes(''))
      throw new CommandError(
        'CannotCreateIndex',
        `Index keys cannot contain an empty field or '$': '${name}'`,
      );
    const sign = direction > 0 ? 1 : -1;
    return { name, path: parsePath(name), direction: sign, id: `${name}:${sign}` };
  });
  if (fields.length === 0)
    throw new CommandError('CannotCreateIndex', 'Index keys cannot be an empty document');
  return fields;
}
