import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningScript, runScript } from './run-script.ts';

/** How a process claims a folder: a call, with `folder` in it, of a function that a module exports. */
export interface Claim {
  readonly module: URL;
  readonly imports: string;
  readonly call: string;
}

const RIVALS = 3;

/**
 * Several processes concurrently claim folders that a killed process had claimed, one folder after the other. Returns
 * for each folder how many processes got it. They keep it until the end.
 */
export async function holdersAfterAKill(claim: Claim, rounds: number): Promise<number[]> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-rivals-'));
  const folders = Array.from({ length: rounds }, (_, round) => join(root, `folder-${round}-`));
  for (const folder of folders) mkdirSync(folder);
  const rivals = Array.from({ length: RIVALS }, () => startClaimant(claim));
  try {
    const killed = startClaimant(claim);
    for (const folder of folders) await answer(killed, folder);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await Promise.all(rivals.map(({ line }) => line(/^ready$/)));
    const holders: number[] = [];
    for (const folder of folders) {
      const answers = await Promise.all(rivals.map((rival) => answer(rival, folder)));
      holders.push(answers.filter((text) => text.startsWith('has ')).length);
    }
    return holders;
  } finally {
    for (const { child } of rivals) child.kill('SIGKILL');
    await Promise.all(rivals.map(({ ended }) => ended));
    rmSync(root, { recursive: true });
  }
}

/** A process that claims each folder that it receives, and reports the outcome. */
function startClaimant({ module, imports, call }: Claim): RunningScript {
  return runScript(
    `
    import { ${imports} } from ${JSON.stringify(module.href)};
    process.on('message', (folder) => {
      ${call}.then(() => console.log('has ' + folder), ({ message }) => console.log('not ' + message));
    });
    console.log('ready');
  `,
    { ipc: true },
  );
}

function answer({ child, line }: RunningScript, folder: string): Promise<string> {
  child.send(folder);
  return line(new RegExp(`^(has|not) .*${folder}`));
}
