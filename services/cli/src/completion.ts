import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

const HELP = `
Completes commands, options and choices. Open a new shell afterwards.

Examples:
  sluice completion bash >> ~/.bashrc
  sluice completion zsh > "\${fpath[1]}/_sluice"
  sluice completion fish > ~/.config/fish/completions/sluice.fish`;

/** sluice completion. Call it last: it reads the tree of all other commands. */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' });
  const command = program.commands.find((one) => one.name() === 'completion');
  command?.description('print the completion script of a shell').addHelpText('after', HELP);
}
