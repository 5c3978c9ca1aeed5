import type { RequestListener } from 'node:http';
import { serve } from './serve.ts';

export interface FeedServer {
  readonly port: number;
  /** The requests so far, as method and path. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A calendar with one event. */
export const FEED = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'SUMMARY:From the feed',
  'DTSTART:20300401T080000Z',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** A web server that serves calendars on one address of this machine. It does not keep the process running. */
export async function startFeedServer(
  listener: RequestListener = (_request, response) => response.end(FEED),
  address = '127.0.0.1',
): Promise<FeedServer> {
  const asked: string[] = [];
  const { port, close } = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    listener(request, response);
  }, address);
  return { port, asked, close };
}
