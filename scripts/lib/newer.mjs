import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether files exist and are newer than their sources: files, and folders with their contents. */
export function areNewerThan(files, madeOf) {
  const changed = Math.max(...madeOf.map(newest));
  return files.every((file) => changed < (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

/** When a file, or anything in a folder, last changed. A folder changes when a file is added or removed. */
function newest(path) {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  const within = readdirSync(path).map((name) => newest(join(path, name)));
  return Math.max(own.mtimeMs, ...within);
}
