import type { Bundle, ZObject } from 'zapier-platform-core';
import { apiAddress, readList } from '../api';

/** The inputs of a search. */
export interface Inputs {
  /** The input with the ID of the record. */
  readonly id: string;
  /** The filters that name one person. */
  readonly identities: readonly string[];
  readonly others: readonly string[];
}

/**
 * Finds records by what the user filled in, newest first. Zapier takes the first.
 *
 * An identity that is mapped may come out empty, as the email of a form that has none. Then nothing is found, unless another
 * identity is filled in: the other filters alone would find strangers.
 */
export async function find(z: ZObject, bundle: Bundle, path: string, inputs: Inputs) {
  const { id, identities, others } = inputs;
  const { inputData } = bundle;
  if (isFilled(inputData[id])) return findById(z, bundle, path, String(inputData[id]).trim());
  const names = [...identities, ...others].filter((name) => isFilled(inputData[name]));
  const isNamed = names.some((name) => identities.includes(name));
  if (!isNamed && [id, ...identities].some((name) => isMapped(bundle, name))) return [];
  if (names.length === 0)
    throw new z.errors.Error('Fill in at least one field to find by.', 'no_filter', 400);
  // The API reads a phone number that begins with a space as one with a bare plus.
  const filters = Object.fromEntries(names.map((name) => [name, String(inputData[name]).trim()]));
  return readList(z, bundle, path, { ...filters, limit: '25' });
}

/** The record with this id in a list, or an empty list: Zapier offers to create what was not found. */
async function findById(z: ZObject, bundle: Bundle, path: string, id: string) {
  const response = await z.request({
    url: `${apiAddress(z, bundle)}${path}/${encodeURIComponent(id)}`,
    middlewareData: { allows: 404 },
  });
  return response.status === 404 ? [] : [response.data];
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && String(value).trim() !== '';
}

/** Whether the user mapped or typed something into an input: Zapier has it before and after it fills in values. */
function isMapped({ inputData, inputDataRaw }: Bundle, name: string): boolean {
  return inputDataRaw === undefined ? inputData[name] === '' : isFilled(inputDataRaw[name]);
}
