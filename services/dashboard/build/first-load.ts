import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** One chunk in the manifest that Vite writes. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

export interface PageLoad {
  readonly name: string;
  /** Gzipped. */
  readonly bytes: number;
  readonly files: readonly string[];
}

const NAMED_BY_HTML = ['index.html', 'color-scheme.js', 'favicon.svg'];

/** What a browser loads before a page can be seen: index.html, all that it names, and the page's own chunks. */
export async function firstLoad(dist: string): Promise<readonly PageLoad[]> {
  const manifest: Manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8'));
  const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry === true);
  return Promise.all(
    pagesIn(manifest).map(async (chunks) => {
      const files = [...NAMED_BY_HTML, ...new Set(filesOf(manifest, [...entries, ...chunks]))];
      return { name: chunks.at(-1) ?? '', files, bytes: await gzippedBytes(dist, files) };
    }),
  );
}

/** The chunks of each page. One page has tabs that are chunks of their own: each is loaded with the page around it. */
function pagesIn(manifest: Manifest): string[][] {
  const pages = Object.keys(manifest).filter((name) => /src\/pages\/.*-page\.tsx$/.test(name));
  return pages.flatMap((name) => {
    const tabs = name.endsWith('source-page.tsx') ? (manifest[name]?.dynamicImports ?? []) : [];
    return tabs.length === 0 ? [[name]] : tabs.map((tab) => [name, tab]);
  });
}

/** The files of chunks and of all that they import before they run. */
function filesOf(manifest: Manifest, names: readonly string[], seen = new Set<string>()): string[] {
  return names.flatMap((name) => {
    const chunk = manifest[name];
    if (chunk === undefined || seen.has(name)) return [];
    seen.add(name);
    return [chunk.file, ...(chunk.css ?? []), ...filesOf(manifest, chunk.imports ?? [], seen)];
  });
}

async function gzippedBytes(dist: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => gzipSync(await readFile(join(dist, file))).length),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
