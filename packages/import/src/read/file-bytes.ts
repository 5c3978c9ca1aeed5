import { IMPORT_MAX_BYTES } from '@sluice/dashboard-api/limits';
import { type FileRefused, refused } from './import-table.ts';

/** A file that is not in memory yet, such as a browser's. */
export interface UnreadFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}

export function tooLarge(bytes: number): FileRefused | undefined {
  if (bytes <= IMPORT_MAX_BYTES) return undefined;
  return refused(`The file is larger than ${IMPORT_MAX_BYTES / 1024 / 1024} MB. Split it.`);
}

/** Reads a file into memory, unless it is too large. A folder that was dropped looks like a file, and cannot be read. */
export async function bytesOfFile(
  file: UnreadFile,
): Promise<FileRefused | { outcome: 'bytes'; bytes: Uint8Array }> {
  const large = tooLarge(file.size);
  if (large !== undefined) return large;
  try {
    return { outcome: 'bytes', bytes: new Uint8Array(await file.arrayBuffer()) };
  } catch {
    return refused(
      `“${file.name}” cannot be read. It may be a folder, open in another program, or changed since you chose it. Close it there, then choose it again.`,
    );
  }
}
