/** Finds the stored bodies of rejected requests that are about a conversation. Pure. */

/** The characters that have a meaning in a regular expression are taken literally. */
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A regular expression that finds each body with this external id as a value, also if the sender escapes characters. It finds other
 * bodies too: see `isAbout`.
 */
export function mentionOf(externalId: string): string {
  const text = `"\\s*${Array.from(externalId, spellings).join('')}\\s*"`;
  // A request with a number in the place of the id is rejected, and its body is stored.
  return /^\d+$/.test(externalId) ? `${text}|[:,\\[\\s]${externalId}[,\\]}\\s]` : text;
}

/** A character as JSON may have it: itself or its short form, or `\uXXXX` for each of its code units. */
function spellings(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const forms = [JSON.stringify(character).slice(1, -1), ...(character === '/' ? ['\\/'] : [])].map(escaped);
  return `(?:${[...forms, units.map(codeUnit).join('')].join('|')})`;
}

function codeUnit(unit: number): string {
  const digits = unit.toString(16).padStart(4, '0');
  return `\\\\u${digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
}

/**
 * Whether a body that `mentionOf` finds is about the conversation. One that names another conversation is not. One that names none,
 * or is no JSON, may be.
 */
export function isAbout(body: string, externalId: string): boolean {
  const named = namedIn(body);
  return named === undefined || named === externalId;
}

function namedIn(body: string): string | undefined {
  try {
    const named: unknown = JSON.parse(body)?.conversation?.external_id;
    return typeof named === 'string' || typeof named === 'number' ? String(named).trim() : undefined;
  } catch {
    return undefined;
  }
}
