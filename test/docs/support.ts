import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The pages of presets. The image of the tests has no documentation. */
export const PRESET_PAGES: readonly string[] = existsSync(`${ROOT}docs/senders`)
  ? readdirSync(`${ROOT}docs/senders`).map((name) => `docs/senders/${name}`)
  : [];

/** Every page of the documentation, by its path in the repository. */
export const PAGES: readonly string[] = [
  'README.md',
  'docs/README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/sending-events.md',
  'docs/senders.md',
  ...PRESET_PAGES,
  'docs/importing-events.md',
  'docs/errors.md',
  'docs/clients.md',
  'docs/how-it-works.md',
  'docs/data.md',
  'docs/running.md',
  'docs/scaling.md',
  'docs/operations.md',
  'docs/metrics.md',
  'deploy/kubernetes/README.md',
  'docs/guarantees.md',
  'docs/limits.md',
  'docs/security.md',
  'docs/faults.md',
  'docs/performance.md',
  'docs/performance-api.md',
  'bench/README.md',
  'bench/speed-tried.md',
];

export function readPage(path: string): string {
  return readFileSync(ROOT + path, 'utf8');
}

/** The fenced code blocks of a page with this info string, such as `bash sign`. */
export function codeBlocks(path: string, info: string): string[] {
  return [...readPage(path).matchAll(/^```([^\n]*)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === info)
    .map(([, , code]) => code as string);
}

/** The inline code in the text of a page. */
export function inlineCode(path: string): string[] {
  const text = readPage(path).replaceAll(/^```.*?^```$/gms, '');
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code as string);
}

/** The anchors that GitHub creates for the headings of a page. */
export function anchors(path: string): string[] {
  const headings = readPage(path)
    .replaceAll(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

export function isInstalled(program: string): boolean {
  // openssl prints its version with `version`, without dashes.
  return [['--version'], ['version']].some((args) => succeeds(program, args));
}

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
