import { DEVICE_COOKIE, SESSION_COOKIE } from '@sluice/api/browser/cookie';
import { expect } from 'chai';
import { useApi } from '../support/use-api.ts';

type Request = Parameters<typeof SESSION_COOKIE.read>[0];

const request = (cookie: string | undefined, secure = false) =>
  ({
    secure,
    app: { get: () => undefined },
    headers: cookie === undefined ? {} : { cookie },
  }) as unknown as Request;

describe('api: a cookie', () => {
  for (const [header, value] of [
    [undefined, undefined],
    ['', undefined],
    [';', undefined],
    ['sluice=a', 'a'],
    ['sluice=', ''],
    ['other=x; sluice=a; more=y', 'a'],
    ['other=x;sluice=a;more=y', 'a'],
    [' sluice = a ', 'a'],
    ['sluice=a; sluice=b', 'a'],
    ['flag; sluice=a', 'a'],
    ['sluice=a=b==', 'a=b=='],
    ['sluice=%41%zz', '%41%zz'],
    ['sluice="a"', '"a"'],
    ['__proto__=x; sluice=a', 'a'],
    ['xsluice=x; sluice-device=y; Sluice=z', undefined],
    ['sluicex', undefined],
    ['constructor', undefined],
  ] as const) {
    it(`reads ${JSON.stringify(value)} from ${JSON.stringify(header)}`, () => {
      expect(SESSION_COOKIE.read(request(header))).to.equal(value);
    });
  }

  const api = useApi({ config: { API_URL: 'https://sluice.example.com' } });
  it('binds it to TLS where API_URL is https, also behind a proxy that forwards no scheme', async () => {
    expect(api.owner.cookie).to.match(/^__Host-sluice=/);
    await api.owner.read('/session');
    const { headers } = await api.owner.call('delete', '/session');
    expect(headers['set-cookie']?.[0]).to.include('Secure');
  });

  it('reads over TLS the name with the prefix only', () => {
    expect(SESSION_COOKIE.read(request('sluice=a; __Host-sluice=b', true))).to.equal('b');
    expect(SESSION_COOKIE.read(request('sluice=a', true))).to.equal(undefined);
    expect(DEVICE_COOKIE.read(request('__Host-sluice-device=c; sluice=a', true))).to.equal('c');
  });
});
