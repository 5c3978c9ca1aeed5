/** `1,200` */
export function number(value: number): string {
  return value.toLocaleString('en');
}

/** `1 lead`, `1,200 leads` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}
