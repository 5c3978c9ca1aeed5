/** The part of problem details (RFC 9457) that a person reads. */
interface Problem {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly field?: string; readonly detail?: string }[];
}

/** A rejected request, in words for the user. */
export interface Rejection {
  readonly status: number;
  /** The sentence of the API, and one for each wrong field. */
  readonly sentence: string;
  readonly code: string;
  /** Whole seconds to wait before the next try, if the API asks for it. */
  readonly waitSeconds: number | undefined;
}

/** Reads a response that is not 2xx. `body` is the text of the response, which may come from a proxy. */
export function readRejection(
  status: number,
  body: string,
  retryAfter: string | null | undefined,
): Rejection {
  const problem = parse(body);
  const fields = (problem.errors ?? []).map(({ field, detail }) => `${field}: ${detail}`);
  const message = problem.message ?? `Sluice responded with the status ${status}.`;
  const sentence = [message, ...fields.filter((text) => !message.includes(text))].join(' ');
  return { status, sentence, code: problem.code ?? `http_${status}`, waitSeconds: wholeSeconds(retryAfter) };
}

function parse(body: string): Problem {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/** Zapier reads "0.5" as 0, so anything below a second is a second. */
function wholeSeconds(text: string | null | undefined): number | undefined {
  const seconds = Number(text ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}
