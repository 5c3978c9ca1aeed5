import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { readCalendarText } from '@sluice/import/read/read-file';
import { expect } from 'chai';
import { FEED } from '../support/feed-server.ts';
import { useApi } from '../support/use-api.ts';
import { detailOf, fetcher, useFeedServers } from './support/feed.ts';

describe('api: feeds as servers send them', () => {
  const serve = useFeedServers();

  it('unpacks a feed that is compressed without being asked, within the limit of its size', async () => {
    const { port } = await serve((request, response) => {
      const encoding = request.url?.slice(1) ?? '';
      const body = encoding === 'bomb' ? Buffer.alloc(2 * 1024 * 1024, 'x') : Buffer.from(FEED);
      response.setHeader('content-encoding', encoding === 'bomb' ? 'gzip' : encoding);
      switch (encoding) {
        case 'br':
          return response.end(brotliCompressSync(body));
        case 'deflate':
          return response.end(deflateSync(body));
        case '':
          return response.end(body);
        default:
          return response.end(gzipSync(body));
      }
    });
    for (const encoding of ['gzip', 'x-gzip', 'br', 'deflate', '']) {
      const fetched = await fetcher()(`http://feed.test:${port}/${encoding}`);
      expect(fetched.outcome === 'fetched' && fetched.bytes.toString(), encoding).to.equal(FEED);
    }
    expect(detailOf(await fetcher()(`http://feed.test:${port}/bomb`))).to.match(/larger than 1 MB/);
    expect(detailOf(await fetcher()(`http://feed.test:${port}/zstd-unknown`))).to.match(
      /unknown compression/,
    );
  });

  it('returns the charset that the response names', async () => {
    const { port } = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/calendar; charset="iso-8859-1"' }).end(FEED),
    );
    expect(await fetcher()(`http://feed.test:${port}/`)).to.include({ charset: 'iso-8859-1' });
  });

  const open = useApi({ config: { FEED_PRIVATE_NETWORKS: true } });
  it('names the lines that are not UTF-8, as of a file', async () => {
    const latin1 = Buffer.from(`\n${FEED.replace('From', 'Gr\u00fc\u00dfe from')}`, 'latin1');
    const { port } = await serve((_, response) => response.end(latin1));
    const url = `http://127.0.0.1:${port}/feed`;
    const { body } = await open.owner.call('post', '/events/import/feed', { url });
    expect(body.decoding).to.deep.equal([
      'Line 4 is not UTF-8, and read as Windows-1252. Check the letters.',
    ]);
    const { name, text, decoding } = { name: 'feed', ...body };
    const read = await readCalendarText({ name, text, decoding }, 'Europe/Berlin');
    expect(read.outcome === 'read' && read.table.calendar?.notes).to.deep.equal(body.decoding);
  });

  it('fetches webcal over http where the host has no https', async () => {
    const { port, asked } = await serve();
    expect((await fetcher()(`webcal://feed.test:${port}/a.ics`)).outcome).to.equal('fetched');
    expect(asked).to.deep.equal(['GET /a.ics']);
    expect(detailOf(await fetcher()(`https://feed.test:${port}/a.ics`))).to.match(/connection to/);
  });
});
