import { wrongUsage } from './exit-codes.ts';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A zod schema. */
interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/** Parses values by the API's schema. Throws wrong usage, which names each option with a wrong value. */
export function parseOptions<T>(schema: Schema<T>, values: object): T {
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  throw wrongUsage(read.error.issues.map(inWords).join('\n'));
}

function inWords({ path: [field, name], message }: Issue): string {
  if (field === undefined) return message;
  const option = `--${String(field).replaceAll('_', '-')}`;
  return typeof name === 'string' ? `${option} ${name}: ${message}` : `${option}: ${message}`;
}
