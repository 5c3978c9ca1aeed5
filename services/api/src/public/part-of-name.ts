import * as z from 'zod';

/** The query parameter `q` of lists that menus show. */
export const partOfName = z
  .string()
  .max(200)
  .optional()
  .meta({ description: 'A part of the name, without case. Empty: all.' });

/** Returns a filter for names. Without `q` it passes all. */
export function hasPartOfName(q = ''): (named: { readonly name: string }) => boolean {
  const part = q.trim().toLowerCase();
  return ({ name }) => name.toLowerCase().includes(part);
}
