import { rotatedSecretNote } from '@sluice/contract/account/rotated-secret-note';
import { expect } from 'chai';

describe('contract: the note at a rotated secret', () => {
  const note = (platform: string | null | undefined, keyId: string | null = 'key_1') =>
    rotatedSecretNote({ platform, keyId });

  it('says what n8n, Zapier and Node-RED do', () => {
    expect(note('n8n')).to.match(/^n8n asks [^.]*\.$/);
    expect(note('Zapier')).to.match(/^Zapier asks [^.]*\.$/);
    expect(note('node-red')).to.match(/^Node-RED asks [^.]*\.$/);
  });

  it('says what to do where no API key has the subscription, so that the platform cannot ask', () => {
    expect(note('n8n', null)).to.match(/^n8n cannot ask .* publish it again/);
    expect(note('zapier', null)).to.match(/^Zapier cannot ask .* Switch the Zap off and on/);
  });

  it('is absent for other receivers', () => {
    for (const platform of [null, undefined, '', 'make', 'constructor'])
      expect(note(platform)).to.equal(undefined);
  });
});
