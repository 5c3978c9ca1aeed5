import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** A text that is made from pages of rows. */
export interface PagedText<Row> {
  readonly head: string;
  readonly line: (row: Row) => string;
}

/**
 * Sends a text page by page. The headers are written already. Each page is read once the browser has received the previous
 * one. Also resolves if the browser disconnects, because then nobody reads the rest.
 */
export async function sendPages<Row>(
  response: Response,
  text: PagedText<Row>,
  first: readonly Row[],
  rest: AsyncIterable<readonly Row[]>,
): Promise<void> {
  try {
    await pipeline(Readable.from(piecesOf(text, first, rest)), response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* piecesOf<Row>(
  { head, line }: PagedText<Row>,
  first: readonly Row[],
  rest: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield head + first.map(line).join('');
  for await (const page of rest) yield page.map(line).join('');
}
