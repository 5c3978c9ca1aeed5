import type { Bundle, ZObject } from 'zapier-platform-core';
import { apiAddress, readList } from '../api';

/** The filters that the user filled in. Throws if there are none, because every record would match. */
export function filledFilters(
  z: ZObject,
  { inputData }: Bundle,
  names: readonly string[],
): Record<string, string> {
  const filled = names.filter((name) => inputData[name]).map((name) => [name, String(inputData[name])]);
  if (filled.length === 0)
    throw new z.errors.Error('Fill in at least one field to find by.', 'no_filter', 400);
  return Object.fromEntries(filled);
}

/** The records that match, newest first. Zapier takes the first. */
export function findRecords(z: ZObject, bundle: Bundle, path: string, filters: Record<string, string>) {
  return readList(z, bundle, path, { ...filters, limit: '25' });
}

/** The record with this id in a list, or an empty list: Zapier offers to create what was not found. */
export async function findById(z: ZObject, bundle: Bundle, path: string, id: string) {
  const response = await z.request({
    url: `${apiAddress(z, bundle)}${path}/${encodeURIComponent(id)}`,
    middlewareData: { allows404: true },
  });
  return response.status === 404 ? [] : [response.data];
}
