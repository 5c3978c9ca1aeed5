/** Reports tests that cannot run here because a program is missing. Otherwise nobody would notice. */
export function reportNotRun(tests: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  process.stderr.write(
    `${tests} are not run, because these programs are not installed: ${missing.join(', ')}\n`,
  );
}
