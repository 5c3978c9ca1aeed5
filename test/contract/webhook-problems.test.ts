import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOGGED_PROBLEMS, PROBLEMS, WEBHOOK_PROBLEMS } from '@sluice/contract/problem/problem';
import { expect } from 'chai';
import { ROOT } from '../docs/support.ts';

/** The code that a request passes until its response. */
const ANSWERING = ['services/ingress/src', 'packages/signature/src'];
/** The response to a path that is not an endpoint. */
const STRAY = 'not_found';

describe('contract: the problem codes of the webhook', () => {
  it('are exactly the codes that the ingress names', () => {
    const named = new Set(ANSWERING.flatMap(textsIn).flatMap((text) => text.match(/(?<=')\w+(?=')/g) ?? []));
    const refusedWith = Object.keys(PROBLEMS).filter((code) => named.has(code) && code !== STRAY);
    expect([...WEBHOOK_PROBLEMS].sort()).to.deep.equal(refusedWith.sort());
  });

  it('are filters of the delivery log, except for codes that are never logged', () => {
    const never = WEBHOOK_PROBLEMS.filter((code) => !LOGGED_PROBLEMS.includes(code));
    expect(never).to.deep.equal(['source_not_found', 'bad_request', 'internal_error']);
  });
});

function textsIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true }) as string[];
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'));
}
