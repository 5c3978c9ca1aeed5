import { ACTION_KINDS } from '@sluice/contract/event/action';
import { optionOf, SENT_FIELD_NAMES } from '@sluice/contract/event/event-fields';
import { quoted } from './curl.ts';
import { type Sample, SECRET_VARIABLE } from './sample.ts';

interface SluiceCommandInput {
  readonly url: string;
  readonly body: string;
  /** null (default): read from the environment. */
  readonly secret?: string | null;
}

export const sluice: Sample = {
  id: 'sluice',
  label: 'CLI',
  file: 'a shell',
  run: '',
  code: ({ endpointUrl, secret, body }) => `${sluiceCommand({ url: endpointUrl, secret, body })}\n`,
};

/**
 * Returns a command that sends the action of a body again. Null if the command cannot send the body. Fields that the
 * webhook ignores are left out.
 */
export function sluiceCommand({ url, body, secret = null }: SluiceCommandInput): string | null {
  const { action, event } = readBody(body);
  if (!ACTION_KINDS.some((kind) => kind === action)) return null;
  const isById = action !== 'upsert' && typeof event?.external_id === 'string';
  if (!isById && (typeof event?.title !== 'string' || typeof event.starts_at !== 'string')) return null;
  const fields: string[] = [];
  for (const field of SENT_FIELD_NAMES) {
    const value = event?.[field];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string' || value.includes('\0')) return null;
    fields.push(`${optionOf(field)[0].split(' ')[0]} ${quoted(value)}`);
  }
  return [
    `printf %s ${secret === null ? `"$${SECRET_VARIABLE}"` : quoted(secret)} | npx sluice send ${action}`,
    `  --url ${quoted(url)} --secret-file -`,
    ...fields.map((field) => `  ${field}`),
  ].join(' \\\n');
}

interface Parsed {
  readonly action?: unknown;
  readonly event?: Readonly<Record<string, unknown>>;
}

function readBody(body: string): Parsed {
  try {
    const parsed = JSON.parse(body) as Parsed | null;
    return typeof parsed?.event === 'object' && parsed.event !== null ? parsed : {};
  } catch {
    return {};
  }
}
