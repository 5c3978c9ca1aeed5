import { createHmac } from 'node:crypto';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { describeSlip } from '@sluice/signature/likely-slip';
import { verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';
import fc from 'fast-check';

const secret = newSigningSecret();
const bare = secret.slice('whsec_'.length);
const timestamp = '1790000000';
const body = '{"action":"upsert"}';
const TITLE = '{"title":"Café"}';
const right = `${timestamp}.${body}`;

const sign = (key: string | Uint8Array, text: string | Uint8Array) =>
  `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;
const describedAs = (signature: string, sent = body) =>
  describeSlip({ key: verifyingKey(secret), timestamp, body: Buffer.from(sent), signature });

describe('signature: the likely slip behind a wrong signature', () => {
  for (const [name, key, told] of [
    ['with a newline', `${secret}\n`, 'newline after the secret'],
    ['with a newline of Windows', `${secret}\r\n`, 'newline after the secret'],
    ['with two newlines', `${secret}\n\n`, 'newline after the secret'],
    ['with a blank behind it', `${secret} `, 'blank after the secret'],
    ['with a blank before it', ` ${secret}`, 'blank before the secret'],
    ['with blanks around it', ` ${secret} `, 'blanks around the secret'],
    ['in double quotes', `"${secret}"`, 'in quotes'],
    ['in single quotes', `'${secret}'`, 'in quotes'],
    ['with a byte order mark', `\uFEFF${secret}`, 'byte order mark'],
    ['without its prefix', bare, 'without whsec_'],
    ['decoded as base64', Buffer.from(bare, 'base64'), 'base64'],
    ['with a carriage return', `${secret}\r`, 'carriage return'],
    ['with a tab', `${secret}\t`, 'a tab after'],
    ['that is empty', '', 'Is the variable set'],
    ['that is the text "undefined"', 'undefined', 'Is the variable set'],
  ] as const)
    it(`names a secret ${name}`, () => {
      expect(describedAs(sign(key, right)))
        .to.contain(told)
        .and.contain('exactly as shown');
    });

  for (const [name, text, sent, told] of [
    ['the body alone', body, body, 'covers the body alone'],
    ['no dot', timestamp + body, body, 'no dot between timestamp and body'],
    ['the timestamp at the end', `${body}.${timestamp}`, body, 'Put the timestamp first'],
    ['a newline that was not sent', `${right}\n`, body, 'a newline after the body that was not sent'],
    ['no newline although one was sent', right, `${body}\n`, 'without the newline at its end'],
    ['the second after', `1790000001.${body}`, body, 'another timestamp'],
    ['the second before', `1789999999.${body}`, body, 'another timestamp'],
    ['the body in ASCII', `${timestamp}.{"title":"Caf?"}`, TITLE, 'ASCII'],
    ['the body in Latin-1', Buffer.from(`${timestamp}.${TITLE}`, 'latin1'), TITLE, 'Latin-1'],
    ['JSON with blanks and escapes', `${timestamp}.{"title": "Caf\\u00e9"}`, TITLE, 'reformatted'],
    ['JSON without blanks', `${timestamp}.${TITLE}`, '{ "title": "Café" }', 'reformatted'],
  ] as const)
    it(`names a signature over ${name}`, () => {
      expect(describedAs(sign(secret, text), sent)).to.contain(told);
    });

  it('names nothing for a signature that was made without the secret', () => {
    const other = newSigningSecret();
    for (const key of [other, `${other}\n`, other.slice(6), 'whsec_', '\n', '""'])
      for (const text of [right, body, timestamp + body, ''])
        expect(describedAs(sign(key, text))).to.equal(null);
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (signature) => describedAs(signature) === null));
  });

  it('never contains the secret', () => {
    for (const key of [`${secret}\n`, `"${secret}"`, bare])
      expect(describedAs(sign(key, right))).to.not.contain(bare);
  });
});
