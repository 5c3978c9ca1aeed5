import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { printableLines } from '../telemetry/printable.ts';

/** Variables by name; each schema reads the text of its variable. See `variables.ts`. */
export type ConfigShape = Readonly<Record<string, z.ZodType>>;
export type Config<S extends ConfigShape> = { readonly [Name in keyof S]: z.output<S[Name]> };
export type Environment = Readonly<Record<string, string | undefined>>;

/** A shape without required variables: one without a default may be missing. */
export type Lenient<S extends ConfigShape> = {
  readonly [Name in keyof S]: undefined extends z.input<S[Name]> ? S[Name] : z.ZodOptional<S[Name]>;
};

/** Makes every variable optional, for a process that provides the missing ones. Values that are set are checked. */
export function lenient<S extends ConfigShape>(shape: S): Lenient<S> {
  const entries = Object.entries(shape).map(([name, schema]) => {
    const hasDefault = schema.safeParse(undefined).success;
    return [name, hasDefault ? schema : schema.optional()];
  });
  return Object.fromEntries(entries) as Lenient<S>;
}

/** One wrong variable and what to do about it. */
export interface ConfigProblem {
  readonly variable: string;
  readonly detail: string;
}

export type ConfigResult<S extends ConfigShape> =
  | { readonly ok: true; readonly config: Config<S> }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** EX_CONFIG of sysexits.h: a restart would fail again. */
export const EXIT_BAD_CONFIG = 78;

/** Reads every variable of `shape`, or reports each one that is wrong. */
export function loadConfig<S extends ConfigShape>(shape: S, env: Environment = process.env): ConfigResult<S> {
  const problems: ConfigProblem[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const raw = rawValue(name, env);
    if (!raw.ok) {
      problems.push(raw.problem);
      continue;
    }
    const parsed = schema.safeParse(raw.text);
    if (parsed.success) config[name] = parsed.data;
    else problems.push({ variable: name, detail: explain(schema, raw.text, parsed.error) });
  }
  return problems.length === 0 ? { ok: true, config: config as Config<S> } : { ok: false, problems };
}

type Raw = { ok: true; text: string | undefined } | { ok: false; problem: ConfigProblem };

function rawValue(name: string, env: Environment): Raw {
  const direct = env[name]?.trim() || undefined;
  const file = env[`${name}_FILE`]?.trim() || undefined;
  if (file === undefined) return { ok: true, text: direct };
  const variable = `${name}_FILE`;
  if (direct !== undefined)
    return { ok: false, problem: { variable, detail: `set either ${name} or ${variable}, not both` } };
  try {
    return { ok: true, text: readFileSync(file, 'utf8').trim() || undefined };
  } catch (error) {
    return { ok: false, problem: { variable, detail: `cannot read the file: ${(error as Error).message}` } };
  }
}

/** The text of a variable, also of one in a file. Undefined if it is not set or cannot be read. */
export function textOf(name: string, env: Environment): string | undefined {
  const raw = rawValue(name, env);
  return raw.ok ? raw.text : undefined;
}

function explain(schema: z.ZodType, text: string | undefined, error: z.ZodError): string {
  const about = schema.description === undefined ? '' : ` (${schema.description})`;
  if (text === undefined) return `is not set${about}`;
  return `${error.issues.map((issue) => issue.message).join('; ')}${about}`;
}

/** The lines that explain a wrong configuration to its reader. */
export function describeProblems(problems: readonly ConfigProblem[]): string {
  const lines = problems.map(({ variable, detail }) => `  ${variable}: ${detail}`);
  return ['Wrong configuration:', ...lines, 'Every variable is described in .env.example.', ''].join('\n');
}

/** Returns the configuration, or ends the process with code 78 and each wrong variable on stderr. */
export function configOrExit<S extends ConfigShape>(shape: S, env: Environment = process.env): Config<S> {
  const result = loadConfig(shape, env);
  return result.ok ? result.config : exitOver(result.problems);
}

/** Ends the process with code 78 and each wrong variable on stderr. */
export function exitOver(problems: readonly ConfigProblem[]): never {
  process.stderr.write(printableLines(describeProblems(problems)));
  process.exit(EXIT_BAD_CONFIG);
}
