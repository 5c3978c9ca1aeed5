import type { Transporter } from 'nodemailer';

export interface OpenTransport {
  (): Promise<Transporter>;
  close(): Promise<void>;
}

/** How long to wait for a mail server that does not respond. */
const TIMEOUT_MS = 15_000;

/** Loads nodemailer with the first mail, because most processes never send one. */
export function openTransport(url: string): OpenTransport {
  let opened: Promise<Transporter> | undefined;
  const open = () => (opened ??= create(url));
  return Object.assign(open, {
    async close() {
      (await opened)?.close();
    },
  });
}

async function create(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // The mail contains a sign-in link, so TLS is required unless the URL has ?requireTLS=false.
    requireTLS: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}
