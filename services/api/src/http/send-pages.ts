import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
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

/** The rows that are written before other requests get their turn. Large ones take milliseconds each. */
const ROWS_A_TURN = 10;

async function* piecesOf<Row>(
  { head, line }: PagedText<Row>,
  first: readonly Row[],
  rest: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield head;
  for await (const page of withFirst(first, rest))
    for (let at = 0; at < page.length; at += ROWS_A_TURN) {
      yield page
        .slice(at, at + ROWS_A_TURN)
        .map(line)
        .join('');
      await setImmediate();
    }
}

async function* withFirst<Page>(first: Page, rest: AsyncIterable<Page>): AsyncGenerator<Page> {
  yield first;
  yield* rest;
}
