import { expect } from 'chai';
import { expectFailure, sluice } from './support.ts';
import { MINIMAL, SECRET, useEndpoint } from './use-endpoint.ts';

describe('sluice send', () => {
  const at = useEndpoint();

  for (const [what, args, expected] of [
    ['an action that does not exist', ['upsrt', ...MINIMAL.slice(1)], 'upsert, cancel, delete'],
    ['no action', MINIMAL.slice(1), 'Name the action'],
    ['no title', ['upsert', '--starts-at', '2026-12-01T18:00Z'], '--title: Required'],
    [
      'a start that is not a datetime',
      ['upsert', '--title', 'x', '--starts-at', '1 Dec'],
      '--starts-at: "1 Dec"',
    ],
    ['an end before the start', [...MINIMAL, '--ends-at', '2026-11-01T00:00Z'], '--ends-at: Is before'],
    ['a page that is no URL', [...MINIMAL, '--event-url', 'example.com'], '--event-url: Not an http'],
    ['an unknown recurrence', [...MINIMAL, '--recurring', 'hourly'], '--recurring: Not known'],
    ['an unknown option', [...MINIMAL, '--titel', 'x'], 'Did you mean --title?'],
  ] as const) {
    it(`sends nothing with ${what} (2)`, async () => {
      const done = await at.send([...args, '--secret-file', at.secretFile]);
      expectFailure(done, 2, expected);
      expect(at.received).to.deep.equal([]);
    });
  }

  for (const [what, file, expected] of [
    ['has only blanks and newlines', ' \n\n', 'empty'],
    ['has more lines', `${SECRET}\n${SECRET}\n`, 'more than one line'],
    ['has a variable', `SLUICE_SIGNING_SECRET=${SECRET}`, 'text before whsec_'],
    ['lacks the prefix', SECRET.slice('whsec_'.length), 'does not begin with whsec_'],
    ['has a quote at one end', `${SECRET}"`, 'other characters than letters and digits'],
  ] as const)
    it(`sends nothing when the secret file ${what}, and does not print it (2)`, async () => {
      const done = await at.send([...MINIMAL, '--secret-file', '-'], file);
      expectFailure(done, 2, expected).and.not.contain(SECRET.slice(6));
      expect(at.received).to.deep.equal([]);
    });

  for (const [what, secret, expected] of [
    ['is missing', '/nonexistent', 'ENOENT'],
    ['is empty', '-', 'empty'],
  ] as const) {
    it(`sends nothing when the secret file ${what} (2)`, async () => {
      const done = await at.send([...MINIMAL, '--secret-file', secret]);
      expectFailure(done, 2, expected);
      expect(at.received).to.deep.equal([]);
    });
  }

  it('sends nothing with a timestamp that is not a number (2)', async () => {
    const done = await at.send([...MINIMAL, '--secret-file', at.secretFile, '--timestamp', 'now']);
    expect(done).to.include({ code: 2, stdout: '' });
  });

  it('sends nothing to a URL other than http or https (2)', async () => {
    const done = await sluice(['send', ...MINIMAL, '--secret-file', at.secretFile, '--url', 'ftp://x']);
    expect(done).to.include({ code: 2, stdout: '' });
  });
});
