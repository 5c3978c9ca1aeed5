/** Says which samples cannot be run here, for want of their languages: a test that is not there tells nobody. */
export function reportNotRun(languages: readonly string[]): void {
  if (languages.length === 0) return;
  process.stderr.write(
    `samples that are not run, for their languages are not installed: ${languages.join(', ')}\n`,
  );
}
