import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { spellTollFree } from './toll-free.ts';

/** A phone number as people write it, and what it is compared by. */
export interface Phone {
  /** Present where the number can be read. */
  readonly e164?: string;
  /** Equal for two spellings of one number. Absent if the text has no digit. */
  readonly key?: string;
  /** The digits by which it is found: with the country's, and without. */
  readonly digits: readonly string[];
}

/** Before 2020 a 1 marked mobile phones. WhatsApp still sends it. The library knows it no longer, and reads another number. */
const MEXICAN_MOBILE = /^\+521(\d{10})$/;

/**
 * Reads a phone number. Without an international prefix it is one of `region`. The smallest metadata are enough: they know the
 * possible lengths, and stricter patterns reject numbers that are newer than the library.
 */
export function readPhone(text: string, region: string | null): Phone {
  const country = region !== null && isSupportedCountry(region) ? (region as CountryCode) : undefined;
  const parsed = parse(text, country);
  if (parsed?.isPossible()) {
    const { number, ext, nationalNumber } = parsed;
    // Two people behind one switchboard have different extensions.
    const key = ext === undefined ? number : `${number}x${ext}`;
    const written = unreadDigits(text);
    const marked = MEXICAN_MOBILE.test(`+${written}`) ? [written] : [];
    return { e164: number, key, digits: [number.slice(1), nationalNumber, ...marked] };
  }
  const digits = unreadDigits(text);
  return digits === '' ? { digits: [] } : { key: digits, digits: [digits] };
}

function parse(text: string, country: CountryCode | undefined) {
  const parsed = parsePhoneNumberFromString(
    spellTollFree(text),
    country === undefined ? {} : { defaultCountry: country },
  );
  const marked = parsed && MEXICAN_MOBILE.exec(parsed.number);
  if (!marked) return parsed;
  const extension = parsed.ext === undefined ? '' : ` ext. ${parsed.ext}`;
  return parsePhoneNumberFromString(`+52${marked[1]}${extension}`);
}

/** The digits of a number that cannot be read, without what stands before a national number. */
export function unreadDigits(text: string): string {
  return spellTollFree(text).normalize('NFKC').replace(/\D/g, '').replace(/^0+/, '');
}

/** Whether a phone region is known, such as `DE`. */
export function isPhoneRegion(region: string): boolean {
  return isSupportedCountry(region);
}
