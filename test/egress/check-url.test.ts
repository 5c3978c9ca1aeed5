import { type AddressRules, createAddressPolicy, createHttpPolicy } from '@sluice/egress/address-policy';
import { type CheckUrlSettings, checkTargetUrl } from '@sluice/egress/check-url';
import { expect } from 'chai';

const PUBLIC = '93.184.215.14';
const settings = (more: Partial<CheckUrlSettings> = {}): CheckUrlSettings => ({
  mayConnect: createAddressPolicy({ allowPrivate: false }),
  mayUseHttp: () => false,
  resolve: async (name) => {
    const addresses = {
      'example.com': [PUBLIC],
      'inside.test': ['10.0.0.1'],
      'both.test': [PUBLIC, '10.0.0.1'],
    }[name];
    if (addresses === undefined) throw new Error('ENOTFOUND');
    return addresses.map((address) => ({ address, family: 4 }));
  },
  ...more,
});
const rules = (of: AddressRules) => ({
  mayConnect: createAddressPolicy(of),
  mayUseHttp: createHttpPolicy(of),
});
const outcomeOf = async (url: string, more: Partial<CheckUrlSettings> = {}) => {
  const checked = await checkTargetUrl(url, settings(more));
  return checked.outcome === 'url' ? checked.url.href : checked.code;
};

describe('egress: the URL of a receiver', () => {
  for (const [url, outcome] of [
    [' https://EXAMPLE.com/hook?x=1 ', 'https://example.com/hook?x=1'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    [`https://${PUBLIC}/`, `https://${PUBLIC}/`],
    ['http://example.com/', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['example.com/hook', 'not_a_url'],
    [`https://example.com/${'x'.repeat(2000)}`, 'not_a_url'],
    ['https://me:pw@example.com/', 'credentials'],
    ['https://me@example.com/', 'credentials'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com/\ud800', 'not_a_url'],
    ['javascript:alert(1)', 'scheme'],
    ['/replies', 'not_a_url'],
    ['https://example.com:25/', 'port'],
    ['https://inside.test/', 'address'],
    ['https://both.test/', 'address'],
    ['https://127.0.0.1/', 'address'],
    ['https://[::1]/', 'address'],
    ['https://2130706433/', 'address'],
    ['https://nowhere.test/', 'unknown_host'],
  ] as const) {
    it(`${url.slice(0, 40)} is ${outcome.slice(0, 40)}`, async () => {
      expect(await outcomeOf(url)).to.equal(outcome);
    });
  }

  it('never repeats a URL in what it says, because a URL may be a secret', async () => {
    const checked = await checkTargetUrl('https://me:hidden@example.com/hidden', settings());
    expect(JSON.stringify(checked)).not.to.match(/hidden/);
  });

  it('names the setting for private hosts where http or the address is rejected', async () => {
    for (const [url, named] of [
      ['http://localhost:5678/webhook/1', true],
      ['https://127.0.0.1/', true],
      ['ftp://example.com/', false],
    ] as const) {
      const checked = await checkTargetUrl(url, settings());
      const detail = checked.outcome === 'refused' ? checked.detail : '';
      expect(detail.includes('OUTBOUND_ALLOW'), url).to.equal(named);
    }
  });

  it('allows http and private networks where the installation does', async () => {
    const open = rules({ allowPrivate: true });
    expect(await outcomeOf('http://127.0.0.1:8080/', open)).to.equal('http://127.0.0.1:8080/');
    expect(await outcomeOf('http://inside.test/', open)).to.equal('http://inside.test/');
    expect(await outcomeOf('http://169.254.169.254/', open)).to.equal('address');
  });

  it('allows a host that an operator has listed, by name or network, also with http', async () => {
    for (const allow of [['inside.test'], ['10.0.0.0/8']]) {
      const listed = rules({ allowPrivate: false, allow });
      expect(await outcomeOf('http://inside.test/', listed)).to.equal('http://inside.test/');
      expect(await outcomeOf('http://example.com/', listed)).to.equal('scheme');
      expect(await outcomeOf('http://nowhere.test/', listed)).to.equal('scheme');
      expect(await outcomeOf('https://127.0.0.1/', listed)).to.equal('address');
    }
  });

  it('does not refuse a URL whose name server is slow, because each connection checks the address', async () => {
    const resolve = () => new Promise<never>(() => {});
    expect(await outcomeOf('https://slow.test/', { resolve, timeoutMs: 10 })).to.equal('https://slow.test/');
  });
});
