import { readFileSync } from 'node:fs';
import { envExample } from '@sluice/runtime/config/env-example';
import { variables } from '@sluice/runtime/config/variables';
import { expect } from 'chai';
import express from 'express';

const accepts = (name: keyof typeof variables, text: string | undefined) =>
  variables[name].safeParse(text).success;

describe('the variables', () => {
  it('are the ones of .env.example in the repository', () => {
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

  it('reject numbers that are out of range or not written in digits', () => {
    for (const text of ['-1', '1.5', '1e3', '0x10', '65536', 'http'])
      expect(accepts('INGRESS_PORT', text), text).to.equal(false);
    for (const text of ['0', '8080', '65535']) expect(accepts('INGRESS_PORT', text), text).to.equal(true);
  });

  it('accept the addresses of several MongoDB hosts, and reject other schemes', () => {
    expect(accepts('MONGO_URL', 'mongodb://a:1,b:2/db?replicaSet=rs')).to.equal(true);
    expect(accepts('MONGO_URL', 'http://localhost')).to.equal(false);
    expect(accepts('REDIS_URL', 'rediss://:pw@host:6380/1')).to.equal(true);
    expect(accepts('REDIS_URL', 'localhost:6379')).to.equal(false);
  });

  it('accept the addresses of a mail server and a sender, and reject line breaks', () => {
    for (const text of ['smtps://u:p%2Fw@mail.example.com', 'smtp://localhost:2525?requireTLS=false'])
      expect(accepts('SMTP_URL', text), text).to.equal(true);
    for (const text of ['mail.example.com', 'http://mail.example.com', 'smtp://a b', 'smtp://h:99999'])
      expect(accepts('SMTP_URL', text), text).to.equal(false);
    for (const text of ['sluice@example.com', 'Sluice at work <sluice@example.com>'])
      expect(accepts('MAIL_FROM', text), text).to.equal(true);
    for (const text of ['sluice', 'a@b\r\nBcc: c@d', 'A <a@b>, C <c@d>', 'A\n <a@b>', 'a@b, c@d'])
      expect(accepts('MAIL_FROM', text), text).to.equal(false);
  });

  it('accept hosts, addresses and networks to allow, and name an entry that is none or is never allowed', () => {
    const parsed = variables.OUTBOUND_ALLOW.parse(' n8n, *.internal.example,10.2.0.0/16,fd00::1 ');
    expect(parsed).to.deep.equal(['n8n', '*.internal.example', '10.2.0.0/16', 'fd00::1']);
    expect(variables.FEED_ALLOW.parse(undefined)).to.deep.equal([]);
    const problemOf = (text: string) => variables.OUTBOUND_ALLOW.safeParse(text).error?.issues[0]?.message;
    for (const entry of ['http://n8n', 'n8n:5678', '10.2.0.0/33', '10.2', 'a b', '*', '*.*.example'])
      expect(problemOf(`n8n,${entry}`)).to.include(`${entry} is no host name`);
    for (const entry of ['169.254.0.0/16', 'fe80::/10', '0.0.0.0/0', '224.0.0.0/4', '100.100.100.200'])
      expect(problemOf(entry)).to.include('never allowed');
    expect(problemOf('a,'.repeat(101))).to.include('at most 100');
  });

  it('read TRUST_PROXY as Express does', () => {
    expect(variables.TRUST_PROXY.parse(undefined)).to.equal(false);
    expect(variables.TRUST_PROXY.parse('true')).to.equal(true);
    expect(variables.TRUST_PROXY.parse('2')).to.equal(2);
    expect(variables.TRUST_PROXY.parse('loopback, 10.0.0.0/8')).to.deep.equal(['loopback', '10.0.0.0/8']);
    expect(accepts('TRUST_PROXY', 'yes please')).to.equal(false);
  });

  // A library gets every accepted value. It would throw at these, some with the whole URL in the error.
  for (const [name, texts] of Object.entries({
    REDIS_URL: [
      'redis://:pa/ss@h:1',
      'redis://:p#ss@h',
      'redis://:p@ss/1ss@h',
      'redis://:p@ss?ss@h',
      'redis://:p@h#ss@h',
      'redis://:p%ss@h',
      'redis://h:port',
      'redis://h:99999',
    ],
    MONGO_URL: [
      'mongodb://u:p@ss@h',
      'mongodb://u:p/ss@h',
      'mongodb://u:p@ss/w0rdss@h:1/x',
      'mongodb://u:p@h?ss@h',
      'mongodb://u:p%ss@h',
      'mongodb://h:port',
      'mongodb://h/%',
    ],
    SMTP_URL: ['smtp://u:p@h/ss@h', 'smtp://u:p@h?ss@h'],
    EVENTS_URL: ['http://a b', 'https://%%', 'http://h:99999'],
    TRUST_PROXY: ['10.0.0.0/99', '300.1.1.1', '1.2.3.4.5', '10.0.0.0/8,1.2.3'],
  } as const))
    it(`reject an unusable ${name} without repeating it`, () => {
      for (const text of texts) {
        const read = variables[name as keyof typeof variables].safeParse(text);
        expect(read.success, text).to.equal(false);
        expect(read.error?.message).to.not.contain(text).and.not.contain('ss@');
      }
    });

  it('accept unusual values that are valid', () => {
    for (const [name, ...texts] of [
      [
        'REDIS_URL',
        'redis://[::1]:6379',
        'redis://:pa%2Fss@h',
        'redis://:p@ss@h/3',
        'redis://h/',
        'redis://h?family=6',
        'redis://:s@h/0?name=a@b',
      ],
      [
        'MONGO_URL',
        'mongodb://[::1]:1,h/db',
        'mongodb://u:p%40ss@h',
        'mongodb://u:$&+!*=@h?w=1',
        'mongodb://u:s@h/?appName=a@b',
        'mongodb+srv://u@h/',
      ],
      ['MONGO_URL', 'mongodb://%2Ftmp%2Fmongodb.sock/db'],
      ['TRUST_PROXY', '::1,fc00::/7', 'loopback, 10.0.0.0/8', '10.1.2.3'],
    ] as const)
      for (const text of texts) expect(accepts(name, text), text).to.equal(true);
  });

  it('reject as TRUST_PROXY the values that Express rejects', () => {
    const takes = (text: string) => {
      try {
        express().set('trust proxy', text.split(','));
        return true;
      } catch {
        return false;
      }
    };
    for (const text of [
      ...[
        '10.0.0.1',
        '10.0.0.0/8',
        '10.0.0.0/32',
        '::1',
        'fd00::/8',
        '::ffff:10.0.0.0/104',
        '::/128',
        'fe80::1%eth0',
      ],
      ...['linklocal', 'uniquelocal', 'loopback,10.0.0.1,fd00::/8'],
      ...[
        '10.0.0.0/33',
        '10.0.0.0/0',
        '10.0.0.0/',
        '10.0.0.0/8/8',
        '::1/129',
        '1.2.3',
        '10.0.0.256',
        '.',
        ':',
      ],
      ...['a.b', 'loopback/8', 'loopback,10.0.0.300', 'localhost'],
    ])
      expect(accepts('TRUST_PROXY', text), text).to.equal(takes(text));
  });

  it('accept only a secret key of 32 bytes in hex or base64', () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
      expect(variables.SLUICE_SECRET_KEY.parse(text).equals(key), text).to.equal(true);
    }
    const [hex, base64] = [key.toString('hex'), key.toString('base64')];
    for (const text of [
      ...[hex.slice(2), `${hex}0`, `0${hex}`, 'x'.repeat(64)],
      ...[`${base64}A`, `A${base64}`, `${base64.slice(0, 42)}=`],
    ]) {
      expect(accepts('SLUICE_SECRET_KEY', text), text).to.equal(false);
    }
  });
});
