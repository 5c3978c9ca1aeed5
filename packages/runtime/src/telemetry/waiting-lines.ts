/** Lines that are not written yet, in their order. */
export interface WaitingLines {
  add(line: string): void;
  /** The next lines, together at most TOGETHER bytes, or one longer line. Undefined: none waits. */
  take(): Buffer | undefined;
}

/** A pipe takes this much whole, also beside other processes (PIPE_BUF). Bytes. */
const TOGETHER = 4096;
/** Further lines are dropped. Characters. */
const MOST_WAITING = 8 * 1024 * 1024;
/** Lines that were taken are forgotten in blocks, because moving the others for each would cost too much. */
const BLOCK = 1000;

/** `describeDropped` makes a line of the number of lines that were dropped. It is the last that is taken. */
export function createWaitingLines(describeDropped: (count: number) => string): WaitingLines {
  let lines: string[] = [];
  let next = 0;
  let characters = 0;
  let dropped = 0;

  function takeOne(): string | undefined {
    const line = lines[next];
    if (line === undefined) return undefined;
    lines[next] = '';
    next += 1;
    characters -= line.length;
    return line;
  }

  function forgetTaken(): void {
    if (next < BLOCK && next < lines.length) return;
    lines = lines.slice(next);
    next = 0;
  }

  return {
    add(line) {
      if (characters + line.length > MOST_WAITING) {
        dropped += 1;
        return;
      }
      lines.push(line);
      characters += line.length;
    },
    take() {
      let taken = takeOne();
      if (taken === undefined) {
        if (dropped === 0) return undefined;
        taken = describeDropped(dropped);
        dropped = 0;
      }
      let bytes = Buffer.byteLength(taken);
      for (let line = lines[next]; line !== undefined; line = lines[next]) {
        bytes += Buffer.byteLength(line);
        if (bytes > TOGETHER) break;
        taken += takeOne();
      }
      forgetTaken();
      return Buffer.from(taken);
    },
  };
}
