import { expect } from 'chai';
import { expectFailure, SWITCHES, useInstallation } from './support.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('sluice source', () => {
  const used = useInstallation();

  it('prints exactly the fields that scripts rely on for create', async () => {
    const [source, ...more] = await used.json('source create --name Booking');
    expect(more).to.deep.equal([]);
    expect(Object.keys(source ?? {})).to.deep.equal([
      'source_id',
      'name',
      'endpoint_url',
      'signing_secret',
      'active',
      'created_at',
    ]);
    expect(source).to.include({ name: 'Booking', active: true });
    expect(source?.endpoint_url).to.equal(
      `https://events.example.com/api/v1/events/webhook/${source?.source_id}`,
    );
    expect(source?.signing_secret).to.match(/^whsec_[0-9A-Za-z]{43}$/);
    expect(source?.created_at).to.match(INSTANT);
  });

  it('creates a source in the account demo by default, creates that account if needed, and reports it', async () => {
    const made = await used.run('source create --name Second');
    expect(made.code).to.equal(0);
    expect(made.stderr).to.contain('Account: demo');
    expect(await used.json('account list')).to.have.nested.property('[0].account_id', 'demo');
  });

  it('fails to create a source in an unknown account, and changes nothing', async () => {
    const before = await used.json('source list');
    const made = await used.run('source create --name x --account acc_none');
    expectFailure(made, 1, 'There is no account acc_none');
    expect(await used.json('source list')).to.deep.equal(before);
  });

  it('shows the secret again with show, and a new one with rotate-secret', async () => {
    const [made] = await used.json('source create --name Third');
    expect(await used.json(`source show ${made?.source_id}`)).to.deep.equal([made]);
    const [rotated] = await used.json(`source rotate-secret ${made?.source_id}`);
    expect(rotated).to.deep.equal({ ...made, signing_secret: rotated?.signing_secret });
    expect(rotated?.signing_secret).to.not.equal(made?.signing_secret);
    expect(await used.json(`source show ${made?.source_id}`)).to.deep.equal([rotated]);
  });

  it('accepts the old secret during the overlap of rotate-secret, until end-overlap', async () => {
    const acceptedUntil = async (id: string) => {
      const entry = await used.published(id);
      return entry.state === 'published' ? entry.record.previous_secret?.accepted_until : entry.state;
    };
    const [made] = await used.json('source create --name Overlapping');
    const id = String(made?.source_id);
    const since = Date.now();
    const done = await used.run(`source rotate-secret ${id} --overlap 24h`);
    expect(done.stderr).to.contain('The old secret is accepted until');
    expect(await acceptedUntil(id)).to.be.within(since + 86_400_000, Date.now() + 86_400_000);
    const [shown] = await used.json(`source show ${id}`);
    expect(Date.parse(String(shown?.old_secret_accepted_until))).to.equal(await acceptedUntil(id));
    expect((await used.json(`source end-overlap ${id}`))[0]).to.include({
      source_id: id,
      name: 'Overlapping',
    });
    expect(await acceptedUntil(id)).to.equal(null);
    expect((await used.run(`source end-overlap ${id}`)).stderr).to.contain('There is no overlap');
    expect(await used.run(`source rotate-secret ${id} --overlap 2h`)).to.include({ code: 2, stdout: '' });
  });

  it('applies deactivate and activate before they return', async () => {
    const [made] = await used.json('source create --name Fourth');
    const id = String(made?.source_id);
    for (const [verb, active] of SWITCHES) {
      expect((await used.json(`source ${verb} ${id}`))[0]).to.include({ active, source_id: id });
      expect(await used.published(id)).to.have.nested.include({
        state: 'published',
        'record.active': active,
      });
    }
  });

  it('lists all sources, and never a secret', async () => {
    const listed = await used.run('source list --json');
    expect(listed.rows.map(({ name }) => name)).to.deep.equal([
      'Booking',
      'Second',
      'Third',
      'Overlapping',
      'Fourth',
    ]);
    expect(listed.stdout).to.not.contain('whsec_');
    const table = (await used.run('source list')).stdout;
    expect(table)
      .to.match(/^SOURCE_ID +NAME/)
      .and.not.contain('whsec_');
  });

  it('reports an unknown key for show with another secret key', async () => {
    const [source] = await used.json('source list');
    const done = await used.run(`source show ${source?.source_id}`, {
      env: { SLUICE_SECRET_KEY: 'A'.repeat(43) },
    });
    expectFailure(done, 1, 'SLUICE_SECRET_KEY').and.contain('unknown_key');
  });

  for (const command of ['create --name Other', 'rotate-secret'])
    it(`${command} with another key than the services changes nothing without --lost-key`, async () => {
      const before = await used.json('source list');
      const id = before[0]?.source_id;
      const secretOf = async () => (await used.json(`source show ${id}`))[0]?.signing_secret;
      const args = `source ${command}${command === 'rotate-secret' ? ` ${id}` : ''}`;
      const secret = await secretOf();
      const wrong = { env: { SLUICE_SECRET_KEY: 'A'.repeat(43) } };
      const done = await used.run(args, wrong);
      expectFailure(done, 1, 'SLUICE_SECRET_KEY').and.contain('--lost-key');
      expect(await used.json('source list')).to.deep.equal(before);
      expect(await secretOf()).to.equal(secret);
      expect((await used.run(`${args} --lost-key`, wrong)).code).to.equal(0);
    });
});
