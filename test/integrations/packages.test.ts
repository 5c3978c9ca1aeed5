import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { version } = JSON.parse(read('integrations/n8n-nodes-sluice/package.json')) as { version: string };
const PLATFORMS = 'services/dashboard/src/pages/integrations/platforms.tsx';

/** The commands for packages that are on no registry, which were run in a fresh clone. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'n8n-nodes-sluice': [
    'npm ci --ignore-scripts && npm run build && npm pack',
    `npm install --prefix ~/.n8n/nodes --omit=peer --ignore-scripts ./n8n-nodes-sluice-${version}.tgz`,
  ],
  'node-red-sluice': ['npm pack', `npm install --prefix ~/.node-red ./node-red-sluice-${version}.tgz`],
};

describe('integrations: the commands that install a package', () => {
  for (const [name, commands] of Object.entries(COMMANDS))
    it(`are the same for ${name} in the docs, its README and the dashboard`, () => {
      for (const path of ['docs/integrations.md', `integrations/${name}/README.md`, PLATFORMS])
        for (const command of commands) expect(read(path), path).to.include(command);
    });
});

describe('integrations: a package', () => {
  for (const folder of ['n8n-nodes-sluice', 'node-red-sluice', 'zapier'])
    it(`${folder} is published with its licence, its source folder and a statement of provenance`, () => {
      const { license, repository, publishConfig } = JSON.parse(read(`integrations/${folder}/package.json`));
      expect(license).to.equal('MIT');
      expect(read(`integrations/${folder}/LICENSE`)).to.contain('MIT');
      expect(repository.directory).to.equal(`integrations/${folder}`);
      expect(publishConfig).to.deep.equal({ access: 'public', provenance: true });
    });
});
