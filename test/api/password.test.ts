import { checkPassword, hashPassword, PASSWORD_COST } from '@sluice/api/password/password';
import { createSignIn, type SignInDeps } from '@sluice/api/session/sign-in';
import type { User } from '@sluice/store/users/users';
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

  it('take as long to check for an unknown email address as for a known one', async () => {
    const cost = { logN: 15, r: 8, p: 1 };
    const known = { password_hash: await hashPassword('secret words', cost) } as User;
    const users = { findUserByEmail: async (email: string) => (email === 'known' ? known : undefined) };
    const deps = {
      users,
      passwordCost: cost,
      throttle: { signIn: async () => ({ outcome: 'allowed', asker: 'stranger' }) },
    };
    const trySignIn = createSignIn(deps as unknown as SignInDeps);
    const timeFor = async (email: string) => {
      const before = process.cpuUsage();
      await trySignIn({ email, password: 'a guess' }, {} as Request, {} as Response);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    // The hash to compare with is computed once.
    await timeFor('nobody');
    const least = Math.min(await timeFor('known'), await timeFor('known'), await timeFor('known'));
    expect(await timeFor('nobody')).to.be.above(least / 2);
  });

  it('match no malformed hash', async () => {
    for (const stored of ['', 'plain', '$scrypt$ln=4,r=8,p=1$$', '$argon2id$v=19$m=1$abc$def'])
      expect(await checkPassword('', stored)).to.equal(false);
  });
});
