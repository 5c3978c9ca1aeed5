import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof pack;

/**
 * Serves the text files of a folder compressed, each packed once and kept: their names change with their content, so
 * there is a handful of them, which never change. What it does not have, the next handler may.
 *
 * This is our own code because sirv 3 lists the files once, at the start: it needs the folder to exist by then, and has no
 * error handler for a file that the next build removes. It also ignores `q=0` in Accept-Encoding.
 */
export function compressedFiles(dir: string, cacheControl: string): RequestHandler {
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
    response.setHeader('cache-control', cacheControl);
    response.end(file);
  };
}
