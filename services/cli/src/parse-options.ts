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

/** Fields whose option has another name. */
const OPTIONS: Readonly<Record<string, string>> = {
  target_url: '--url',
  source_id: '--source',
  channel_id: '--channel',
};

/**
 * Parses values by the API's schema. Throws wrong usage, which names each option with a wrong value. `names`: how the command
 * names a field that is no option.
 */
export function parseOptions<T>(schema: Schema<T>, values: object, names = OPTIONS): T {
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  throw wrongUsage(read.error.issues.map((issue) => inWords(issue, names)).join('\n'));
}

function inWords({ path, message }: Issue, names: Readonly<Record<string, string>>): string {
  const [field, name] = path[0] === 'filter' ? path.slice(1) : path;
  if (field === undefined) return message;
  const option = names[String(field)] ?? `--${String(field).replaceAll('_', '-')}`;
  return typeof name === 'string' ? `${option} ${name}: ${message}` : `${option}: ${message}`;
}
