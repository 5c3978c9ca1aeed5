import { expect } from 'chai';
import { useInstallation } from './support.ts';

describe('sluice source', () => {
  const used = useInstallation();
  before(() => used.json('source create --name Booking'));

  for (const command of ['create --name Other', 'rotate-secret']) {
    it(`${command} with another key than the services changes nothing without --lost-key`, async () => {
      const before = await used.json('source list');
      const id = before[0]?.source_id;
      const args = `source ${command}${command === 'rotate-secret' ? ` ${id}` : ''}`;
      const secret = await secretOf(id);
      const wrong = { env: { SLUICE_SECRET_KEY: 'A'.repeat(43) } };
      const done = await used.run(args, wrong);
      expect(done).to.include({ code: 1, stdout: '' });
      expect(done.stderr).to.contain('SLUICE_SECRET_KEY').and.contain('--lost-key');
      expect(await used.json('source list')).to.deep.equal(before);
      expect(await secretOf(id)).to.equal(secret);
      expect((await used.run(`${args} --lost-key`, wrong)).code).to.equal(0);
    });
  }

  async function secretOf(id: unknown): Promise<unknown> {
    return (await used.json(`source show ${id}`))[0]?.signing_secret;
  }
});
