import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

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

/** Mobile numbers of Brazil got a 9 before their eight digits until 2016. WhatsApp sends many without it. Landlines begin with 2 to 5. */
const BRAZILIAN_MOBILE = /^\+55(\d{2})9?([6-9]\d{7})$/;

/**
 * Reads a phone number. Without an international prefix it is one of `region`. The smallest metadata are enough: they know the
 * possible lengths, and stricter patterns reject numbers that are newer than the library.
 */
export function readPhone(text: string, region: string | null): Phone {
  const country = region !== null && isSupportedCountry(region) ? (region as CountryCode) : undefined;
  const written = parse(text, country);
  const parsed = written && ofToday(written);
  if (parsed?.isPossible()) {
    const { number, ext } = parsed;
    // Two people behind one switchboard have different extensions.
    const key = ext === undefined ? number : `${number}x${ext}`;
    const forms = [parsed, written].flatMap((one) => [one?.number.slice(1), one?.nationalNumber]);
    return { e164: number, key, digits: [...new Set(forms)].filter((form) => form !== undefined) };
  }
  const digits = unreadDigits(text);
  return digits === '' ? { digits: [] } : { key: digits, digits: [digits] };
}

function parse(text: string, country: CountryCode | undefined) {
  return parsePhoneNumberFromString(
    spellTollFree(text),
    country === undefined ? {} : { defaultCountry: country },
  );
}

/** The form of a number that its country uses today. */
function ofToday(written: PhoneNumber): PhoneNumber | undefined {
  const { number, ext } = written;
  const today = number.replace(MEXICAN_MOBILE, '+52$1').replace(BRAZILIAN_MOBILE, '+55$19$2');
  if (today === number) return written;
  return parsePhoneNumberFromString(ext === undefined ? today : `${today} ext. ${ext}`);
}

/** The digits of a number that cannot be read, without what stands before a national number. */
export function unreadDigits(text: string): string {
  return spellTollFree(text).normalize('NFKC').replace(/\D/g, '').replace(/^0+/, '');
}

/** Whether a phone region is known, such as `DE`. */
export function isPhoneRegion(region: string): boolean {
  return isSupportedCountry(region);
}

/** A toll-free number of North America: the prefix, and what people dial after it. */
const TOLL_FREE = /^\+?1?[\s.-]*\(?(8(?:00|33|44|55|66|77|88))\)?([a-z0-9 .-]+)$/i;
/** The digit of each letter on the keys of a phone, from a to z. */
const KEYPAD = '22233344455566677778889999';
const DIALLED = 7;
/** Fewer letters are a note or an extension behind digits. */
const FEWEST_LETTERS = 3;

/**
 * Replaces the word of a toll-free number such as 1-800-FLOWERS by its digits. Any other text is returned unchanged. The library
 * drops the letters, so that all numbers with words would be the number 1800.
 */
function spellTollFree(text: string): string {
  const [, prefix, word = ''] = TOLL_FREE.exec(text.trim()) ?? [];
  const dialled = word.replace(/[ .-]/g, '').slice(0, DIALLED).toLowerCase();
  const letters = dialled.replace(/\d/g, '');
  if (dialled.length < DIALLED || letters.length < FEWEST_LETTERS) return text;
  return `+1 ${prefix} ${dialled.replace(/[a-z]/g, digitOf)}`;
}

const digitOf = (letter: string): string => KEYPAD.charAt(letter.charCodeAt(0) - 'a'.charCodeAt(0));
