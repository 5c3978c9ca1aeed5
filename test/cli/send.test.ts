import { signBody } from '@sluice/signature/sign';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { sluice, sluiceProcess } from './support.ts';
import { MINIMAL, SECRET, useEndpoint } from './use-endpoint.ts';

describe('sluice send', () => {
  const at = useEndpoint();

  for (const [status, code] of [
    [200, 0],
    [503, 75],
  ]) {
    it(`exits with ${code} for ${status} even if its output is not read`, async () => {
      at.reply = { status: Number(status), headers: {}, body: '{}' };
      const args = ['send', ...MINIMAL, '--secret-file', at.secretFile, '--url', at.url];
      const done = await sluiceProcess(args, { unread: true });
      expect(done).to.include({ code, stderr: '' });
    });
  }

  it('escapes control characters in the response, and in an error that quotes an argument', async () => {
    const hostile = 'x\u001b[2J\u009b2J\u202eexe';
    at.reply = { status: 400, headers: {}, body: `no\n${hostile}` };
    const shown = 'x\\u001b[2J\\u009b2J\\u202eexe';
    const secret = ['--secret-file', at.secretFile];
    expect((await at.send([...MINIMAL, ...secret])).stdout).to.equal(`400 Bad Request\nno\n${shown}\n`);
    expect((await at.send([...MINIMAL, ...secret, '--json'])).rows).to.deep.equal([
      { status: 400, body: at.reply.body },
    ]);
    const wrong = await sluice(['send', ...MINIMAL, ...secret, '--url', hostile]);
    expect(wrong.stderr).to.equal(`sluice: --url: ${shown} is not an http or https URL.\n`);
  });

  it('sends the bytes of --body-file unchanged, signed with the time of --timestamp', async () => {
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x0d, 0x0a]);
    const args = ['--secret-file', at.secretFile, '--body-file', '-', '--timestamp', '1790000000'];
    expect((await at.send(args, body)).code).to.equal(0);
    expect(at.received[0]?.body.equals(body)).to.equal(true);
    expect(at.received[0]?.headers).to.include({
      'x-service-timestamp': '1790000000',
      'x-service-signature': signBody({ secret: SECRET, timestamp: '1790000000', body }),
    });
  });

  it('sends every field with a signature over the exact bytes and the current time', async () => {
    const fields = [
      '--ends-at',
      '2026-12-01T20:00:00+01:00',
      '--description',
      'A “look”',
      '--location',
      '渋谷',
      '--event-url',
      'https://example.com/a',
    ];
    const rest = ['--price', '€5', '--recurring', 'weekly', '--status', 'cancelled'];
    const before = Math.floor(Date.now() / 1000);
    await at.send([...MINIMAL, ...fields, ...rest, '--secret-file', at.secretFile]);
    const [request] = at.received;
    expect(request).to.include({ method: 'POST', path: '/api/v1/events/webhook/src_1' });
    expect(JSON.parse(request?.body.toString() ?? '')).to.deep.equal({
      action: 'upsert',
      event: {
        title: 'Open day',
        starts_at: '2026-12-01T18:00:00+01:00',
        ends_at: '2026-12-01T20:00:00+01:00',
        description: 'A “look”',
        location: '渋谷',
        url: 'https://example.com/a',
        price: '€5',
        recurring: 'weekly',
        status: 'cancelled',
      },
    });
    const timestamp = String(request?.headers['x-service-timestamp']);
    expect(Number(timestamp)).to.be.within(before, Math.floor(Date.now() / 1000));
    const signature = signBody({ secret: SECRET, timestamp, body: request?.body ?? Buffer.of() });
    expect(request?.headers).to.include({
      'x-service-signature': signature,
      'content-type': 'application/json',
    });
  });

  for (const action of ['cancel', 'delete']) {
    it(`sends a ${action} with the identity of the event`, async () => {
      await at.send([action, ...MINIMAL.slice(1), '--location', 'Berlin', '--secret-file', at.secretFile]);
      const event = { title: 'Open day', starts_at: '2026-12-01T18:00:00+01:00', location: 'Berlin' };
      expect(JSON.parse(at.received[0]?.body.toString() ?? '')).to.deep.equal({ action, event });
    });
  }

  it('sends a cancel by the external id alone', async () => {
    const [, ...others] = MINIMAL;
    const url = others.slice(others.indexOf('--url'), others.indexOf('--url') + 2);
    await at.send(['cancel', ...url, '--external-id', 'booking-1', '--secret-file', at.secretFile]);
    expect(JSON.parse(at.received[0]?.body.toString() ?? '')).to.deep.equal({
      ...{ action: 'cancel', event: { external_id: 'booking-1' } },
    });
  });

  it('prints status and body', async () => {
    const done = await at.send([...MINIMAL, '--secret-file', at.secretFile]);
    expect(done).to.deep.include({ code: 0, stderr: '', stdout: `200 OK\n${at.reply.body}\n` });
    const json = await at.send([...MINIMAL, '--secret-file', at.secretFile, '--json']);
    expect(json.rows).to.deep.equal([{ status: 200, body: JSON.parse(at.reply.body) }]);
  });

  for (const [name, file] of [
    ['alone', SECRET],
    ['with a newline', `${SECRET}\n`],
    ['with a newline of Windows', `${SECRET}\r\n`],
    ['with two newlines', `${SECRET}\n\n`],
    ['with blanks around it', `\t ${SECRET} \n`],
    ['with a byte order mark', `\uFEFF${SECRET}\n`],
    ['in double quotes', `"${SECRET}"\n`],
    ['in single quotes', `'${SECRET}'`],
    ['in UTF-16, as PowerShell writes it', Buffer.from(`\uFEFF${SECRET}\r\n`, 'utf16le')],
  ] as const) {
    it(`reads the secret from standard input, ${name}`, async () => {
      await at.send([...MINIMAL, '--secret-file', '-', '--timestamp', '1790000000'], file);
      const signature = signBody({
        secret: SECRET,
        timestamp: '1790000000',
        body: at.received[0]?.body ?? Buffer.of(),
      });
      expect(at.received[0]?.headers['x-service-signature']).to.equal(signature);
    });
  }

  for (const [status, code] of [
    [201, 0],
    [302, 1],
    [400, 1],
    [429, 75],
    [500, 75],
    [502, 75],
    [503, 75],
    [504, 75],
  ] as const) {
    it(`exits with ${code} for a ${status} response, and follows no redirect`, async () => {
      at.reply = { status, headers: { 'retry-after': '7', location: '/elsewhere' }, body: '' };
      const done = await at.send([...MINIMAL, '--secret-file', at.secretFile]);
      expect(done.code).to.equal(code);
      expect(done.stdout).to.match(new RegExp(`^${status} `));
      expect(done.stderr).to.contain('7 s');
      expect(at.received).to.have.length(1);
    });
  }

  it('names the endpoint without the password of its URL if it does not respond', async () => {
    const port = await freePort();
    const nobody = `http://proxy:s3cret@127.0.0.1:${port}/x?token=t0ken`;
    const done = await sluice(['send', ...MINIMAL, '--secret-file', at.secretFile, '--url', nobody]);
    expect(done).to.include({ code: 75, stdout: '' });
    expect(done.stderr)
      .to.contain(`http://127.0.0.1:${port}/x:`)
      .and.contain('ECONNREFUSED')
      .and.not.match(/s3cret|t0ken/)
      .and.not.contain(SECRET);
  });
});
