/**
 * These tests count lost, doubled and late actions. One occurrence is a proof, and a second try would hide it. So they
 * have no second try.
 */
const PROOFS = ['test/faults/', 'test/pipeline/', 'test/scale/'];
/**
 * The exception: a single request with a 503 is retried by its sender and not lost. It happens when the disk of Redis
 * stalls for a second. A test that counts rejections fails with another text.
 */
const REFUSED_ONCE = /expected 503 to equal 200\b/;
/**
 * Another exception: the time to one response beside a flood. Other sections run on the same cores, so one late response
 * proves nothing. A flood that starves others makes it late alone too.
 */
const LATE_ONCE = { files: 'test/faults/floods-of-', text: /expected \d+\.\d+ to be below \d/ };
/** If more files than this fail, it is not by accident. */
const MOST_FILES = 4;

/**
 * Runs the files of failed tests once more, one at a time, as gotestsum does with --rerun-fails. This separates wrong
 * code from a machine that was busy with other sections. A test that passes then counts as passed. It is returned as
 * `unstable` with the output of its failure, which is always shown.
 *
 * `results` are those of `runMocha`; `runFile` runs one file and resolves to such a result.
 */
export async function secondTry(results, runFile) {
  const failures = results.flatMap((result) => result.failures);
  const files = [...new Set(failures.map(({ file }) => file))];
  const isProof = (file) => PROOFS.some((folder) => file.startsWith(folder));
  const isLate = ({ file, text }) => file.startsWith(LATE_ONCE.files) && LATE_ONCE.text.test(text);
  const isFinal = ({ file, text }) =>
    file === undefined || (isProof(file) && !REFUSED_ONCE.test(text) && !isLate({ file, text }));
  if (files.length > MOST_FILES || failures.some(isFinal)) return { results, unstable: [] };
  const mended = new Set();
  for (const file of files) if ((await runFile(file)).failed === 0) mended.add(file);
  const isMended = ({ file }) => mended.has(file);
  return {
    results: results.map(({ passed, failed, failures: all, ...rest }) => {
      const count = all.filter(isMended).length;
      return {
        ...rest,
        passed: passed + count,
        failed: failed - count,
        failures: all.filter((failure) => !isMended(failure)),
      };
    }),
    unstable: failures.filter(isMended),
  };
}
