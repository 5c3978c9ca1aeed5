import { styleText } from 'node:util';

type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** Colours a text, or returns it unchanged. */
export type Paint = (colour: Colour, text: string) => string;

/** Colours only what a terminal shows. Node respects NO_COLOR, NODE_DISABLE_COLORS and TERM=dumb. */
export function createPaint(stream: { hasColors?: () => boolean }): Paint {
  const coloured = stream.hasColors?.() === true;
  return (colour, text) => (coloured ? styleText(colour, text, { validateStream: false }) : text);
}

/** The colour of an HTTP status; null: no response. */
export function colourOf(status: number | null): Colour {
  if (status === null || status >= 500) return 'red';
  return status < 300 ? 'green' : 'yellow';
}
