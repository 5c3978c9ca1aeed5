/** npm forwards Ctrl-C although the terminal has already sent it to us. Two within this time count as one. */
const SAME_INTERRUPT_MS = 1000;

/** A second Ctrl-C kills everything that the first one still waits for. Both stores survive being killed. */
export function forceOnSecondInterrupt({
  killers,
  say,
}: {
  killers: readonly (() => void)[];
  say: (line: string) => void;
}): void {
  let first: number | undefined;
  process.on('SIGINT', () => {
    first ??= performance.now();
    if (performance.now() - first < SAME_INTERRUPT_MS) return;
    say('killing the remaining processes');
    for (const kill of killers) kill();
    process.exit(1);
  });
}
