/**
 * Licences that MIT-licensed software may ship under without further terms, by their SPDX ids. The maintainers decide
 * about a package under another licence.
 */
export const ALLOWED_LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/**
 * The dependencies that reach production, by a lock file: those that the services load and the dashboard bundles.
 * A workspace declares both as `dependencies`; npm marks everything else as `dev`.
 * @param {{ packages: Record<string, { version?: string, license?: string, integrity?: string, link?: boolean,
 *   dev?: boolean, optional?: boolean, os?: string[], cpu?: string[] }> }} lock
 */
export function shippedPackages({ packages }) {
  const marker = 'node_modules/';
  const shipped = Object.entries(packages)
    .filter(([path, { link, dev }]) => path.includes(marker) && !link && !dev)
    .map(([path, entry]) => ({ name: path.slice(path.lastIndexOf(marker) + marker.length), ...entry }));
  // One version may be installed at several places.
  return [...new Map(shipped.map((entry) => [`${entry.name}@${entry.version}`, entry])).values()];
}

/**
 * Whether a licence expression allows a package to ship: one side of an OR, all sides of an AND. It rejects nested
 * expressions, because no package has one yet.
 * @param {string | undefined} licence an SPDX expression
 */
export function mayShip(licence) {
  if (licence === undefined) return false;
  const bare = licence.replace(/^\((.*)\)$/, '$1');
  if (bare.includes(' OR ')) return bare.split(' OR ').some((part) => ALLOWED_LICENCES.has(part));
  return bare.split(' AND ').every((part) => ALLOWED_LICENCES.has(part));
}

/**
 * A bill of materials in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). It has no time and no serial number, so
 * the same lock file gives the same bytes. `npm sbom` (npm 11) omits packages that a test depends on too.
 */
export function billOfMaterials(lock) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name: lock.name, version: lock.version, licenses: licencesOf('MIT') },
    },
    components: shippedPackages(lock).map(({ name, version, license, integrity, optional, devOptional }) => ({
      type: 'library',
      'bom-ref': purl(name, version),
      name,
      version,
      purl: purl(name, version),
      scope: optional || devOptional ? 'optional' : 'required',
      ...(license !== undefined && { licenses: licencesOf(license) }),
      ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
    })),
  };
}

function licencesOf(expression) {
  return / (OR|AND) /.test(expression) ? [{ expression }] : [{ license: { id: expression } }];
}

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** A lock file has Subresource Integrity ("sha512-" and base64), a bill of materials has hexadecimal digits. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-');
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') };
}
