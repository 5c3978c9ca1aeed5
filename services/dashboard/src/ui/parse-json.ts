import { locateJsonError } from '@sluice/contract/text/json-error';

/** The object of a JSON text that a user has typed, or where it is wrong. */
export function parseJson(
  text: string,
): { readonly value: Record<string, unknown> } | { readonly error: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Record<string, unknown> };
    return { error: 'Not a JSON object. It begins with {.' };
  } catch {
    return { error: `Not valid JSON (${locateJsonError(text)}). Correct it there.` };
  }
}
