import { numberOf, smallNumberOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';

type ValueTest = (value: unknown) => boolean;

/** MongoDB's idea of true: everything but false, null, undefined and zero. */
export function truthy(value: unknown): boolean {
  const number = numberOf(value);
  return number === undefined
    ? value !== false && value !== null && value !== undefined
    : Number(number) !== 0;
}

/** $size: an array of exactly this length. */
export function sizeTest(operand: unknown): ValueTest {
  const length = smallNumberOf(operand);
  if (length === undefined || !Number.isInteger(length) || length < 0) {
    throw new CommandError(
      'BadValue',
      `Failed to parse $size. Expected a non-negative whole number in: $size: ${String(operand)}`,
    );
  }
  return (value) => Array.isArray(value) && value.length === length;
}

/** $mod: `[divisor, remainder]`, both cut to whole numbers. */
export function moduloTest(operand: unknown): ValueTest {
  const numbers = Array.isArray(operand) ? operand.map(smallNumberOf) : [];
  const [divisor, remainder] = numbers.map((number) =>
    number === undefined ? undefined : Math.trunc(number),
  );
  if (numbers.length !== 2 || divisor === undefined || remainder === undefined) {
    throw new CommandError('BadValue', 'malformed mod, needs to be an array of two numbers');
  }
  if (divisor === 0) throw new CommandError('BadValue', 'divisor cannot be 0');
  return (value) => {
    const number = smallNumberOf(value);
    return number !== undefined && Number.isFinite(number) && Math.trunc(number) % divisor === remainder;
  };
}
