import { Double, Int32, Long } from 'bson';
import { numberOf, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import { type Change, KEEP } from './change.ts';

const INT32_MAX = 2n ** 31n - 1n;
const INT64_MAX = 2n ** 63n - 1n;

/** $inc: a missing field counts from 0. */
export function increment(operand: unknown, path: string): Change {
  if (numberOf(operand) === undefined)
    throw new CommandError('TypeMismatch', `Cannot increment with non-numeric argument: {${path}: ...}`);
  return (current) => (current === undefined ? operand : sum(current, operand, path));
}

/** The wider of the two types; an Int32 that overflows becomes a Long (manual, "$inc"). */
function sum(current: unknown, operand: unknown, path: string): unknown {
  const left = numberOf(current);
  const right = numberOf(operand) ?? 0;
  if (left === undefined) {
    throw new CommandError(
      'TypeMismatch',
      `Cannot apply $inc to a value of non-numeric type. The document has the field '${path}' of non-numeric type ${typeOf(current)}`,
    );
  }
  const types = [typeOf(current), typeOf(operand)];
  if (types.includes('double')) return new Double(Number(left) + Number(right));
  const result = BigInt(left) + BigInt(right);
  if (result > INT64_MAX || result < -INT64_MAX - 1n)
    throw new CommandError(
      'BadValue',
      `Failed to apply $inc operations to current value: integer overflow at '${path}'`,
    );
  const fitsInt = result <= INT32_MAX && result >= -INT32_MAX - 1n;
  return fitsInt && !types.includes('long') ? new Int32(Number(result)) : Long.fromBigInt(result);
}

/** $min and $max compare across types in BSON order (manual, "$max"). */
export function extreme(wanted: 'min' | 'max', operand: unknown): Change {
  const key = valueKey(operand);
  return (current) => {
    if (current === undefined) return operand;
    const other = valueKey(current);
    return (wanted === 'min' ? key < other : key > other) ? operand : KEEP;
  };
}

/** `$currentDate: true`. `now` in milliseconds. */
export function currentDate(operand: unknown, now: number): Change {
  if (operand !== true) throw new CommandError('BadValue', '$currentDate has only the value true');
  return () => new Date(now);
}
