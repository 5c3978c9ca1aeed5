type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown if a variable that the file requires (`${NAME:?message}`) is not set. */
export class MissingVariableError extends Error {}

/** Replaces variables in every string of a compose file, the first step of `docker compose`. */
export function interpolateAll(value: unknown, env: Environment): unknown {
  if (typeof value === 'string') return interpolate(value, env);
  if (Array.isArray(value)) return value.map((one) => interpolateAll(one, env));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, interpolateAll(one, env)]));
}

/**
 * Supports `$$`, `$NAME`, `${NAME}` and `${NAME` with `:-` `-` `:?` `?` `:+` `+` and text that may contain variables
 * `}`.
 */
export function interpolate(text: string, env: Environment): string {
  let result = '';
  let rest = text;
  for (let at = rest.indexOf('$'); at >= 0; at = rest.indexOf('$')) {
    result += rest.slice(0, at);
    rest = rest.slice(at);
    const plain = /^\$(\$|[A-Za-z_]\w*)/.exec(rest);
    if (plain !== null) {
      result += plain[1] === '$' ? '$' : (env[plain[1] as string] ?? '');
      rest = rest.slice(plain[0].length);
    } else {
      const end = closingBrace(rest);
      result += expand(rest.slice('${'.length, end), env);
      rest = rest.slice(end + 1);
    }
  }
  return result + rest;
}

function closingBrace(text: string): number {
  let depth = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error(`not a variable: ${text}`);
}

function expand(expression: string, env: Environment): string {
  const [, name = '', operator = '', operand = ''] =
    /^([A-Za-z_]\w*)(?:(:?[-?+])(.*))?$/s.exec(expression) ?? [];
  if (name === '') throw new Error(`not a variable: \${${expression}}`);
  const value = env[name];
  const isSet = operator.startsWith(':') ? value !== undefined && value !== '' : value !== undefined;
  switch (operator.at(-1)) {
    case '-':
      return isSet ? (value as string) : interpolate(operand, env);
    case '+':
      return isSet ? interpolate(operand, env) : '';
    case '?':
      if (!isSet) throw new MissingVariableError(`${name}: ${interpolate(operand, env)}`);
      return value as string;
    default:
      return value ?? '';
  }
}
