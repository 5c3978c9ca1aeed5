import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

interface Report {
  readonly output: string;
  readonly engine: string;
  readonly since: number;
}
const MODULE = new URL('../../scripts/compose/report.mjs', import.meta.url).href;
const { writeReport }: { writeReport(page: string, report: Report): Promise<void> } = await import(MODULE);

const PAGE = `# A page

<!-- Written by \`npm run test:compose -- --report\` -->
an older run
<!-- End of the report -->

## Behind it
`;

describe('the report of `npm run test:compose`', () => {
  let folder: string;
  let page: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-report-'));
    page = join(folder, 'page.md');
  });
  after(() => rm(folder, { recursive: true }));
  const report = { engine: 'podman 4.3.1', since: Date.parse('2026-11-27T23:10:00Z') };

  it('replaces the older one, and nothing else of the page', async () => {
    await writeFile(page, PAGE);
    for (const output of ['\n  first\n', '\n\n  a suite   \n\n\n    ✔ a test\n1 passed, 0 failed\n'])
      await writeReport(page, { ...report, output });
    const text = await readFile(page, 'utf8');
    expect(text).to.match(/podman 4\.3\.1\. Started at 2026-11-27T23:10Z, took \d+ minutes/);
    expect(text).to.include('```text\na suite\n\n    ✔ a test\n1 passed, 0 failed\n```');
    expect(text).to.not.match(/older run|first/);
    const [before = '', after = ''] = [text.split('<!--')[0], text.split('-->').at(-1)];
    expect(before + after).to.equal('# A page\n\n\n\n## Behind it\n');
  });

  it('is not written into a page without its two lines', async () => {
    await writeFile(page, '# Another page\n');
    const error = await writeReport(page, { ...report, output: '' }).catch((reason: Error) => reason);
    expect(String(error)).to.include('has no line <!-- Written by');
    expect(await readFile(page, 'utf8')).to.equal('# Another page\n');
  });
});
