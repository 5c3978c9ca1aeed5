import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a file is there, and newer than whatever it was made of: files, and folders with all that is in them. */
export function isNewerThan(file, madeOf) {
  const made = statSync(file, { throwIfNoEntry: false });
  return made !== undefined && madeOf.every((path) => newest(path) < made.mtimeMs);
}

/** When a file, or anything in a folder, last changed. A folder changes when a file is added or taken away. */
function newest(path) {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  const within = readdirSync(path).map((name) => newest(join(path, name)));
  return Math.max(own.mtimeMs, ...within);
}
