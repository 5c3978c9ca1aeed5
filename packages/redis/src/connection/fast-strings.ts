/** V8 optimizes a prototype once one place in the code has seen its object often: 16 times on Node 20 to 26. */
const OFTEN = 64;

class SomeString extends String {}

const ask = (text: SomeString) => text.charCodeAt(0);

/**
 * Makes string methods as fast as in a process without ioredis. ioredis declares a class that extends String
 * (resp/verbatim-string.js). V8 then turns String.prototype into a dictionary, and looks up each method at each call:
 * `charCodeAt` takes five times as long (bench/speed-tried.md; also seen in inikulin/parse5#1348). V8 undoes that when
 * code uses an object of the class, which ioredis never creates under RESP2.
 */
export function restoreFastStrings(): void {
  const some = new SomeString('x');
  for (let i = 0; i < OFTEN; i++) ask(some);
}
