import { readJson } from '@sluice/contract/event/parse-action';
import type { Malformed } from '@sluice/contract/problem/parsed';

const MAX_FIELDS = 200;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Whether a Content-Type announces a form. */
export function isForm(contentType: string | undefined): boolean {
  return contentType !== undefined && FORM_TYPE.test(contentType);
}

/**
 * Reads a form as an object of texts, and passes it to `read`. A repeated name has a list. `json`: the field whose text is JSON, which
 * the object has as a value. Undefined stands for a body that is not UTF-8.
 */
export function readForm<T>(
  text: string | undefined,
  json: string | undefined,
  read: (value: unknown) => T,
): T | Malformed {
  if (text === undefined) return { outcome: 'malformed_json', detail: 'The body is not valid UTF-8.' };
  const fields = new Map<string, unknown[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_FIELDS)
      return { outcome: 'malformed_json', detail: `The form has more than ${MAX_FIELDS} fields.` };
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  // fromEntries makes an own property of `__proto__` too.
  const form = Object.fromEntries(
    Array.from(fields, ([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
  const inner = json === undefined ? undefined : fields.get(json)?.[0];
  if (json === undefined || typeof inner !== 'string') return read(form);
  const parsed = readJson(inner, (value) => ({ outcome: 'json', value }) as const);
  return parsed.outcome === 'json'
    ? read({ ...form, [json]: parsed.value })
    : { ...parsed, detail: `The field ${json} of the form: ${parsed.detail}` };
}
