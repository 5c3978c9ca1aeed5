import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import type { Express } from 'express';
import supertest from 'supertest';
import { newAddress, PASSWORD } from '../../support/api.ts';

interface SignIn {
  readonly email: string;
  readonly password?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Signs in by a password. The default is that of all users of these tests, from a new address. */
export function signIn(app: Express | undefined, { email, password = PASSWORD, headers = {} }: SignIn) {
  return supertest(app as Express)
    .post(`${DASHBOARD_API}/session`)
    .set({ 'x-forwarded-for': newAddress(), ...headers })
    .send({ email, password });
}

/** Uses the link of an invitation, or of a first owner, from a new address. */
export function useLink(
  app: Express,
  link: Readonly<Record<'token' | 'email', string>> & { name?: string; password?: string },
) {
  return supertest(app)
    .post(`${DASHBOARD_API}/welcome`)
    .set('x-forwarded-for', newAddress())
    .send({ name: 'New', password: PASSWORD, ...link });
}
