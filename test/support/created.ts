/** The result of a change that has created something. Throws another one. */
export function created<T extends { readonly status: string }>(
  result: T,
): Extract<T, { readonly status: 'created' }> {
  if (result.status !== 'created') throw new Error(result.status);
  return result as Extract<T, { readonly status: 'created' }>;
}
