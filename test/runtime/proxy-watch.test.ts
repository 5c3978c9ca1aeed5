import { HOUR_MS } from '@sluice/contract/time/durations';
import { createProxyWatch } from '@sluice/runtime/http/proxy-watch';
import { expect } from 'chai';

const FORWARDED = { 'x-forwarded-for': '203.0.113.7' };

function watch(trustProxy: boolean | number) {
  const events: string[] = [];
  let at = 0;
  const logger = { warn: (fields: { event: string }) => events.push(fields.event) };
  const watched = createProxyWatch({ trustProxy, logger: logger as never, now: () => at });
  return { ...watched, events, pass: (ms: number) => (at += ms) };
}

describe('runtime: client addresses that a proxy names', () => {
  it('are reported once an hour while TRUST_PROXY is false, until an hour after the last', () => {
    const { saw, isIgnoring, events, pass } = watch(false);
    saw({});
    expect({ events, ignoring: isIgnoring() }).to.deep.equal({ events: [], ignoring: false });
    for (let n = 0; n < 5; n++) saw(FORWARDED);
    expect({ events, ignoring: isIgnoring() }).to.deep.equal({ events: ['proxy.ignored'], ignoring: true });
    pass(HOUR_MS - 1);
    expect(isIgnoring()).to.equal(true);
    pass(1);
    expect(isIgnoring()).to.equal(false);
    saw(FORWARDED);
    expect(events).to.have.length(2);
  });

  for (const trusted of [1, 0])
    it(`are not reported with TRUST_PROXY=${trusted}`, () => {
      const { saw, isIgnoring, events } = watch(trusted);
      saw(FORWARDED);
      expect({ events, ignoring: isIgnoring() }).to.deep.equal({ events: [], ignoring: false });
    });

  it('cause a warning at the start with TRUST_PROXY=true, which trusts any address', () => {
    const { saw, isIgnoring, events } = watch(true);
    saw(FORWARDED);
    expect({ events, ignoring: isIgnoring() }).to.deep.equal({
      events: ['proxy.believes_all'],
      ignoring: false,
    });
  });
});
