import { defaultPathSerializer } from 'openapi-fetch';

/**
 * The path of a call with its ids. An empty id, a dot or two dots would make it the path of something else: of a list, say.
 * @throws TypeError for such an id, and for one that is missing.
 */
export function serializePath(path: string, ids: Record<string, unknown>): string {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const id = ids?.[name] ?? '';
    if (id === '') throw new TypeError(`${name} is empty. Is the variable set that it is read from?`);
    if (id === '.' || id === '..') throw new TypeError(`${name} is not an id.`);
  }
  return defaultPathSerializer(path, ids);
}
