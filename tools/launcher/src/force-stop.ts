/** npm passes Ctrl-C on although the terminal has sent it to us already: two within this time are one. */
const SAME_INTERRUPT_MS = 1000;

/** A second Ctrl-C ends at once what the first one is still waiting for. Both stores survive being killed. */
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
    say('killing what has not stopped yet');
    for (const kill of killers) kill();
    process.exit(1);
  });
}
