import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EVENT_FIELDS } from '@sluice/contract/event/event-fields';
import { requestSchema } from '@sluice/contract/event/request-schema';
import { customFields } from '@sluice/contract/lead/lead-fields';
import { LEAD_MAX } from '@sluice/contract/lead/lead-limits';
import { fixOf } from '@sluice/contract/problem/fixes';
import { PROBLEMS } from '@sluice/contract/problem/problem';
import { JOB_OPTIONS } from '@sluice/queue/catalog';
import { variables } from '@sluice/runtime/config/variables';
import { PRESETS } from '@sluice/signature/presets/presets';
import { expect } from 'chai';
import * as z from 'zod';
import { openApiDocument } from '../../services/api/src/docs/openapi.ts';
import { PUBLIC_ROUTES } from '../../services/api/src/public/routes.ts';
import { REFUSALS } from '../../services/ingress/src/answer/refusal.ts';
import { anchors, codeBlocks, inlineCode, PAGES, PRESET_PAGES, ROOT, readPage } from './support.ts';

describe('the documentation', () => {
  it('has a page of at most 40 lines for each platform with a preset, which senders.md links', () => {
    const platforms = Object.keys(PRESETS).filter((name) => !['hmac', 'token', 'basic'].includes(name));
    expect(PRESET_PAGES).to.have.members(platforms.map((name) => `docs/senders/${name}.md`));
    const table = readPage('docs/senders.md');
    for (const name of platforms) expect(table).to.contain(`[\`${name}\`](senders/${name}.md)`);
    for (const page of PRESET_PAGES) expect(readPage(page).split('\n').length - 1, page).to.be.at.most(40);
  });

  for (const page of PAGES) {
    it(`${page} links only to existing files`, () => {
      const links = [...readPage(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
        ([, link]) => link as string,
      );
      const local = links.filter((link) => !/^https?:/.test(link));
      expect(local.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).to.deep.equal([]);
    });

    it(`${page} links only to existing headings`, () => {
      const links = [...readPage(page).matchAll(/\]\(([^)#\s]*)#([^)]+)\)/g)];
      const local = links.filter(([, link = '']) => link === '' || link.endsWith('.md'));
      const missing = local.filter(
        ([, link = '', anchor = '']) =>
          !anchors(link === '' ? page : join(dirname(page), link)).includes(anchor),
      );
      expect(missing.map(([link]) => link)).to.deep.equal([]);
    });

    it(`${page} names only existing files`, () => {
      const named = inlineCode(page).filter((code) =>
        /^(packages|services|tools|test|docs|scripts|bench)\/[\w./-]+$/.test(code),
      );
      expect(named.filter((path) => !existsSync(ROOT + builtFrom(path)))).to.deep.equal([]);
    });

    it(`${page} names only variables that Sluice reads`, () => {
      const named = [...inlineCode(page), ...codeBlocks(page, 'sh')].flatMap(
        (code) => code.match(NAME_OF_VARIABLE) ?? [],
      );
      const known = [...Object.keys(variables), ...OTHER_VARIABLES, ...KINDS_OF_PLATFORMS];
      expect(named.filter((name) => !known.includes(name))).to.deep.equal([]);
    });
  }

  it('has a paragraph for every error code, which begins with its status', () => {
    const paragraphs = [...readPage('docs/errors.md').matchAll(/^### (\w+)\n\n(\d+)\. /gm)];
    const documented = paragraphs.map(([, code, status]) => [code, Number(status)]);
    const answered = Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]);
    expect(documented).to.have.deep.members(answered);
  });

  it('has no error code that is never sent', () => {
    expect(Object.keys(PROBLEMS).filter((code) => !isNamedIn(code, ANSWERING_CODE))).to.deep.equal([]);
  });

  it('shows senders an accepted body', () => {
    const [body = ''] = codeBlocks('docs/sending-events.md', 'json');
    expect(requestSchema.safeParse(JSON.parse(body))).to.include({ success: true });
  });

  it('tells senders on every page to retry with the same request, which has one effect', () => {
    const { paths } = openApiDocument({ eventsUrl: '', apiUrl: '' }, PUBLIC_ROUTES);
    const advice = [
      REFUSALS.unavailable.detail,
      REFUSALS.backlog_full.detail,
      fixOf('unavailable'),
      paths['/api/v1/events/webhook/{source_id}']?.post?.description,
      readPage('docs/errors.md').split('### unavailable')[1]?.split('###')[0],
      readPage('docs/sending-events.md').replaceAll('*', ''),
    ];
    expect(advice.filter((said) => !/end the\s+same request again/.test(said ?? ''))).to.deep.equal([]);
  });

  it('states the maximum length of each text field', () => {
    const rows = [...readPage('docs/limits.md').matchAll(/^\| (`.*`) \| .*?([\d,]+) characters/gm)];
    const documented = rows.flatMap(([, names = '', length = '']) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, Number(length.replaceAll(',', ''))]),
    );
    const declared = Object.entries(EVENT_FIELDS).flatMap(([name, field]) =>
      'max' in field ? [[name, field.max]] : [],
    );
    expect(Object.fromEntries(documented)).to.deep.equal(Object.fromEntries(declared));
  });

  it('states the limits of the fields of a lead, in the page and in the schema of a create', () => {
    const page = readPage('docs/limits.md');
    const text = page.slice(page.indexOf('| of a lead:'), page.indexOf('| rate of a source'));
    const numbers = [...text.matchAll(/[\d,]+(?= |\b)/g)].map(([one]) => Number(one.replaceAll(',', '')));
    const { name, email, phone, note, tags, tag, fields, field_name, field_text } = LEAD_MAX;
    expect(numbers.filter((one) => one > 0)).to.deep.equal([
      name,
      email,
      phone,
      note,
      tags,
      tag,
      fields,
      field_name,
      field_text,
      Number.MAX_SAFE_INTEGER,
    ]);
    expect([LEAD_MAX.company, LEAD_MAX.external_id]).to.deep.equal([name, name]);
    const schema = z.toJSONSchema(customFields(), { io: 'input' });
    expect(schema).to.include({ maxProperties: fields });
    expect(schema.propertyNames).to.include({ maxLength: field_name });
  });

  it('names a test in test/pipeline for each of the first seven guarantees', () => {
    const rows = [...readPage('docs/guarantees.md').matchAll(/^\| (\d) \| .*?`(test\/pipeline\/[\w.-]+)`/gm)];
    expect(rows.map(([, number]) => number)).to.deep.equal(['1', '2', '3', '4', '5', '6', '7']);
    const named = rows.map(([, , path]) => path as string);
    expect(named.filter((path) => !readFileSync(ROOT + path, 'utf8').includes('guarantee'))).to.deep.equal(
      [],
    );
  });

  it('lists every package, service and tool, and its imports from the others', () => {
    const row = /^\| `((?:packages|services|tools)\/[\w-]+)` \| .* \| (.*) \|$/gm;
    const rows = [...readPage('ARCHITECTURE.md').matchAll(row)];
    const documented = Object.fromEntries(rows.map(([, workspace, imports = '']) => [workspace, imports]));
    const real = workspaces().map((workspace) => [workspace, ownImports(workspace)]);
    expect(documented).to.deep.equal(Object.fromEntries(real));
  });

  it('draws every package, service and tool, and only imports that exist', () => {
    const [picture = ''] = codeBlocks('ARCHITECTURE.md', 'mermaid');
    const real = new Map(
      workspaces().map((path) => [path.replace(/^\w+\//, ''), ownImports(path).split(', ')]),
    );
    const drawn = [...picture.matchAll(/^ +(?!end$)([\w-]+)(?:\[.*\])?$/gm)].map(([, name]) => name);
    expect(drawn).to.have.members([...real.keys()]);
    const arrows = [...picture.matchAll(/^ +([\w-]+) --> ([\w-]+(?: & [\w-]+)*)$/gm)].flatMap(
      ([, from = '', tos = '']) => tos.split(' & ').map((to) => [from, to] as const),
    );
    expect(arrows.length).to.be.above(workspaces().length);
    expect(arrows.filter(([from, to]) => !real.get(from)?.includes(to))).to.deep.equal([]);
  });

  it('fits into 150 lines', () => {
    expect(readPage('ARCHITECTURE.md').split('\n').length).to.be.at.most(151);
  });

  it('lists every queue', () => {
    const rows = [...readPage('docs/data.md').matchAll(/^\| `([\w-]+)` \| .* \| (?:workers|nobody).*\|$/gm)];
    expect(rows.map(([, name]) => name)).to.have.members(Object.keys(JOB_OPTIONS));
  });
});

const ANSWERING_CODE = [
  'services/ingress/src',
  'services/api/src',
  'packages/signature/src',
  'packages/contract/src/event/parse-action.ts',
];

/** Whether TypeScript below these paths contains this as a string or a property name. */
function isNamedIn(code: string, paths: readonly string[]): boolean {
  const named = new RegExp(`'${code}'|\\b${code}:`);
  return paths.some((path) => filesBelow(path).some((file) => named.test(readFileSync(file, 'utf8'))));
}

function filesBelow(path: string): string[] {
  if (path.endsWith('.ts')) return [ROOT + path];
  const files = readdirSync(ROOT + path, { recursive: true }).map(String);
  return files.filter((file) => file.endsWith('.ts')).map((file) => join(ROOT, path, file));
}

const NAME_OF_VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const OTHER_VARIABLES = [
  // Read by Node.
  'NODE_EXTRA_CA_CERTS',
  'SLUICE_URL',
  'SLUICE_TEST_EVENTS_URL',
  'WEBHOOK_URL',
  'SLUICE_SIGNING_SECRET',
  'NAME_FILE',
  'MONGO_ONLY',
  'MONGO_NAME',
  'MONGO_PROCESSES',
  'MONGO_MEMORY_LIMIT',
];

/** What platforms call their events, such as BOOKING_CREATED. */
const KINDS_OF_PLATFORMS = JSON.stringify(PRESETS).match(NAME_OF_VARIABLE) ?? [];

/** The source of a bundle: `dist/main.js` exists only after a build. */
function builtFrom(path: string): string {
  return path.replace(/\/dist\/(.*)\.js$/, '/src/$1.ts');
}

function workspaces(): readonly string[] {
  return (
    ['packages', 'services', 'tools']
      .flatMap((group) => readdirSync(ROOT + group).map((name) => `${group}/${name}`))
      // A folder that was moved may leave its `dist` behind.
      .filter((path) => existsSync(`${ROOT}${path}/package.json`))
  );
}

function ownImports(workspace: string): string {
  const { dependencies = {} } = JSON.parse(readFileSync(`${ROOT}${workspace}/package.json`, 'utf8'));
  const own = Object.keys(dependencies).flatMap((name) => name.match(/^@sluice\/(.*)$/)?.[1] ?? []);
  return own.length === 0 ? 'none' : own.sort().join(', ');
}
