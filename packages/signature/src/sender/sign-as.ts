import { createHmac } from 'node:crypto';
import { formatInstant } from '@sluice/contract/time/instant';
import type { HmacProfile, Profile, TimeOf } from './profile.ts';
import { senderKey } from './sender-key.ts';

export interface SenderMessage {
  readonly secret: string;
  /** The exact bytes that will be sent. */
  readonly body: Uint8Array;
  /** The id of the message, for profiles that sign one. */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

/** The headers with which the sender of a profile sends a body. */
export function signAs(profile: Profile, message: SenderMessage): Record<string, string> {
  switch (profile.kind) {
    case 'hmac':
      return hmacHeaders(profile, message);
    case 'token': {
      const scheme = profile.scheme === undefined ? '' : `${profile.scheme} `;
      return { [nameOf(profile.header)]: scheme + message.secret };
    }
    case 'basic': {
      const credential = Buffer.from(`${profile.user}:${message.secret}`).toString('base64');
      return { Authorization: `Basic ${credential}` };
    }
  }
}

const nameOf = (names: readonly string[]): string => names[0] as string;

function hmacHeaders(
  profile: HmacProfile,
  { secret, body, id, nowMs }: SenderMessage,
): Record<string, string> {
  const { time } = profile;
  const timeText = time === undefined ? '' : timeIn(time.unit, nowMs);
  const hmac = createHmac(profile.algorithm, senderKey(profile, secret));
  const values = new Map<string, string | Uint8Array>([
    ['{body}', body],
    ['{time}', timeText],
    ['{id}', id],
  ]);
  for (const part of profile.signed) hmac.update(values.get(part) ?? part);
  const signature = hmac.digest(profile.encoding);
  return {
    ...(time?.from === 'header' && { [nameOf(time.header)]: timeText }),
    ...(profile.id?.from === 'header' && { [nameOf(profile.id.header)]: id }),
    [nameOf(profile.header)]: headerValue(profile, signature, timeText),
  };
}

function headerValue({ form, time }: HmacProfile, signature: string, timeText: string): string {
  switch (form.kind) {
    case 'whole':
      return signature;
    case 'prefix':
    case 'list':
      return form.prefix + signature;
    case 'pairs': {
      const signed = `${form.signature}=${signature}`;
      return time?.from === 'pair' ? `${time.name}=${timeText}${form.separator}${signed}` : signed;
    }
  }
}

function timeIn(unit: TimeOf['unit'], nowMs: number): string {
  switch (unit) {
    case 's':
      return String(Math.floor(nowMs / 1000));
    case 'ms':
      return String(nowMs);
    case 'iso':
      return formatInstant(nowMs);
  }
}
