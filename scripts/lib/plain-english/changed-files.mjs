import { execFileSync } from 'node:child_process';

/**
 * The files that differ from the main branch, committed or not; undefined when Git cannot tell.
 * @param {string} root
 * @returns {Set<string> | undefined}
 */
export function changedFiles(root) {
  const base = ['origin/main', 'main']
    .map((name) => git(root, 'merge-base', 'HEAD', name))
    .find((found) => found);
  const changed = git(root, 'diff', '--name-only', base ?? 'HEAD');
  const added = git(root, 'ls-files', '--others', '--exclude-standard');
  if (changed === undefined || added === undefined) return undefined;
  return new Set([...changed.split('\n'), ...added.split('\n')].filter((path) => path !== ''));
}

function git(root, ...args) {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
