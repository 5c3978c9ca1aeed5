import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const FOLDER = new URL('../../integrations/node-red-sluice/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
const description = JSON.parse(read('package.json'));

describe('integrations: the package node-red-sluice', () => {
  it('has what Node-RED asks of a package', () => {
    expect(description.keywords).to.include('node-red');
    expect(description['node-red'].version).to.equal('>=4.0.0');
    for (const version of Object.values(description.dependencies))
      expect(version).to.match(/^\d+\.\d+\.\d+$/);
    expect(read('package-lock.json')).not.to.match(/"resolved"/);
  });

  it('has a form and help for every node', () => {
    for (const [name, script] of Object.entries<string>(description['node-red'].nodes)) {
      const html = read(script.replace('.js', '.html'));
      expect(html).to.include(`data-help-name="${name}"`).and.to.include(`data-template-name="${name}"`);
      expect(html).to.include(`RED.nodes.registerType('${name}'`);
    }
  });

  it('is packed with its nodes, contract, example and documents, and nothing else', () => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: fileURLToPath(FOLDER),
      encoding: 'utf8',
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    const scripts = Object.values<string>(description['node-red'].nodes);
    expect(paths).to.include.members([
      ...['LICENSE', 'README.md', 'contract.json', 'package.json', 'examples/leads-to-debug.json'],
      ...scripts.flatMap((script) => [script, script.replace('.js', '.html')]),
    ]);
    const others = paths.filter(
      (path) => !/^((lib|nodes|examples)\/|(LICENSE|README\.md|contract\.json|package\.json)$)/.test(path),
    );
    expect(others).to.deep.equal([]);
  });
});
