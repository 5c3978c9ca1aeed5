import { readFileSync } from 'node:fs';
import { envExample } from '@sluice/runtime/env-example';
import { variables } from '@sluice/runtime/variables';
import { expect } from 'chai';

const accepts = (name: keyof typeof variables, text: string | undefined) =>
  variables[name].safeParse(text).success;

describe('the variables', () => {
  it('are what .env.example in the repository says', () => {
    const committed = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
    expect(committed, 'run: npm run env-example').to.equal(envExample());
  });

  it('have the defaults that scripts rely on', () => {
    expect(variables.INGRESS_PORT.parse(undefined)).to.equal(8080);
    expect(variables.API_PORT.parse(undefined)).to.equal(8081);
    expect(variables.INGRESS_ADMIN_PORT.parse(undefined)).to.equal(9080);
    expect(variables.API_ADMIN_PORT.parse(undefined)).to.equal(9081);
    expect(variables.WORKER_ADMIN_PORT.parse(undefined)).to.equal(9082);
    expect(variables.RATE_LIMIT_PER_SECOND.parse(undefined)).to.equal(100);
    expect(variables.RATE_LIMIT_BURST.parse(undefined)).to.equal(1000);
    expect(variables.DATA_DIR.parse(undefined)).to.equal('./data');
    expect(Object.fromEntries(variables.PLANS.parse(undefined))).to.deep.equal({
      free: 1000,
      pro: 100_000,
      unlimited: null,
    });
  });

  it('refuse numbers that are not written in digits, or out of bounds', () => {
    for (const text of ['-1', '1.5', '1e3', '0x10', '65536', 'http'])
      expect(accepts('INGRESS_PORT', text), text).to.equal(false);
    for (const text of ['0', '8080', '65535']) expect(accepts('INGRESS_PORT', text), text).to.equal(true);
  });

  it('take the addresses of several MongoDB hosts and refuse those of other kinds', () => {
    expect(accepts('MONGO_URL', 'mongodb://a:1,b:2/db?replicaSet=rs')).to.equal(true);
    expect(accepts('MONGO_URL', 'http://localhost')).to.equal(false);
    expect(accepts('REDIS_URL', 'rediss://:pw@host:6380/1')).to.equal(true);
    expect(accepts('REDIS_URL', 'localhost:6379')).to.equal(false);
  });

  it('read TRUST_PROXY as Express does', () => {
    expect(variables.TRUST_PROXY.parse(undefined)).to.equal(false);
    expect(variables.TRUST_PROXY.parse('true')).to.equal(true);
    expect(variables.TRUST_PROXY.parse('2')).to.equal(2);
    expect(variables.TRUST_PROXY.parse('loopback, 10.0.0.0/8')).to.deep.equal(['loopback', '10.0.0.0/8']);
    expect(accepts('TRUST_PROXY', 'yes please')).to.equal(false);
  });

  it('take a secret key of 32 bytes in hex or base64 only', () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
      expect(variables.SLUICE_SECRET_KEY.parse(text).equals(key), text).to.equal(true);
    }
    for (const text of [key.toString('hex').slice(2), `${key.toString('base64')}A`, 'x'.repeat(64)]) {
      expect(accepts('SLUICE_SECRET_KEY', text), text).to.equal(false);
    }
  });
});
