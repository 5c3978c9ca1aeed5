import { fileURLToPath } from 'node:url';

/** The environment that loads a file of test/faults/preloads into a process before its code. */
export function preload(name: string): { readonly NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--require=${fileURLToPath(new URL(`../preloads/${name}.cjs`, import.meta.url))}` };
}
