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

const NAMED_BY_HTML = ['index.html', 'color-scheme.js', 'frame.css', 'favicon.svg'];

/**
 * Lists what a browser loads before it can show a page: index.html, all files it names, and the chunks of the page.
 */
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

const WITH_TABS = /(?:source|webhook)-page\.tsx$/;

/** Returns the chunks of each page. The tabs of one page are separate chunks, each loaded with the page. */
function pagesIn(manifest: Manifest): string[][] {
  const pages = Object.keys(manifest).filter((name) => /src\/pages\/.*-page\.tsx$/.test(name));
  return pages.flatMap((name) => {
    const tabs = WITH_TABS.test(name) ? (manifest[name]?.dynamicImports ?? []) : [];
    return tabs.length === 0 ? [[name]] : tabs.map((tab) => [name, tab]);
  });
}

/** Returns the files of the chunks and of everything they import statically. */
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
