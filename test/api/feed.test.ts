import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFeedUrl } from '@sluice/import/feed/fetch-feed';
import { expect } from 'chai';
import { selfSigned, signedByUnknown } from '../faults/support/self-signed.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { FEED } from '../support/feed-server.ts';
import { useApi } from '../support/use-api.ts';
import { detailOf, fetcher, useFeedServers } from './support/feed.ts';

describe('api: fetching a feed', () => {
  const serve = useFeedServers();

  it('allows http, https and webcal without credentials, on web or unprivileged ports', () => {
    const read = (text: string) => {
      const result = readFeedUrl(text);
      return result.outcome === 'url' ? result.url.href : result.outcome;
    };
    expect(read('webcal://example.com/a.ics#x')).to.equal('https://example.com/a.ics');
    expect(read(' https://example.com:8443/a?key=1 ')).to.equal('https://example.com:8443/a?key=1');
    for (const text of [
      'ftp://example.com/',
      'file:///etc/passwd',
      'data:text/calendar,x',
      'example.com',
      'gopher://x/',
    ])
      expect(read(text), text).to.equal('refused');
    for (const text of [
      'https://me:pw@example.com/',
      'https://me@example.com/',
      'http://example.com:25/',
      'http://x:22/',
    ])
      expect(read(text), text).to.equal('refused');
    expect(JSON.stringify(readFeedUrl('https://me:pw@example.com/secret'))).not.to.match(/pw|secret|me:/);
  });

  it('fetches a feed once, and returns it unchanged', async () => {
    const { port, asked } = await serve();
    const fetched = await fetcher()(`http://feed.test:${port}/private-123/a.ics`);
    expect(fetched.outcome === 'fetched' && fetched.bytes.toString()).to.equal(FEED);
    expect(fetched).to.include({ host: `feed.test:${port}` });
    expect(asked).to.deep.equal(['GET /private-123/a.ics']);
  });

  it('never connects to an internal address, whether by name, by number or by redirect', async () => {
    const inside = await serve(undefined, '127.0.0.2');
    const outside = await serve((request, response) => {
      const to = request.url === '/number' ? '127.0.0.2' : 'inside.test';
      response.writeHead(302, { location: `http://${to}:${inside.port}/` }).end();
    });
    const fetch = fetcher();
    for (const url of [
      `http://inside.test:${inside.port}/`,
      `http://127.0.0.2:${inside.port}/`,
      `http://feed.test:${outside.port}/number`,
      `http://feed.test:${outside.port}/name`,
    ])
      expect(detailOf(await fetch(url)), url).to.match(/private or special network/);
    expect(outside.asked).to.have.length(2);
    expect(inside.asked).to.deep.equal([]);
  });

  it('connects to the address that was checked, even if the name resolves differently a moment later', async () => {
    const inside = await serve(undefined, '127.0.0.2');
    const { port, asked } = await serve();
    let times = 0;
    const resolve = async () => {
      times += 1;
      return [{ address: times === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const fetch = fetcher({ resolve });
    expect((await fetch(`http://rebinding.test:${port}/`)).outcome).to.equal('fetched');
    expect(times).to.equal(1);
    expect(asked).to.have.length(1);
    expect(detailOf(await fetch(`http://rebinding.test:${inside.port}/`))).to.match(/private or special/);
    const both = async () => ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    expect(detailOf(await fetcher({ resolve: both })(`http://both.test:${port}/`))).to.match(
      /private or special/,
    );
    expect(inside.asked).to.deep.equal([]);
  });

  it('follows at most three redirects', async () => {
    const { port, asked } = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end(FEED);
      else response.writeHead(301, { location: `/${left - 1}` }).end();
    });
    expect((await fetcher()(`http://feed.test:${port}/3`)).outcome).to.equal('fetched');
    expect(asked).to.deep.equal(['GET /3', 'GET /2', 'GET /1', 'GET /0']);
    expect(detailOf(await fetcher()(`http://feed.test:${port}/9`))).to.match(/more than 3 times/);
  });

  it('reports what to do if a feed is too large, too slow, compressed, missing or cut off', async () => {
    const { port } = await serve((request, response) => {
      switch (request.url) {
        case '/says-large':
          response.writeHead(200, { 'content-length': 2_000_000 }).flushHeaders();
          return;
        case '/large': {
          const more = () =>
            void (response.write('x'.repeat(65_536)) ? setImmediate(more) : response.once('drain', more));
          more();
          return;
        }
        case '/compressed':
          response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
          return;
        case '/gone':
          response.writeHead(404).end();
          return;
        case '/login':
          response.writeHead(401).end();
          return;
        case '/busy':
          response.writeHead(503).end();
          return;
        case '/hang-up':
          response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy());
          return;
        default:
          response.write('BEGIN:');
      }
    });
    const fetch = fetcher();
    const said = async (path: string) => detailOf(await fetch(`http://feed.test:${port}${path}`));
    expect(await said('/says-large')).to.match(/larger than 1 MB/);
    expect(await said('/large')).to.match(/larger than 1 MB/);
    expect(await said('/compressed')).to.match(/compressed feed that cannot be unpacked/);
    expect(await said('/gone')).to.match(/answered 404.*Check that the address is right/);
    expect(await said('/login')).to.match(/answered 401.*needs no login/);
    expect(await said('/busy')).to.match(/answered 503.*Try again later/);
    expect(await said('/hang-up')).to.match(/connection to feed\.test:\d+ failed/);
    expect(detailOf(await fetch('http://nowhere.test/'))).to.match(/no host nowhere\.test/);
    const slow = await fetcher({ timeoutMs: 200 })(`http://feed.test:${port}/never-ends`);
    expect(detailOf(slow)).to.match(/within 0\.2 seconds/);
    const never = fetcher({ timeoutMs: 200, resolve: () => new Promise(() => {}) });
    expect((await never('http://feed.test/')).outcome).to.equal('refused');
  });

  for (const [what, certificate, detail] of [
    ['is not valid', selfSigned, /The TLS certificate of feed\.test:\d+ is not valid/],
    [
      'nobody known has signed',
      signedByUnknown,
      /The TLS certificate of feed\.test:\d+ cannot be verified: the server may not send its whole chain/,
    ],
  ] as const)
    it(`names a certificate that ${what}`, async () => {
      const server = createServer(certificate('feed.test'), (_request, response) => response.end(FEED));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        expect(detailOf(await fetcher()(`https://feed.test:${port}/`))).to.match(detail);
      } finally {
        server.close();
      }
    });

  describe('through the API', () => {
    const api = useApi();

    it('rejects this machine unless the installation allows it, and keeps the URL out of logs and errors', async () => {
      const { port, asked } = await serve();
      const owner = await api.addPerson(await api.addAccount(), 'owner');
      const url = `http://localhost:${port}/private-secret.ics?key=hidden`;
      const answer = await owner.call('post', '/events/import/feed', { url });
      expectProblem(answer, 'feed_unreadable');
      expect(answer.body.detail).to.match(/FEED_ALLOW/);
      expect(asked).to.deep.equal([]);
      expect(answer.text + api.logLines.join('')).not.to.match(/private-secret|hidden/);
    });

    const open = useApi({ config: { FEED_ALLOW: ['127.0.0.1'] } });
    it('shows nothing that stands before the calendar, and rejects content that begins one only later', async () => {
      const warning = '<b>Warning</b>: hidden in <b>feed.php</b><br />\r\n';
      const texts: Record<string, string> = {
        '/feed': `\uFEFF\n${FEED}`,
        '/warning': warning + FEED,
        '/comment': `<!-- hidden -->${FEED}`,
        '/page': warning.repeat(100) + FEED,
      };
      const { port } = await serve((request, response) => response.end(texts[request.url ?? '']));
      const read = (path: string) =>
        open.owner.call('post', '/events/import/feed', { url: `http://127.0.0.1:${port}${path}` });
      expect((await read('/feed')).body).to.deep.include({ text: `\n${FEED}`, decoding: [] });
      const { text, decoding } = (await read('/warning')).body;
      expect(text).to.equal(`\r\n${FEED}`);
      expect(decoding.join()).to.match(/^Text before BEGIN:VCALENDAR was passed over/);
      expect((await read('/comment')).body.text).to.equal(FEED);
      const refused = await read('/page');
      expectProblem(refused, 'feed_unreadable');
      expect(refused.text).not.to.contain('hidden');
    });

    it('is limited per account, across replicas', async () => {
      const owner = await api.addPerson(await api.addAccount(), 'owner');
      const call = () => owner.call('post', '/events/import/feed', { url: 'ftp://x/' });
      for (let i = 0; i < 20; i++) expectProblem(await call(), 'feed_unreadable');
      // Another attempt is allowed every half minute, and a busy machine may need that long for the first twenty.
      let over = await call();
      while (over.status !== 429) over = await call();
      expectProblem(over, 'rate_limited');
      expect(over.headers['retry-after']).to.match(/^\d+$/);
    });
  });
});
