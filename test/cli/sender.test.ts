import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRESETS, senderOf } from '@sluice/signature/presets/presets';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { sluice, useInstallation } from './support.ts';
import { MINIMAL, useEndpoint } from './use-endpoint.ts';

const PASTED = 'whsec_a-secret-of-the-platform';

describe('sluice source sender', () => {
  const used = useInstallation();
  const create = async () => String((await used.json('source create --name Booking'))[0]?.source_id);
  const shown = async (id: string) => (await used.json(`source show ${id}`))[0];
  const entries = async (id: string) => {
    const { items } = await used.store.auditLog.pageEntries({ account_id: 'demo', limit: 100 });
    return items.filter(({ target }) => target.id === id).map(({ action, detail }) => [action, detail]);
  };

  it('stores and publishes a preset with a pasted secret, and audits it without the secret', async () => {
    const id = await create();
    const done = await used.run(`source sender ${id} --preset stripe --secret-stdin --json`, {
      stdin: `${PASTED}\n`,
    });
    expect(done.code, done.stderr).to.equal(0);
    expect(done.rows[0]).to.include({ source_id: id, sender: 'stripe' });
    expect(done.stderr).to.contain('ends with form');
    expect(done.stdout + done.stderr).not.to.contain(PASTED);
    expect((await shown(id))?.signing_secret).to.equal(PASTED);
    // Without a rule: only an admin knows what a date is to them.
    const sender = { ...senderOf('stripe'), mapping: '{"rules":[]}', mapping_version: 1 };
    expect((await used.store.sources.findSource(id))?.sender).to.deep.equal(sender);
    const published = await used.published(id);
    expect(published).to.have.nested.property('record.sender').that.deep.equals(sender);
    expect(published).to.have.nested.property('record.version', 2);
    expect((await entries(id))[1]).to.deep.equal([
      'source.sender_changed',
      'stripe, with a new secret, mapping version 1',
    ]);
  });

  it('keeps a secret that the sender can use, and makes one where it cannot', async () => {
    const id = await create();
    const before = (await shown(id))?.signing_secret;
    await used.json(`source sender ${id} --preset github`);
    expect((await shown(id))?.signing_secret).to.equal(before);
    const [made] = await used.json(`source sender ${id} --preset standard-webhooks`);
    const secret = String(made?.signing_secret);
    expect((await shown(id))?.signing_secret).to.equal(secret);
    // The library reads no other form.
    expect(() => new Webhook(secret)).not.to.throw();
    const [rotated] = await used.json(`source rotate-secret ${id}`);
    expect(() => new Webhook(String(rotated?.signing_secret))).not.to.throw();
  });

  it('returns to the scheme of Sluice, with a secret of its form', async () => {
    const id = await create();
    await used.run(`source sender ${id} --preset stripe --secret-stdin`, { stdin: PASTED });
    const [row] = await used.json(`source sender ${id} --preset sluice`);
    expect(row).not.to.have.property('sender');
    expect(row?.signing_secret).to.match(/^whsec_[0-9A-Za-z]{43}$/);
    expect(await used.published(id)).not.to.have.nested.property('record.sender');
  });

  it('rotates a pasted secret with an overlap', async () => {
    const id = await create();
    await used.run(`source sender ${id} --preset stripe --secret-stdin`, { stdin: PASTED });
    const stdin = 'the next secret of the platform';
    await used.json(`source rotate-secret ${id} --secret-stdin --overlap 1h`, { stdin });
    expect(await shown(id))
      .to.include({ signing_secret: stdin })
      .and.have.property('old_secret_accepted_until');
  });

  it('rejects a wrong secret, a wrong profile and a pasted secret without a sender, and changes nothing', async () => {
    const id = await create();
    const before = await used.store.sources.findSource(id);
    const file = join(process.env.TMPDIR ?? '/tmp', `sluice-profile-${process.pid}.json`);
    await writeFile(file, JSON.stringify({ kind: 'hmac', header: 'X', encoding: 'hex', signed: ['{time}'] }));
    for (const [args, stdin, code, expected] of [
      ['sender ID --preset stripe --secret-stdin', 'short', 1, '12 to 512'],
      ['sender ID --preset stripe --secret-stdin', 'two\nlines of text', 1, 'line break'],
      ['sender ID --preset standard-webhooks --secret-stdin', PASTED, 1, 'not base64 after whsec_'],
      [`sender ID --profile ${file}`, '', 2, '/signed: Lacks {body}'],
      ['sender ID', '', 2, '--preset'],
      ['sender ID --preset acuity', '', 2, 'Allowed choices'],
      ['rotate-secret ID --secret-stdin', PASTED, 1, 'Choose its sender first'],
    ] as const) {
      const done = await used.run(`source ${args.replace('ID', id)}`, { stdin });
      expect(done.code, args).to.equal(code);
      expect(done.stderr).to.contain(expected);
      expect(done.stderr).not.to.contain(PASTED);
    }
    expect(await used.store.sources.findSource(id)).to.deep.equal(before);
  });
});

