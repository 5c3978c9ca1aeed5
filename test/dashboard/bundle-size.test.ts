import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { firstLoad } from '../../services/dashboard/build/first-load.ts';

const DIST = fileURLToPath(new URL('../../services/dashboard/dist/', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../services/dashboard/src/', import.meta.url));
const FIRST_LOAD_BYTES = 180 * 1024;
/** The README rounds up, so that small changes need no update. */
const SAID_ABOVE_BYTES = 4 * 1024;

describe('dashboard: size of the bundle', () => {
  it('the first load of any page is under 180 KB gzip, and has neither charts, dialogs nor the mapper in it', async () => {
    const pages = await firstLoad(DIST);
    expect(pages.length).to.be.above(8);
    for (const { name, bytes, files } of pages) {
      expect(bytes, name).to.be.below(FIRST_LOAD_BYTES);
      expect(files.join(' '), name).to.not.match(/charts|dialogs|mapping-editor/);
    }
  });

  it('takes dialogs and drawers of Mantine from one file, which loads them later', async () => {
    const files = await readdir(SOURCES, { recursive: true });
    const direct = await Promise.all(
      files
        .filter((file) => /\.tsx?$/.test(file))
        .map(async (file) => {
          const text = await readFile(`${SOURCES}${file}`, 'utf8');
          return /import[^;]*\b(?:Modal|Drawer)\b[^;]*from '@mantine\/core'/.test(text) ? [file] : [];
        }),
    );
    expect(direct.flat()).to.deep.equal(['ui/mantine-dialogs.tsx']);
  });

  it('has a library of schemas for the mapper alone: elsewhere the API checks what the dashboard sends', async () => {
    const withSchemas: string[] = [];
    for (const file of await readdir(`${DIST}assets`)) {
      if (!file.endsWith('.js')) continue;
      if ((await readFile(`${DIST}assets/${file}`, 'utf8')).includes('_zod')) withSchemas.push(file);
    }
    expect(withSchemas.join(' ')).to.match(/^mapping-editor-\S+\.js$/);
  });

  it('takes fields that few pages have from files that bring their styles', async () => {
    for (const file of await readdir(SOURCES, { recursive: true })) {
      if (!/\.tsx$/.test(file)) continue;
      expect(await readFile(`${SOURCES}${file}`, 'utf8'), file).to.not.match(
        /import \{[^}]*\b(?:Checkbox|PasswordInput|Switch)\b[^}]*\} from '@mantine\/core'/,
      );
    }
  });

  it('matches the README', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const said = Object.fromEntries(
      [
        ...readme.matchAll(
          /^\| (Sign-in|Overview|Charts|Conversations|Leads|Recent Deliveries)\b.* \| (\d+) KB \|$/gm,
        ),
      ].map(([, page = '', kilobytes]) => [page, Number(kilobytes) * 1024]),
    );
    const pages = await firstLoad(DIST);
    const bytesOf = (name: string) => pages.find((page) => page.name.endsWith(name))?.bytes;
    const charts = (await readdir(`${DIST}assets`)).find((file) => /^charts-.*\.js$/.test(file));
    const measured = {
      'Sign-in': bytesOf('sign-in-page.tsx'),
      Overview: bytesOf('overview-page.tsx'),
      Conversations: bytesOf('conversations-page.tsx'),
      Charts: gzipSync(await readFile(`${DIST}assets/${charts}`)).length,
      Leads: bytesOf('leads-page.tsx'),
      'Recent Deliveries': Math.max(...pages.map(({ bytes }) => bytes)),
    };
    expect(Object.keys(said)).to.have.members(Object.keys(measured));
    for (const [page, bytes] of Object.entries(measured))
      expect(said[page], page).to.be.within(Number(bytes), Number(bytes) + SAID_ABOVE_BYTES);
  });

  it('contains no inline script or style, and no other host', async () => {
    const html = await readFile(`${DIST}index.html`, 'utf8');
    expect(html).to.not.match(/<script(?![^>]*\bsrc=)/);
    expect(html).to.not.match(/<style|\sstyle=/);
    for (const file of await readdir(`${DIST}assets`)) {
      if (!file.endsWith('.css')) continue;
      expect(await readFile(`${DIST}assets/${file}`, 'utf8'), file).to.not.match(/url\(["']?(https?:)?\/\//);
    }
  });
});
