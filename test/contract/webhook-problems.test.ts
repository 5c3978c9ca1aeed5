import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEMS } from '@sluice/contract/problem';
import { LOGGED_PROBLEMS, WEBHOOK_PROBLEMS } from '@sluice/contract/webhook-problems';
import { expect } from 'chai';
import { ROOT } from '../docs/support.ts';

/** What a request goes through until it is answered. */
const ANSWERING = ['services/ingress/src', 'packages/signature/src'];
/** The answer to a path that is no endpoint. */
const STRAY = 'not_found';

describe('contract: what the webhook refuses with', () => {
  it('is one list, which has every code that the ingress names, and none that it does not', () => {
    const named = new Set(ANSWERING.flatMap(textsIn).flatMap((text) => text.match(/(?<=')\w+(?=')/g) ?? []));
    const refusedWith = Object.keys(PROBLEMS).filter((code) => named.has(code) && code !== STRAY);
    expect([...WEBHOOK_PROBLEMS].sort()).to.deep.equal(refusedWith.sort());
  });

  it('can be filtered by, but for the codes that no source has in its delivery log', () => {
    const never = WEBHOOK_PROBLEMS.filter((code) => !LOGGED_PROBLEMS.includes(code));
    expect(never).to.deep.equal(['bad_request', 'source_not_found', 'internal_error']);
  });
});

function textsIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true }) as string[];
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'));
}
