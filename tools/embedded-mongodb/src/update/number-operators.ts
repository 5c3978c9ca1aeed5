import { Double, Int32, Long, Timestamp } from 'bson';
import { isDocument, numberOf, typeOf } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import { type Change, KEEP } from './change.ts';

const INT32_MAX = 2n ** 31n - 1n;
const INT64_MAX = 2n ** 63n - 1n;

/** $inc: a missing field counts from 0. */
export function increment(operand: unknown, path: string): Change {
  requireNumber(operand, `Cannot increment with non-numeric argument: {${path}: ...}`);
  return (current) => (current === undefined ? operand : arithmetic('$inc', current, operand, path));
}

/** $mul: a missing field becomes 0 of the operand's type. */
export function multiply(operand: unknown, path: string): Change {
  requireNumber(operand, `Cannot multiply with non-numeric argument: {${path}: ...}`);
  return (current) => arithmetic('$mul', current ?? new Int32(0), operand, path);
}

/** The wider of the two types; an Int32 that overflows becomes a Long (manual, "$inc"). */
function arithmetic(operator: '$inc' | '$mul', current: unknown, operand: unknown, path: string): unknown {
  const left = numberOf(current);
  const right = numberOf(operand) ?? 0;
  if (left === undefined) {
    throw new CommandError(
      'TypeMismatch',
      `Cannot apply ${operator} to a value of non-numeric type. The document has the field '${path}' of non-numeric type ${typeOf(current)}`,
    );
  }
  const types = [typeOf(current), typeOf(operand)];
  if (types.includes('double')) {
    return new Double(operator === '$inc' ? Number(left) + Number(right) : Number(left) * Number(right));
  }
  const result = operator === '$inc' ? BigInt(left) + BigInt(right) : BigInt(left) * BigInt(right);
  if (result > INT64_MAX || result < -INT64_MAX - 1n) {
    throw new CommandError(
      'BadValue',
      `Failed to apply ${operator} operations to current value: integer overflow at '${path}'`,
    );
  }
  const fitsInt = result <= INT32_MAX && result >= -INT32_MAX - 1n;
  return fitsInt && !types.includes('long') ? new Int32(Number(result)) : Long.fromBigInt(result);
}

function requireNumber(operand: unknown, message: string): void {
  if (typeOf(operand) === 'decimal') throw notSupported('arithmetic with Decimal128');
  if (numberOf(operand) === undefined) throw new CommandError('TypeMismatch', message);
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

/** $currentDate: `true` or `{ $type: 'date' | 'timestamp' }`. `now` in milliseconds. */
export function currentDate(operand: unknown, now: number): Change {
  const type = isDocument(operand) ? operand.$type : 'date';
  if (type === 'timestamp') return () => new Timestamp({ t: Math.floor(now / 1000), i: 1 });
  if (type !== 'date' || (!isDocument(operand) && typeof operand !== 'boolean')) {
    throw new CommandError('BadValue', `The '$type' string field is required to be 'date' or 'timestamp'`);
  }
  return () => new Date(now);
}
