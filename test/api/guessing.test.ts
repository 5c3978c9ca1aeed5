import { expect } from 'chai';
import type { Response } from 'supertest';
import { newAddress, PASSWORD, type Person, personOf } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';
import { signIn } from './support/sign-in.ts';

describe('api: guessing passwords', () => {
  const api = useApi();
  let person: Person;
  beforeEach(async () => {
    person = await api.addPerson(await api.addAccount(), 'owner');
  });

  interface Try {
    readonly address?: string;
    readonly device?: string;
    readonly replica?: number;
  }
  const trySignIn = (
    password: string,
    { address = newAddress(), device = '', replica = 0 }: Try = {},
  ): Promise<Response> =>
    signIn(api.replicas[replica]?.app, {
      email: person.me.user.email,
      password,
      headers: { 'x-forwarded-for': address, cookie: device },
    });

  /** The device cookie of a new sign-in. */
  async function newDevice(device?: string): Promise<string> {
    const answer = await trySignIn(PASSWORD, device === undefined ? {} : { device });
    expect(answer.status, answer.text).to.equal(200);
    return deviceOf(answer);
  }

  const deviceOf = ({ headers }: Response) =>
    (
      (headers['set-cookie'] as unknown as string[]).find((one) => one.startsWith('sluice-device=')) ?? ''
    ).split(';')[0] as string;

  async function statusesOf(count: number, attempt: (i: number) => Promise<Response>): Promise<number[]> {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push((await attempt(i)).status);
    return statuses;
  }

  it('is stopped per address after ten attempts, across replicas, without locking out other addresses', async () => {
    const address = newAddress();
    const statuses = await statusesOf(12, (i) => trySignIn(`guess ${i}`, { address, replica: i % 2 }));
    expect(statuses).to.deep.equal([...Array(10).fill(401), 429, 429]);
    expectProblem(await trySignIn(PASSWORD, { address }), 'rate_limited');
    expect((await trySignIn(PASSWORD)).status).to.equal(200);
  });

  it("from the user's own address does not lock out the user's known browser", async () => {
    const device = await newDevice();
    const address = newAddress();
    await statusesOf(40, (i) => trySignIn(`guess ${i}`, { address }));
    expectProblem(await trySignIn(PASSWORD, { address }), 'rate_limited');
    expect((await trySignIn(PASSWORD, { address, device })).status).to.equal(200);
  });

  it('with a device cookie is stopped after ten attempts, and the cookie of another user has no effect', async () => {
    const device = await newDevice();
    const other = await api.addPerson(person.me.account.account_id, 'viewer');
    const borrowed = await statusesOf(12, (i) =>
      signIn(api.app, {
        email: other.me.user.email,
        password: `guess ${i}`,
        headers: { 'x-forwarded-for': '10.9.9.9', cookie: device },
      }),
    );
    expect(borrowed).to.deep.equal([...Array(10).fill(401), 429, 429]);
    expect(await statusesOf(11, (i) => trySignIn(`guess ${i}`, { device }))).to.deep.equal([
      ...Array(10).fill(401),
      429,
    ]);
  });

  it('leaves no email address in Redis, and no device cookie in Redis or MongoDB', async () => {
    const device = await newDevice();
    await statusesOf(2, () => trySignIn('guess', { device }));
    await trySignIn('guess');
    const keys = (await api.redis.keys(`*${api.namespace}*`)).join(' ');
    expect(keys).to.contain('sign-in-pair').and.contain('sign-in-device').and.not.contain('@');
    const stored = JSON.stringify(await api.mongo.db.collection('user_tokens').find().toArray());
    const value = device.split('=')[1] as string;
    expect(value).to.match(/^[\w-]{43}$/);
    expect(stored + keys).to.not.contain(value);
  });

  describe('the device cookie', () => {
    it('is inaccessible to scripts and other sites, and does not sign in', async () => {
      const secure = await signIn(api.app, {
        email: person.me.user.email,
        headers: { 'x-forwarded-proto': 'https' },
      });
      expect(secure.headers['set-cookie']?.[1]).to.match(
        /^__Host-sluice-device=[\w-]{43}; .*Path=\/; .*HttpOnly; Secure; SameSite=Strict$/,
      );
      const device = await newDevice();
      for (const name of ['sluice-device', 'sluice'])
        expectProblem(
          await personOf(api.app, person.me, `${name}=${device.split('=')[1]}`).call('get', '/session'),
          'signed_out',
        );
    });

    it('is replaced at each sign-in, and the previous one becomes invalid', async () => {
      const first = await newDevice();
      const second = await newDevice(first);
      expect(second).to.not.equal(first);
      const address = newAddress();
      await statusesOf(11, (i) => trySignIn(`guess ${i}`, { address }));
      expectProblem(await trySignIn(PASSWORD, { address, device: first }), 'rate_limited');
      expect((await trySignIn(PASSWORD, { address, device: second })).status).to.equal(200);
    });

    it('becomes invalid after a password change, except in the browser that made it', async () => {
      const device = await newDevice();
      const new_password = 'another long password';
      const changed = await person.call('put', '/session/password', {
        current_password: PASSWORD,
        new_password,
      });
      const address = newAddress();
      await statusesOf(11, (i) => trySignIn(`guess ${i}`, { address }));
      expectProblem(await trySignIn(new_password, { address, device }), 'rate_limited');
      expect((await trySignIn(new_password, { address, device: deviceOf(changed) })).status).to.equal(200);
    });
  });
});
