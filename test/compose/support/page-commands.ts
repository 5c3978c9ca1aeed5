import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../docs/support.ts';

/** The pages whose commands `npm run test:compose` runs. */
export const PAGES = ['docs/running.md', 'docs/operations.md'] as const;

const COMMAND = /\bdocker compose (?:[^`\n])+/g;
/** `docker compose up` in a sentence names a command. It is no command to copy. */
const NAME = /^docker compose(?: [a-z]+)?$/;
const COMMENT = /\s{2,}#.*$/;

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8').replaceAll(/\\\n\s*/g, '');

/** The commands of the `sh` blocks of a page that begin with `docker compose`. Continued lines are joined. */
export function commandsInBlocks(page: string): string[] {
  const blocks = [...read(page).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(COMMENT, '').trim())
    .filter((line) => line.startsWith('docker compose '));
}

/** Every `docker compose` command of a file, also in a sentence or a comment. */
export function everyCommand(page: string): string[] {
  const found = read(page).match(COMMAND) ?? [];
  return found
    .map((command) => command.replace(COMMENT, '').trim())
    .filter((command) => !NAME.test(command) || commandsInBlocks(page).includes(command));
}
