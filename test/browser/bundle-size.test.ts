import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { firstLoad } from '../../services/dashboard/build/first-load.ts';

const DIST = fileURLToPath(new URL('../../services/dashboard/dist/', import.meta.url));
const FIRST_LOAD_BYTES = 200 * 1024;

describe('browser: size of the bundle', () => {
  it('the first load of any page is under 200 KB gzip, and has no charts in it', async () => {
    const pages = await firstLoad(DIST);
    expect(pages.length).to.be.above(8);
    for (const { name, bytes, files } of pages) {
      expect(bytes, name).to.be.below(FIRST_LOAD_BYTES);
      expect(files.join(' '), name).to.not.match(/charts/);
    }
  });

  it('holds no inline script or style, and names no other host', async () => {
    const html = await readFile(`${DIST}index.html`, 'utf8');
    expect(html).to.not.match(/<script(?![^>]*\bsrc=)/);
    expect(html).to.not.match(/<style|\sstyle=/);
    for (const file of await readdir(`${DIST}assets`)) {
      if (!file.endsWith('.css')) continue;
      expect(await readFile(`${DIST}assets/${file}`, 'utf8'), file).to.not.match(/url\(["']?(https?:)?\/\//);
    }
  });
});
