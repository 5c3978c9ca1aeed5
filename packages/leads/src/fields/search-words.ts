import { unreadDigits } from './phone.ts';

/**
 * Lengths of the beginnings that are stored of each word, in characters. A search uses the longest that its word has, and
 * compares the rest of the word with the whole ones. All lengths together would cost half as many index entries more.
 */
const LENGTHS = [2, 3, 4, 6, 9] as const;
const SHORTEST = LENGTHS[0];
/** Limit of a word, in characters. The rest of a longer one is not searched. */
const LONGEST_WORD = 40;
/** Limit of the words of one lead. */
const MAX_WORDS = 60;

/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
};

/** The words of a text without case and diacritics. An apostrophe divides no word. */
export function foldedWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðħıłþ]/g, (letter) => LETTERS[letter] as string);
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => beginning(word, LONGEST_WORD));
}

/** Letters that people without them on their keyboard write as two. */
const AS_TWO: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** A word in a script that is written without blanks, so that a given name stands behind the surname. */
const WITHOUT_BLANKS =
  /^[\p{Script=Han}\p{Script=Hira}\p{Script=Kana}\p{Script=Hang}\p{Script=Thai}\p{Script=Laoo}\p{Script=Khmr}\p{Script=Mymr}]+$/u;
/** The places of such a word at which a search may begin. Jamo of Korean count singly. */
const MOST_PLACES = 12;

/** The words by which a text is found: also with umlauts as two letters, and from places within words of scripts without blanks. */
export function wordsToFind(text: string): string[] {
  const two = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüøå]/g, (letter) => AS_TWO[letter] as string);
  return [...foldedWords(text), ...foldedWords(two)].flatMap((word) => {
    if (!WITHOUT_BLANKS.test(word)) return [word];
    const letters = [...word];
    return letters.slice(0, MOST_PLACES).map((_, at) => letters.slice(at).join(''));
  });
}

/** Words stored with a lead. */
export interface StoredWords {
  /** Beginnings of its words. */
  readonly beginnings: readonly string[];
  /** Whole words of which a search may know more than a stored beginning. */
  readonly long_words: readonly string[];
}

export function storedWords(words: readonly string[]): StoredWords {
  const some = [...new Set(words)].slice(0, MAX_WORDS);
  const beginnings = some.flatMap((word) => {
    const length = lengthOf(word);
    return LENGTHS.filter((one) => one <= length).map((one) => beginning(word, one));
  });
  // A word as long as a stored beginning is one itself.
  const long_words = some.filter((word) => !isStoredLength(lengthOf(word)) && lengthOf(word) > SHORTEST);
  return { beginnings: [...new Set(beginnings)], long_words };
}

/** The words of a search, in the form that the store takes. */
export interface SearchWords {
  /** Each lead has one of each; the rarest first. */
  readonly words: readonly (readonly string[])[];
  /** Each lead has a whole word that begins with each. */
  readonly long_words: readonly string[];
}

const PHONE_ONLY = /^[+\d\s()./-]+$/;

/** The words of a search text. Undefined if every word is shorter than 2 characters. */
export function searchWords(text: string): SearchWords | undefined {
  const words = PHONE_ONLY.test(text) ? phoneWords(text) : rarestFirst(text).map((word) => [word]);
  const used = words
    .map((some) => some.filter((word) => lengthOf(word) >= SHORTEST))
    .filter((some) => some.length > 0);
  if (used.length === 0) return undefined;
  return {
    words: used.map((some) => some.map(storedBeginning)),
    long_words: used.flatMap((some) => (some.length === 1 && !isStored(some[0] as string) ? some : [])),
  };
}

/** A longer word selects fewer leads, but many leads share the domain of an email. */
function rarestFirst(text: string): string[] {
  const domains = text.match(DOMAIN)?.join(' ') ?? '';
  const byLength = (a: string, b: string) => lengthOf(b) - lengthOf(a);
  return [text.replace(DOMAIN, ' '), domains].flatMap((some) => foldedWords(some).sort(byLength));
}

const DOMAIN = /@\S*/g;

/** Digits are both the beginning of a word, and of a phone number with or without its trunk prefix. */
function phoneWords(text: string): string[][] {
  const written = text.replace(/\D/g, '');
  const national = unreadDigits(text);
  return [[...new Set([written, national])]];
}

const storedBeginning = (word: string): string =>
  beginning(word, LENGTHS.findLast((length) => length <= lengthOf(word)) ?? SHORTEST);

const isStored = (word: string): boolean => isStoredLength(lengthOf(word));

const isStoredLength = (length: number): boolean => LENGTHS.some((one) => one === length);

function beginning(word: string, length: number): string {
  return word.length <= length ? word : [...word].slice(0, length).join('');
}

const lengthOf = (word: string): number => [...word].length;
