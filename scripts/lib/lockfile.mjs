/** The platform that each word in a package's name stands for, by the usual names of native packages. */
const SYSTEMS = {
  android: 'android',
  darwin: 'darwin',
  win32: 'win32',
  freebsd: 'freebsd',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  sunos: 'sunos',
  aix: 'aix',
  openharmony: 'openharmony',
  linux: 'linux',
};
const PROCESSORS = {
  aarch64: 'arm64',
  arm64: 'arm64',
  arm: 'arm',
  x64: 'x64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
  mips64el: 'mips64el',
  wasm32: 'wasm32',
};
const C_LIBRARIES = { musl: 'musl', gnu: 'glibc', gnueabihf: 'glibc' };

/**
 * Entries for the optional dependencies that a lock file mentions and does not list.
 * @param {{ packages: Record<string, { optionalDependencies?: Record<string, string>, dev?: boolean,
 *   license?: string }> }} lock
 */
export function missingOptionalPackages({ packages }) {
  const missing = {};
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const listed = `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages;
      if (!listed)
        missing[`node_modules/${name}`] = {
          version,
          ...(entry.dev && { dev: true }),
          // There is one package for each platform, built from the same sources as the package that depends on it.
          ...(entry.license && { license: entry.license }),
          optional: true,
          ...platformOf(name),
        };
    }
  }
  return missing;
}

function platformOf(name) {
  const words = name.split(/[^a-z0-9]+/);
  const first = (table) => words.map((word) => table[word]).find((value) => value !== undefined);
  const os = first(SYSTEMS);
  const cpu = first(PROCESSORS);
  const libc = os === 'linux' ? first(C_LIBRARIES) : undefined;
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) };
}

/**
 * A copy of a lock file with the address of each package at a registry.
 * @param {{ packages: Record<string, { version?: string, name?: string, integrity?: string }> }} lock
 * @param {string} registry its URL
 */
export function withAddresses(lock, registry) {
  const root = registry.replace(/\/*$/, '/');
  const entries = Object.entries(lock.packages).map(([path, entry]) => {
    // Folders of this repository have none, and neither do packages that were not looked up.
    if (entry.integrity === undefined) return [path, entry];
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const file = `${name.split('/').at(-1)}-${entry.version}.tgz`;
    return [path, { ...entry, resolved: `${root}${name}/-/${file}` }];
  });
  return { ...lock, packages: Object.fromEntries(entries) };
}
