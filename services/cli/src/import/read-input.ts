import { readFile as readBytes } from 'node:fs/promises';
import { basename } from 'node:path';
import { IMPORT_MAX_BYTES } from '@sluice/dashboard-api/limits';
import { createAddressPolicy, feedRules } from '@sluice/egress/address-policy';
import { createFetchFeed, FEED_TIMEOUT_MS, readFeed } from '@sluice/import/feed/fetch-feed';
import type { FileRead, ImportTable } from '@sluice/import/read/import-table';
import { readCalendarText, readFile } from '@sluice/import/read/read-file';
import { configuredFeeds } from '../configured.ts';
import { failed, wrongUsage } from '../exit-codes.ts';

/**
 * Reads a file, or fetches a feed, as a table of rows. `zone`: of times in a calendar that name none. Throws if the whole file
 * can't be imported.
 */
export async function readInput(
  env: NodeJS.ProcessEnv,
  input: string,
  zone: string | undefined,
): Promise<ImportTable> {
  const read = /^(?:https?|webcals?):/i.test(input)
    ? await readUrl(env, input, zone)
    : await readFile({ name: basename(input), bytes: await bytesOf(input) }, zone);
  if (read.outcome === 'refused') throw failed(read.why);
  return read.table;
}

async function readUrl(env: NodeJS.ProcessEnv, url: string, zone: string | undefined): Promise<FileRead> {
  const fetchFeed = createFetchFeed({
    mayConnect: createAddressPolicy(feedRules(configuredFeeds(env))),
    maxBytes: IMPORT_MAX_BYTES,
    timeoutMs: FEED_TIMEOUT_MS,
  });
  const read = await readFeed(fetchFeed, url);
  return read.outcome === 'refused'
    ? { outcome: 'refused', why: read.detail }
    : readCalendarText({ name: read.host, ...read }, zone);
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readBytes(path);
  } catch (error) {
    throw wrongUsage(`The file cannot be read: ${(error as Error).message}`);
  }
}
