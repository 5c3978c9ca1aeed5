import type { RouteDeps } from '@sluice/api/parts';
import { checkPassword, hashPassword, PASSWORD_COST } from '@sluice/api/parts/password';
import { createSignIn } from '@sluice/api/session/sign-in';
import { expect } from 'chai';
import type { Request, Response } from 'express';

describe('api: passwords', () => {
  const cheap = { logN: 4, r: 8, p: 1 };

  it('are stored as scrypt with the cost that OWASP recommends, each with a separate salt', async () => {
    expect(PASSWORD_COST).to.deep.equal({ logN: 15, r: 8, p: 3 });
    const [one, two] = [
      await hashPassword('secret words', PASSWORD_COST),
      await hashPassword('secret words', cheap),
    ];
    expect(one).to.match(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one.split('$')[3]).not.to.equal(two.split('$')[3]);
    expect(await checkPassword('secret words', one)).to.equal(true);
    expect(await checkPassword('secret words', two)).to.equal(true);
  });

  it('match however their characters are composed, and only then', async () => {
    const stored = await hashPassword('caf\u00e9 au lait', cheap);
    expect(await checkPassword('cafe\u0301 au lait', stored)).to.equal(true);
    expect(await checkPassword('cafe au lait', stored)).to.equal(false);
    expect(await checkPassword('', stored)).to.equal(false);
  });

  it('are checked by strangers two at a time, twenty wait, and a session or known browser goes before them', async () => {
    const stored = await hashPassword('secret words', cheap);
    const ended: string[] = [];
    const check = (asker: 'stranger' | 'known') =>
      checkPassword('a guess', stored, asker).then(
        () => void ended.push(asker),
        (error: Error) => void ended.push(error.name),
      );
    const strangers = Array.from({ length: 40 }, () => check('stranger'));
    await Promise.all([...strangers, check('known')]);
    expect(ended.filter((one) => one === 'HashesWaitingError')).to.have.length(18);
    expect(ended.filter((one) => one === 'stranger')).to.have.length(22);
    expect(ended.slice(ended.indexOf('known'))).to.have.length.above(15);
  });

  it('are hashed for an unknown email address as for a known one, so that both wait for their turn', async () => {
    const stored = await hashPassword('secret words', cheap);
    const deps = {
      users: {
        findUserByEmail: async (email: string) => (email === 'known' ? { password_hash: stored } : undefined),
      },
      passwordCost: cheap,
      throttle: { signIn: async () => ({ outcome: 'allowed', asker: 'stranger' }) },
    };
    const trySignIn = createSignIn(deps as unknown as RouteDeps);
    // The hash to compare with is made once.
    await trySignIn({ email: 'nobody', password: '' }, {} as Request, {} as Response);
    for (const email of ['known', 'nobody']) {
      const tries = Array.from({ length: 40 }, () =>
        trySignIn({ email, password: 'a guess' }, {} as Request, {} as Response).catch(({ name }) => name),
      );
      const waited = (await Promise.all(tries)).filter((one) => one === 'HashesWaitingError');
      expect(waited, email).to.have.length(18);
    }
  });

  it('match no malformed hash', async () => {
    for (const stored of ['', 'plain', '$scrypt$ln=4,r=8,p=1$$', '$argon2id$v=19$m=1$abc$def'])
      expect(await checkPassword('', stored)).to.equal(false);
  });
});
