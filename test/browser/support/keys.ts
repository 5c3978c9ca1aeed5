import type { KeyCreated } from '@sluice/dashboard-api/keys';
import type { Page } from 'playwright-core';
import { callAs } from './source.ts';
import type { Person, Stack } from './stack.ts';

export const FULL_KEY = /slc_live_\w{30,}/g;

export async function addKey(
  stack: Stack,
  person: Person,
  name: string,
  extra: object = {},
): Promise<string> {
  const body = { name, scopes: ['webhooks'], ...extra };
  return (await callAs<KeyCreated>(stack, person, 'POST', '/keys', body)).key;
}

export async function fullKeys(page: Page): Promise<string[]> {
  return (await page.content()).match(FULL_KEY) ?? [];
}

export function statuses(urls: readonly string[], key: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}` };
  return Promise.all(
    urls.map(async (url) => (await fetch(`${url}/api/public/automation/me`, { headers })).status),
  );
}
