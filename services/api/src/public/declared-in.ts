/**
 * The JSON Schema of a query parameter. A parameter arrives as text and is parsed from it; the meta `parameter` of its
 * schema states the type that clients see.
 */
export function declaredIn(property: Record<string, unknown>): Record<string, unknown> {
  const { parameter, ...rest } = property;
  if (typeof parameter !== 'object' || parameter === null) return rest;
  const { description } = rest;
  return { ...parameter, ...(description !== undefined && { description }) };
}
