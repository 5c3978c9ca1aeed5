import { PROBLEMS, WEBHOOK_PROBLEMS } from '@sluice/contract/problem/problem';
import { REFUSALS, type Refusal } from './refusal.ts';

/** Every code of this host. */
const CODES: readonly Refusal['code'][] = [...WEBHOOK_PROBLEMS, 'not_found'];

/** The corrections for codes whose texts depend on the request. Others have a fixed one (refusal.ts). */
const CORRECTIONS: Partial<Record<Refusal['code'], string>> = {
  timestamp_invalid: 'Send the current Unix time in whole seconds, as digits, in X-Service-Timestamp.',
  timestamp_expired: 'Sign right before you send. Check the clock of the sender.',
  too_many_bad_signatures: 'Correct the signing secret, then wait for Retry-After.',
  rate_limited: 'Wait for Retry-After, then back off exponentially.',
  malformed_json:
    'Build the body with a JSON library, in UTF-8. The response names the position of the fault.',
  validation_failed: 'Correct the fields that the response names in errors.',
  mapping_failed: 'Correct the mapping of the source, or the fields that the response names.',
  bad_request: 'Check the URL and the headers of the request.',
};

function correctionOf(code: Refusal['code']): string {
  const fixed: Readonly<Record<string, Refusal>> = REFUSALS;
  return CORRECTIONS[code] ?? fixed[code]?.detail ?? '';
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The page at the `type` of a problem; undefined for a code that this host does not use. */
export function problemPage(code: string): string | undefined {
  const known = CODES.find((one) => one === code);
  if (known === undefined) return undefined;
  const { status, title } = PROBLEMS[known];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} (${known})</title>
<h1>${escapeHtml(title)}</h1>
<p><code>${known}</code>, with HTTP status <code>${status}</code>.</p>
<p>${escapeHtml(correctionOf(known))}</p>
<p>The field <code>detail</code> of the response explains the error of this request. Give its <code>request_id</code> when you ask for help.</p>
</html>
`;
}
