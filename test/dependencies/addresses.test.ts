import { readFileSync } from 'node:fs';
import { expect } from 'chai';

type Packages = Record<
  string,
  {
    readonly version?: string;
    readonly integrity?: string;
    readonly resolved?: string;
    readonly link?: boolean;
  }
>;
interface Module {
  withAddresses(lock: { packages: Packages }, registry: string): { packages: Packages };
}

const MODULE = new URL('../../scripts/lib/lockfile.mjs', import.meta.url).href;

describe('dependencies: the addresses of packages during an install', () => {
  it('are those of the registry, also of a scoped, a nested and a renamed package', async () => {
    const { withAddresses } = (await import(MODULE)) as Module;
    const entry = (version: string, more = {}) => ({ version, integrity: 'sha512-AAAA', ...more });
    const packages = {
      '': { version: '0.1.0' },
      'packages/queue': { version: '0.1.0' },
      'node_modules/zod': entry('4.6.7'),
      'node_modules/@mantine/core': entry('9.7.4'),
      'node_modules/bullmq/node_modules/@scope/part': entry('1.0.0'),
      'node_modules/old': entry('2.0.0', { name: 'new' }),
      'node_modules/of-another-platform': { version: '1.0.0' },
    };
    const addressed = withAddresses({ packages }, 'https://registry.example/npm').packages;
    const addresses = Object.entries(addressed).map(([path, { resolved }]) => [path, resolved]);
    expect(Object.fromEntries(addresses)).to.deep.equal({
      '': undefined,
      'packages/queue': undefined,
      'node_modules/zod': 'https://registry.example/npm/zod/-/zod-4.6.7.tgz',
      'node_modules/@mantine/core': 'https://registry.example/npm/@mantine/core/-/core-9.7.4.tgz',
      'node_modules/bullmq/node_modules/@scope/part':
        'https://registry.example/npm/@scope/part/-/part-1.0.0.tgz',
      'node_modules/old': 'https://registry.example/npm/new/-/new-2.0.0.tgz',
      'node_modules/of-another-platform': undefined,
    });
  });

  it('have a hash for each package, also of another platform', () => {
    const file = new URL('../../package-lock.json', import.meta.url);
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Packages };
    const unchecked = Object.entries(packages).filter(
      ([path, { integrity, link }]) => path.includes('node_modules/') && !link && integrity === undefined,
    );
    expect(unchecked.map(([path]) => path)).to.deep.equal([]);
  });

  it('are known for each package of package-lock.json that is installed here', async () => {
    const { withAddresses } = (await import(MODULE)) as Module;
    const read = (path: string) =>
      JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')) as { packages: Packages };
    const { packages } = withAddresses(read('package-lock.json'), 'https://registry.example/');
    // npm leaves what an earlier package-lock.json named.
    const installed = Object.keys(read('node_modules/.package-lock.json').packages).filter(
      (path) => packages[path] !== undefined,
    );
    const outside = installed.filter((path) => path.startsWith('node_modules/@sluice/') === false);
    const unknown = outside.filter(
      (path) => path.includes('node_modules/') && packages[path]?.resolved === undefined,
    );
    expect(unknown).to.deep.equal([]);
  });
});
