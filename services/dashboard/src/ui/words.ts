import { WAITING_COUNTED } from '@sluice/contract/subscription/subscription-limits';

/** `1,200` */
export function number(value: number): string {
  return value.toLocaleString('en');
}

/** `1 lead`, `1,200 leads` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** Messages that wait, which are counted up to WAITING_COUNTED: "10,000 or more messages wait". */
export function countedWaiting(count: number, one: string, many: string): string {
  return count === WAITING_COUNTED ? `${number(count)} or more ${many}` : counted(count, one, many);
}
