import { parseRedisUrl } from '@sluice/runtime/config/redis-address';
import { expect } from 'chai';

describe('the address of Redis', () => {
  it('of one server stays unchanged', () => {
    const url = 'redis://:secret@cache:6380/2';
    expect(parseRedisUrl(url)).to.deep.equal({ kind: 'server', url });
  });

  it('of a Cluster lists some nodes, with credentials that may be percent-encoded', () => {
    expect(parseRedisUrl('redis+cluster://a:7000,b,[::1]:7002')).to.deep.equal({
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 6379 },
        { host: '::1', port: 7002 },
      ],
      tls: false,
    });
    expect(parseRedisUrl('rediss+cluster://me:p%40ss@a:7000')).to.deep.equal({
      kind: 'cluster',
      nodes: [{ host: 'a', port: 7000 }],
      username: 'me',
      password: 'p@ss',
      tls: true,
    });
  });

  for (const url of [
    'redis+cluster://',
    'redis+cluster://a:b',
    'redis+cluster://a:1,,b',
    'redis+cluster://a:65536',
    'redis+cluster://me:100%@a:7000',
    'redis+cluster://%ff:secret@a:7000',
    'redis+cluster://a:7000/0',
  ])
    it(`is rejected: ${url}`, () => expect(parseRedisUrl(url)).to.equal(undefined));
});
