import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../docs/support.ts';

/** One instruction of a Dockerfile: its name in capitals, and the rest of its line. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of the Dockerfile in their order, without the lines before the first. */
export function readDockerfile(): Stage[] {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const from = /^(\S+) AS (\S+)$/i.exec(text);
    if (name.toUpperCase() === 'FROM')
      stages.push({ from: from?.[1] ?? text, name: from?.[2] ?? '', instructions: [] });
    else stages.at(-1)?.instructions.push({ name: name.toUpperCase(), text });
  }
  return stages;
}

/** The instructions that make an image: those of its base stages, then those of the stage itself. */
export function instructionsOf(target: string, stages = readDockerfile()): Instruction[] {
  const stage = stages.find(({ name }) => name === target);
  if (stage === undefined) return [];
  return [...instructionsOf(stage.from, stages), ...stage.instructions];
}

/** The last instruction of a name in an image, which is the effective one. */
export function lastOf(name: string, instructions: readonly Instruction[]): string | undefined {
  return instructions.findLast((one) => one.name === name)?.text;
}

/** The variables that an image sets, except PATH, which is useless outside of it. */
export function imageEnvironment(target: string): Record<string, string> {
  const pairs = instructionsOf(target)
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) => [...text.matchAll(/(\w+)=(\S+)/g)])
    .map(([, name, value]) => [name as string, value as string] as const);
  return Object.fromEntries(pairs.filter(([name]) => name !== 'PATH'));
}
