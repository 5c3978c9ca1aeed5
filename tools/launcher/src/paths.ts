import { fileURLToPath } from 'node:url';

/** The root is as many folders above `src` as above `dist`. */
const root = new URL('../../../', import.meta.url);

/** The entry point of a compiled workspace, such as `services/worker`. */
export function mainOf(workspace: string): string {
  return fileURLToPath(new URL(`${workspace}/dist/main.js`, root));
}
