import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import type { OutputStreams } from './output.ts';

const HELP = `
Completes commands, options and choices. Open a new shell afterwards.

Examples:
  sluice completion bash >> ~/.bashrc
  sluice completion zsh > "\${fpath[1]}/_sluice"
  sluice completion fish > ~/.config/fish/completions/sluice.fish`;

/** The script calls this function of the package bash-completion. macOS and small systems do not have it. */
const WITHOUT_BASH_COMPLETION = `if ! declare -F _get_comp_words_by_ref > /dev/null; then
  _get_comp_words_by_ref() {
    cur=\${COMP_WORDS[COMP_CWORD]}
    prev=\${COMP_WORDS[COMP_CWORD - 1]}
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
  }
fi
`;

/** sluice completion. Call it last: it reads the tree of all other commands. */
export function addCompletion(program: Command, { stdout }: OutputStreams): void {
  tab(program, { completionCommandName: 'completion' });
  const command = program.commands.find((one) => one.name() === 'completion');
  command?.description('print the completion script of a shell').addHelpText('after', HELP);
  command?.hook('preAction', ({ args }) => {
    if (args[0] === 'bash') stdout.write(WITHOUT_BASH_COMPLETION);
  });
}
