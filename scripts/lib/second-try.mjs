/**
 * What these tests count is lost, doubled or late: seen once it is proven, and a second look would hide it. They have
 * no second try.
 */
const PROOFS = ['test/faults/', 'test/pipeline/', 'test/scale/'];
/**
 * ... but for this: a single request that had a 503 is a sender's to repeat, and no loss. Redis does that where its disk
 * stalls for a second. What counts refusals says so in other words.
 */
const REFUSED_ONCE = /expected 503 to equal 200\b/;
/** More files than this do not fail by accident. */
const MOST_FILES = 2;

/**
 * Runs the files of failed tests once more, each by itself and with nothing beside it, as gotestsum does with
 * --rerun-fails: a machine that was busy with other sections is told apart from code that is wrong. What passes then
 * counts as passed, and is returned as `unstable` with the story of its failure: it is shown, never dropped.
 *
 * `results` are those of `runMocha`; `runFile` runs one file and resolves to such a result.
 */
export async function secondTry(results, runFile) {
  const failures = results.flatMap((result) => result.failures);
  const files = [...new Set(failures.map(({ file }) => file))];
  const isProof = (file) => PROOFS.some((folder) => file.startsWith(folder));
  const isFinal = ({ file, text }) => file === undefined || (isProof(file) && !REFUSED_ONCE.test(text));
  if (files.length > MOST_FILES || failures.some(isFinal)) return { results, unstable: [] };
  const mended = new Set();
  for (const file of files) if ((await runFile(file)).failed === 0) mended.add(file);
  const isMended = ({ file }) => mended.has(file);
  return {
    results: results.map(({ passed, failed, failures: all }) => {
      const count = all.filter(isMended).length;
      return {
        passed: passed + count,
        failed: failed - count,
        failures: all.filter((failure) => !isMended(failure)),
      };
    }),
    unstable: failures.filter(isMended),
  };
}
