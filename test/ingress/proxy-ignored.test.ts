import { expect } from 'chai';
import { startIngress, type TestIngress } from '../support/ingress.ts';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';

describe('ingress: senders behind a proxy', () => {
  let ingress: TestIngress;
  afterEach(() => ingress?.close());

  async function send(secret?: string): Promise<void> {
    const source = await ingress.addSource();
    const { headers, body } = signed({ secret: secret ?? source.secret, body: upsertBody() });
    await post(ingress.url + source.path, {
      headers: { ...headers, 'x-forwarded-for': '203.0.113.7' },
      body,
    });
  }
  const warnings = (event: string) => ingress.logLines.filter((line) => line.includes(event)).length;

  it('cause one warning while TRUST_PROXY is false, for signed requests only', async () => {
    ingress = await startIngress();
    await send('whsec_wrong');
    expect({ warned: warnings('proxy.ignored'), told: ingress.ingress.ignoresProxy() }).to.deep.equal({
      warned: 0,
      told: false,
    });
    await send();
    await send();
    expect({ warned: warnings('proxy.ignored'), told: ingress.ingress.ignoresProxy() }).to.deep.equal({
      warned: 1,
      told: true,
    });
  });

  it('cause no warning with a trusted proxy, and one at the start if every client is trusted', async () => {
    ingress = await startIngress({ config: { TRUST_PROXY: true } });
    await send();
    expect(warnings('proxy.ignored')).to.equal(0);
    expect(warnings('proxy.believes_all')).to.equal(1);
  });
});
