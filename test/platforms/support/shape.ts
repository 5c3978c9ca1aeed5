/** Objects whose keys are data, so they differ from record to record. */
const FREE = ['previous', 'fields', 'session'];

/** The paths of all keys of a message. An object that is null in the other message has none. */
export function shapeOf(value: unknown, other: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  if (other === null || FREE.includes(path.split('.').at(-1) ?? '')) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = `${path}.${name}`;
    return [own, ...shapeOf(inner, (other as Record<string, unknown> | undefined)?.[name], own)];
  });
}
