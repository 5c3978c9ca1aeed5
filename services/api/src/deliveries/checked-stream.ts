/** Whether the user of a stream may see it: `unknown` while the store is away. */
export type Access = 'allowed' | 'gone' | 'unknown';

export interface CheckedStreamDeps {
  /** Looks at session and membership as they are stored now. */
  readonly look: () => Promise<Access>;
  readonly write: (text: string) => void;
  /** The user may not see it any more. Called once; nothing is written after it. */
  readonly end: () => void;
  /** Takes the place of texts that were too many to be kept. */
  readonly missed: string;
  /** How much is kept while it is not known whether the user may see it, in characters. */
  readonly keep: number;
}

/** A stream that looks whether its user may still see it before it writes. */
export interface CheckedStream {
  /** Is written once a look that begins after this call allows it. */
  offer(text: string): void;
  /** Looks at once. `always` is written unless the user may not see the stream any more: it must tell nothing. */
  check(always?: string): void;
}

/** Texts that arrive during a look wait for the next: what was looked at before them says nothing about them. */
export function createCheckedStream({ look, write, end, missed, keep }: CheckedStreamDeps): CheckedStream {
  let waiting: string[] = [];
  let size = 0;
  let asked = false;
  let always: string | undefined;
  let state: 'idle' | 'looking' | 'over' = 'idle';

  const add = (texts: readonly string[]): void => {
    waiting.push(...texts);
    for (const { length } of texts) size += length;
    if (size <= keep) return;
    waiting = [missed];
    size = missed.length;
  };

  async function lookAndWrite(): Promise<Access> {
    const [texts, comment] = [waiting, always];
    [waiting, size, asked, always] = [[], 0, false, undefined];
    const access = await look();
    switch (access) {
      case 'allowed':
        for (const text of texts) write(text);
        if (comment !== undefined) write(comment);
        break;
      case 'unknown': {
        const later = waiting;
        [waiting, size] = [[], 0];
        add([...texts, ...later]);
        if (comment !== undefined) write(comment);
        break;
      }
      case 'gone':
        end();
        break;
    }
    return access;
  }

  async function run(): Promise<void> {
    if (state !== 'idle') return;
    state = 'looking';
    let access: Access;
    do access = await lookAndWrite();
    while (
      // What is not known now is asked again at the next row or heartbeat.
      access !== 'gone' &&
      (asked || (access === 'allowed' && waiting.length > 0))
    );
    state = access === 'gone' ? 'over' : 'idle';
  }

  return {
    offer(text) {
      if (state === 'over') return;
      add([text]);
      void run();
    },
    check(text) {
      asked = true;
      always = text ?? always;
      void run();
    },
  };
}
