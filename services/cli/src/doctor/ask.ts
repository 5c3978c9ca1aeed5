import { text as readText } from 'node:stream/consumers';
import { USER_AGENT } from '../api/call-api.ts';
import { jsonOrText } from '../http/json-or-text.ts';
import { request } from '../http/request.ts';

/** A response, and what it says about the connection. */
export interface Asked {
  readonly status: number;
  /** The parsed JSON, or the text. */
  readonly body: unknown;
  readonly took_ms: number;
  /** The clock of this machine minus that of the server, in ms; undefined without a Date header. */
  readonly clockAheadMs: number | undefined;
}

export type Answer =
  | { readonly outcome: 'answered'; readonly answer: Asked }
  | { readonly outcome: 'none'; readonly why: string };

const TIMEOUT_MS = 10_000;

/** Asks a server once. Never rejects. `now`: milliseconds since the Unix epoch. */
export async function ask(
  url: URL,
  now: () => number,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const began = now();
  try {
    const response = await request(url, {
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': USER_AGENT, ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const ended = now();
    const date = Date.parse(response.headers.date ?? '');
    const body = jsonOrText(await readText(response));
    // The header has whole seconds, so its middle is half a second later.
    const clockAheadMs = Number.isNaN(date) ? undefined : (began + ended) / 2 - (date + 500);
    return {
      outcome: 'answered',
      answer: { status: response.statusCode ?? 0, body, took_ms: Math.round(ended - began), clockAheadMs },
    };
  } catch (error) {
    return { outcome: 'none', why: describe(error as NodeJS.ErrnoException) };
  }
}

function describe({ name, code = 'unknown error', message }: NodeJS.ErrnoException): string {
  if (name === 'TimeoutError' || name === 'AbortError') return `no response within ${TIMEOUT_MS / 1000} s`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name is unknown';
    case 'ECONNREFUSED':
      return 'the connection was refused: nothing listens there';
    default:
      return message || code;
  }
}

/** The sentence of a rejection by Sluice; undefined for every other response. */
export function rejectionIn({ body }: Pick<Asked, 'body'>): string | undefined {
  const { code, detail, request_id } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const isProblem = [code, detail, request_id].every((one) => typeof one === 'string');
  return isProblem ? String(detail) : undefined;
}
