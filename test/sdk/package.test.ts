import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../support/chromium.ts';
import { newFolder } from '../support/folder.ts';
import { use } from '../support/use.ts';
import { serveApi } from './support/served-api.ts';

const run = promisify(execFile);
const ROOT = new URL('../../', import.meta.url).pathname;
const SDK = join(ROOT, 'packages/sdk');

describe('sdk: the package as npm packs it', function () {
  this.timeout(240_000);
  const dir = newFolder();
  const served = use(serveApi);
  let apiKey: string;
  let files: string[];
  before(async () => {
    const packed = await run('npm', ['pack', '--json', '--pack-destination', dir], { cwd: SDK });
    const [{ filename, files: listed }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
    files = listed.map(({ path }: { path: string }) => path);
    await writeFile(join(dir, 'package.json'), '{"name":"user","private":true,"type":"module"}');
    // The oldest compiler that the README names.
    const packages = [`./${filename}`, 'typescript@5.4.5', '@types/node@20'];
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: dir });
    apiKey = await served.addKey(await served.api.addAccount('Acme'));
  });

  it('contains built code with types, licence, README and changelog, and nothing else', () => {
    const others = files.filter((path) => !/^dist\/[\w/-]+(?:\.d\.ts|\.js)$/.test(path));
    expect(others).to.have.members([
      'package.json',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'dist/cjs/package.json',
    ]);
    const code = files.filter((path) => path.endsWith('.js'));
    expect(code.filter((path) => !files.includes(path.replace(/js$/, 'd.ts')))).to.deep.equal([]);
  });

  it('is named once, with licence, engines and provenance, and depends on nothing of the workspace', async () => {
    const manifest = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8'));
    expect(manifest).to.include({ license: 'MIT', type: 'module', sideEffects: false });
    expect(manifest.publishConfig).to.deep.equal({ access: 'public', provenance: true });
    expect(Object.keys(manifest.dependencies)).to.have.members(['openapi-fetch', 'standardwebhooks']);
    expect(manifest.private).to.equal(undefined);
    expect(await readFile(join(SDK, 'src/http.ts'), 'utf8')).to.include(`'${manifest.version}'`);
    const readme = await readFile(join(SDK, 'README.md'), 'utf8');
    const named = [...readme.matchAll(/(?:npm install|from) '?(@[\w/-]+)/g)].map(([, name]) => name);
    expect(new Set(named)).to.deep.equal(new Set([manifest.name]));
    expect(await readFile(join(SDK, 'CHANGELOG.md'), 'utf8')).to.include(`## ${manifest.version}\n`);
    expect(await readFile(join(SDK, 'LICENSE'), 'utf8')).to.equal(
      await readFile(join(ROOT, 'LICENSE'), 'utf8'),
    );
  });

  it('is imported by Node outside of the workspace, and calls a real API', async () => {
    const program = `
      import { createClient } from '@sluice/sdk';
      const sluice = createClient({ baseUrl: process.argv[1], apiKey: process.argv[2] });
      await sluice.leads.create({ name: 'Ada' });
      for await (const { name } of sluice.leads.list()) console.log(name);
    `;
    const args = ['--input-type=module', '-e', program, served.url, apiKey];
    expect((await run(process.execPath, args, { cwd: dir })).stdout).to.equal('Ada\n');
  });

  it('is required by a CommonJS program', async () => {
    const program = `
      const { createClient } = require('@sluice/sdk');
      createClient({ baseUrl: process.argv[1], apiKey: process.argv[2] }).me().then(({ account }) => console.log(account.name));
    `;
    const args = ['--input-type=commonjs', '-e', program, served.url, apiKey];
    const { stdout } = await run(process.execPath, args, { cwd: dir });
    expect(stdout).to.equal('Acme\n');
    const path = "console.log(require.resolve('@sluice/sdk'))";
    expect((await run(process.execPath, ['-e', path], { cwd: dir })).stdout).to.match(
      /dist\/cjs\/index\.js\n$/,
    );
  });

  it('has types that TypeScript 5.4 compiles for both kinds of modules, and that find a misspelt field', async () => {
    const program = (field: string) => `
      import { createClient, type Lead, signEvent, verifyWebhook } from '@sluice/sdk';
      const sluice = createClient({ baseUrl: 'http://localhost', apiKey: 'slc_live_x' });
      export const email = async (): Promise<Lead['email']> => (await sluice.leads.get('lead_1')).${field};
      export const of = (text: string, headers: Headers) => {
        const message = verifyWebhook(text, headers, '');
        return message.type === 'lead.created' ? message.data.stage : message.id;
      };
      export const signed = () => signEvent(new Uint8Array(2), { secret: 'whsec_x' });`;
    await writeFile(join(dir, 'right.mts'), program('email'));
    await writeFile(join(dir, 'right.cts'), program('email'));
    await writeFile(join(dir, 'wrong.mts'), program('emial'));
    const options = '--strict --noEmit --module node16 --target es2022 --lib es2022,dom,dom.iterable';
    const tsc = (...files: string[]) =>
      run(process.execPath, ['node_modules/typescript/bin/tsc', ...options.split(' '), ...files], {
        cwd: dir,
      });
    await tsc('right.mts', 'right.cts');
    const failed = await tsc('wrong.mts').catch(({ stdout }) => stdout);
    expect(failed).to.include("'emial' does not exist");
  });

  it('bundles for browsers without a module of Node, and runs in Chromium', async () => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: "export * from '@sluice/sdk'", resolveDir: dir },
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'sdk',
      minify: true,
      write: false,
      metafile: true,
    });
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported.filter((path) => path.startsWith('node:'))).to.deep.equal([]);
    const code = outputFiles[0]?.text ?? '';
    expect(code.length).to.be.below(40_000);
    const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.route('http://sluice.test/**', (route) =>
        route.fulfill({ body: `<script>${code}</script>` }),
      );
      await page.goto('http://sluice.test/');
      const signed = await page.evaluate(`
        sdk.paginate(async () => ({ data: [1, 2], next_cursor: null, has_more: false })).toArray()
          .then((all) => [all.length, typeof sdk.verifyWebhook, typeof sdk.createClient].join())`);
      expect(signed).to.equal('2,function,function');
    } finally {
      await browser.close();
    }
  });

  it('leaves nothing of the build in the repository but dist', async () => {
    expect((await readdir(SDK)).filter((name) => name.endsWith('.tgz'))).to.deep.equal([]);
  });
});
