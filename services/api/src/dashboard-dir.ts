import { fileURLToPath } from 'node:url';

/** Where Vite puts the dashboard; the same number of folders up from `src` and from the bundle in `dist`. */
export const DASHBOARD_DIR = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
