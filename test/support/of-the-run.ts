/**
 * The single value with this name in this process. A module variable is not enough: mocha loads some files by `require` and
 * others by `import`, and then Node loads a shared module twice.
 */
export function ofTheRun<T>(name: string, make: () => T): T {
  const key = Symbol.for(`sluice.test.${name}`);
  const run = globalThis as unknown as Record<symbol, T | undefined>;
  run[key] ??= make();
  return run[key];
}
