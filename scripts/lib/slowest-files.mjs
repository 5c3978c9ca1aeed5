/** How many files the end of a run names. */
const NAMED = 15;

/**
 * Lines that name the files with the longest time, and their CPU time where it is known: a file that waits has little.
 * `took` has `{ file, wall, cpu }` in seconds; a file may have several entries.
 */
export function slowestFiles(took) {
  const files = new Map();
  for (const { file, wall, cpu } of took) {
    const before = files.get(file) ?? { wall: 0, cpu: 0 };
    files.set(file, { wall: before.wall + wall, cpu: cpu === undefined ? undefined : before.cpu + cpu });
  }
  return [...files]
    .sort(([, a], [, b]) => b.wall - a.wall)
    .slice(0, NAMED)
    .map(([file, { wall, cpu }]) => `  ${wall.toFixed(1)} s${inCpu(cpu)}  ${file}`);
}

/** The CPU time of all these files in seconds; undefined where it is unknown. */
export function cpuOf(took = []) {
  if (took.length === 0 || took.some(({ cpu }) => cpu === undefined)) return undefined;
  return took.reduce((sum, { cpu }) => sum + cpu, 0);
}

/** CPU time as text, or nothing where it is unknown. */
export function inCpu(cpu) {
  return cpu === undefined ? '' : ` (${cpu.toFixed(1)} s CPU)`;
}