describe('sluice source mapping', () => {
  const used = useInstallation();
  const mapping = { rules: [{ do: 'upsert', event: { title: { at: '/name' }, starts_at: { at: '/at' } } }] };
  const set = (id: string, options: string, stdin: unknown = mapping) =>
    used.run(`source mapping ${id} ${options} --json`, { stdin: JSON.stringify(stdin) });

  it('stores, publishes, audits and removes it, for a source with another sender only', async () => {
    const [made] = await used.json('source create --name Booking');
    const id = String(made?.source_id);
    const early = await set(id, '--file -');
    expect(early).to.include({ code: 1 });
    expect(early.stderr).to.contain('Choose another first');
    await used.json(`source sender ${id} --preset hmac`);
    expect((await set(id, '--file -')).code).to.equal(0);
    const published = await used.published(id);
    const stored = { ...mapping, rules: [{ ...mapping.rules[0], when: [] }] };
    const text = published.state === 'published' ? published.record.sender?.mapping : undefined;
    expect(JSON.parse(String(text))).to.deep.equal(stored);
    const { items } = await used.store.auditLog.pageEntries({ account_id: 'demo', limit: 100 });
    expect(items[0]).to.include({ action: 'source.mapping_changed', detail: 'version 1, 1 rules' });
    expect(JSON.parse((await used.run(`source mapping ${id}`)).stdout)).to.deep.equal(stored);
    expect((await set(id, '--remove')).code).to.equal(0);
    expect((await used.store.sources.findSource(id))?.sender).not.to.have.property('mapping');
    expect((await used.run(`source mapping ${id}`)).stderr).to.contain('has no mapping');
  });

  it('keeps an own one while the preset stays, and returns to that of the preset', async () => {
    const [made] = await used.json('source create --name Booking');
    const id = String(made?.source_id);
    const stored = async () => (await used.store.sources.findSource(id))?.sender;
    const use = (preset: string) => used.json(`source sender ${id} --preset ${preset}`);
    await use('calendly');
    expect(await stored()).to.deep.equal({ ...senderOf('calendly'), mapping_version: 1 });
    await set(id, '--file -');
    const own = (await stored())?.mapping;
    await use('calendly');
    expect(await stored()).to.include({ mapping: own, mapping_version: 2 });
    await set(id, '--remove');
    expect(await stored()).to.include({ mapping: senderOf('calendly').mapping, mapping_version: 3 });
    await use('cal-com');
    expect(await stored()).to.include({ mapping: senderOf('cal-com').mapping, mapping_version: 4 });
    await use('hmac');
    expect(await stored()).not.to.have.property('mapping');
  });

  it('rejects a wrong one with a pointer, and tries one without a change', async () => {
    const [made] = await used.json('source create --name Booking');
    const id = String(made?.source_id);
    await used.json(`source sender ${id} --preset github`);
    const wrong = await set(id, '--file -', { rules: [{ do: 'upsert' }] });
    expect(wrong).to.include({ code: 2, stdout: '' });
    expect(wrong.stderr).to.contain('--file: /rules/0/event/title: Required');
    const received_at = Date.now();
    const row = {
      source_id: id,
      account_id: 'demo',
      received_at,
      action: null,
      title: null,
      http_status: 400,
    };
    const unknown = { sequence: null, event_id: null, duplicate_of: null, reason: 'x', count: 1 };
    const kept = { content_type: '', user_agent: '', timestamp: '', signature_start: '', bytes: 9 };
    const bodies = ['{"name":"Yoga","at":"2027-03-01T10:00Z"}', '{"name":"Yoga"}', 'no JSON'];
    await used.store.deliveries.insertDeliveries(
      bodies.map((body, n) => ({
        ...{
          ...row,
          ...unknown,
          delivery_id: `dlv_${id}_${n}`,
          request_id: `req_${n}`,
          received_at: received_at - n,
        },
        ...{ outcome: 'rejected' as const, code: 'validation_failed' as const, request: { ...kept, body } },
      })),
    );
    const before = await used.store.sources.findSource(id);
    const { rows } = await set(id, '--file - --try 10');
    expect(rows.map(({ outcome, title }) => [outcome, title])).to.deep.equal([
      ['action', 'Yoga'],
      ['failed', null],
      ['failed', null],
    ]);
    expect(rows[1]?.detail).to.contain('starts_at (/at): Required');
    expect(await used.store.sources.findSource(id)).to.deep.equal(before);
  });
});

