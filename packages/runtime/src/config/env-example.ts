import type * as z from 'zod';
import type { VariableInfo } from './variable-info.ts';
import { variables } from './variables.ts';

const HEAD = `# Every variable that Sluice reads, with its default. Made by: npm run env-example
# A variable NAME may also be given as NAME_FILE, the path of a file that holds the value.
# Processes read their environment and no file; to use a copy of this one: set -a; . ./.env; set +a
`;

/** Generates the text of `.env.example` from the catalog. */
export function envExample(): string {
  const blocks: string[] = [HEAD];
  let group = '';
  for (const [name, schema] of Object.entries(variables)) {
    const info = schema.meta() as VariableInfo;
    if (info.group !== group) blocks.push(`\n## ${info.group}\n`);
    group = info.group;
    const preset = defaultText(schema);
    // A variable without a default is commented out, so that an unchanged copy of the file changes nothing.
    const line = preset === undefined ? `# ${name}=${info.example ?? ''}` : `${name}=${preset}`;
    blocks.push(`# ${info.description}\n${line}\n`);
  }
  return blocks.join('');
}

/** The text that is used when the variable is not set. */
function defaultText(schema: z.ZodType): string | undefined {
  const { def } = schema as { def?: { type?: string; defaultValue?: unknown } };
  return def?.type === 'prefault' ? String(def.defaultValue) : undefined;
}
