import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type Aim, createSigner } from './sign-requests.ts';

export interface PresignSettings extends Aim {
  readonly file: string;
  readonly count: number;
}

/**
 * Writes complete signed HTTP requests, each after its length (8 digits). Signing during the measurement would measure
 * the signing. The requests are valid for five minutes.
 */
export async function presign({ file, count, ...aim }: PresignSettings): Promise<void> {
  const sign = createSigner(aim);
  const stream = createWriteStream(file);
  for (let i = 0; i < count; i++) {
    const request = sign();
    const framed = Buffer.concat([Buffer.from(String(request.length).padStart(8, '0')), request]);
    if (!stream.write(framed)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}