describe('sluice send and verify --preset', () => {
  const at = useEndpoint();

  it('sign like the sender, the same way for the same time', async () => {
    at.reply = { status: 200, headers: {}, body: '{}' };
    const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`;
    const file = join(at.dir, 'pasted');
    await writeFile(file, `${secret}\n`);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const args = [
      ...MINIMAL,
      '--preset',
      'standard-webhooks',
      '--secret-file',
      file,
      '--timestamp',
      timestamp,
    ];
    for (let i = 0; i < 2; i++) expect((await at.send(args)).code).to.equal(0);
    const [first, again] = at.received.slice(-2);
    const headers = first?.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(String(first?.body), headers)).not.to.throw();
    expect(again?.headers['webhook-id']).to.equal(headers['webhook-id']);
    const lines = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap((name) => [
      '--header',
      `${name}: ${headers[name]}`,
    ]);
    const verify = (stdin: string) =>
      sluice(['verify', '--preset', 'standard-webhooks', '--secret-file', file, ...lines], { stdin });
    expect((await verify(String(first?.body))).code).to.equal(0);
    const changed = await verify(`${first?.body} `);
    expect(changed.code).to.equal(1);
    expect(changed.stdout).to.contain('does not match');
  });

  it('send a made-up body of the platform if no action is named', async () => {
    at.reply = { status: 200, headers: {}, body: '{}' };
    expect((await at.send(['--preset', 'calendly', '--secret-file', at.secretFile])).code).to.equal(0);
    const { body, headers } = at.received.at(-1) ?? {};
    expect(JSON.parse(String(body))).to.include({ event: 'invitee.created' });
    expect(headers).to.have.property('calendly-webhook-signature');
    const none = await at.send(['--preset', 'github', '--secret-file', at.secretFile]);
    expect(none).to.include({ code: 2 });
    expect(none.stderr).to.contain('Name the action');
  });

  it('name a header that is missing', async () => {
    const file = join(at.dir, 'token');
    await writeFile(file, 'a token of a sender');
    const done = await sluice(['verify', '--preset', 'github', '--secret-file', file], { stdin: '{}' });
    expect(done).to.include({ code: 1 });
    expect(done.stdout).to.contain('X-Hub-Signature-256 is missing');
    const right = signAs(PRESETS.token.verify, {
      secret: 'a token of a sender',
      body: Buffer.from(''),
      id: '',
      nowMs: 0,
    });
    const line = `Authorization: ${right.Authorization}`;
    const passed = await sluice(['verify', '--preset', 'token', '--header', line, '--secret-file', file], {
      stdin: '{}',
    });
    expect(passed.code).to.equal(0);
  });
});
