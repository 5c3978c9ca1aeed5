import { fileURLToPath } from 'node:url';

/** Vite's output folder. The path is the same from `src` and from the bundle in `dist`. */
export const DASHBOARD_DIR = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
