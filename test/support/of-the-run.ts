/**
 * The one value of this name in the whole run. A module's own variable is not enough: where mocha comes to a file by
 * `require` and to another by `import`, Node makes the modules that both use twice.
 */
export function ofTheRun<T>(name: string, make: () => T): T {
  const key = Symbol.for(`sluice.test.${name}`);
  const run = globalThis as unknown as Record<symbol, T | undefined>;
  run[key] ??= make();
  return run[key];
}
