/** Says which tests cannot be run here, for want of a program: a test that is not there tells nobody. */
export function reportNotRun(tests: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  process.stderr.write(
    `${tests} that are not run, for what they need is not installed: ${missing.join(', ')}\n`,
  );
}
