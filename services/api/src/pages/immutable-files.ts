import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { DAY_SECONDS } from '@sluice/contract/time/durations';
import express, { type RequestHandler } from 'express';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The highest quality takes seconds for the viewer of the API reference, and makes it 8 % smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const pack = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
} as const;
type Encoding = keyof typeof pack;

const MAX_AGE_SECONDS = 365 * DAY_SECONDS;

/** Serves files whose addresses change with their content: for a year, and compressed if the client accepts it. */
export function immutableFiles(dir: string): readonly RequestHandler[] {
  const options = { immutable: true, maxAge: MAX_AGE_SECONDS * 1000, index: false, redirect: false } as const;
  return [compressedFiles(dir), express.static(dir, options)];
}

/**
 * Serves the text files of a folder compressed, each packed once and kept: there is a handful of them, which never change.
 * What it does not have, the next handler may.
 *
 * This is our own code because sirv 3 lists the files once, at the start: it needs the folder to exist by then, and has no
 * error handler for a file that the next build removes. It also ignores `q=0` in Accept-Encoding.
 */
function compressedFiles(dir: string): RequestHandler {
  const packed = new Map<string, Promise<Buffer | undefined>>();

  const load = (path: string, encoding: Encoding): Promise<Buffer | undefined> => {
    const key = `${encoding} ${path}`;
    let file = packed.get(key);
    if (file === undefined) {
      file = readFile(path).then(
        (bytes) => pack[encoding](bytes),
        () => undefined,
      );
      packed.set(key, file);
      // A file that is not there today may be there after the next build.
      void file.then((found) => found === undefined && packed.delete(key));
    }
    return file;
  };

  return async (request, response, next) => {
    const type = TYPES[extname(request.path)];
    const encoding = request.acceptsEncodings('br', 'gzip') as Encoding | false;
    const path = normalize(join(dir, request.path));
    const inside = path.startsWith(dir + sep);
    if (type === undefined || encoding === false || !inside || request.method !== 'GET') return next();
    const file = await load(path, encoding);
    if (file === undefined) return next();
    response.setHeader('content-type', type);
    response.setHeader('content-encoding', encoding);
    response.setHeader('vary', 'accept-encoding');
    response.setHeader('cache-control', `public, max-age=${MAX_AGE_SECONDS}, immutable`);
    response.end(file);
  };
}
