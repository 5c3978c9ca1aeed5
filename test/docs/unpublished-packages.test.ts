import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { ROOT, readPage } from './support.ts';

/** Our packages. None is on a registry yet, so a stranger could register these names, and would get an API key. */
const NAMES = '(n8n-nodes-sluice|node-red-sluice|zapier-app-sluice|@sluice/sdk|sluice)';
/** Commands and texts that install a package by its name. A path to a folder installs no stranger. */
const BY_NAME = [
  new RegExp(`npm (install|i|pack|exec|view)( -\\S+)* ${NAMES}(?![\\w/-])`),
  new RegExp(`label="Package" text="${NAMES}"`),
  new RegExp(`enter \`${NAMES}\``),
];

const filesIn = (folder: string, ending: string) =>
  readdirSync(ROOT + folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ name }) => `${folder}/${name}`);

const pages = [
  'README.md',
  ...filesIn('docs', '.md'),
  ...[
    'packages/sdk',
    'integrations/n8n-nodes-sluice',
    'integrations/node-red-sluice',
    'integrations/zapier',
  ].map((folder) => `${folder}/README.md`),
  'services/dashboard/src/pages/integrations/platforms.tsx',
];

describe('packages that are on no registry', () => {
  it('are not installed by name on any page', () => {
    const found = pages.flatMap((page) => {
      const text = readPage(page);
      return BY_NAME.flatMap((pattern) => pattern.exec(text)?.[0] ?? []).map((what) => `${page}: ${what}`);
    });
    expect(found).to.deep.equal([]);
  });
});
