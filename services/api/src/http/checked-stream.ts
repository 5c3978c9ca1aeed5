/** Whether the API key of a stream still has access; `unknown` while the store is away. */
export type Access = 'allowed' | 'gone' | 'unknown';

export interface CheckedStreamDeps {
  /** Reads the key from the store. */
  readonly checkAccess: () => Promise<Access>;
  readonly write: (text: string) => void;
  /** Called once when the key has lost access. Nothing is written after it. */
  readonly end: () => void;
  /** Written instead of pending texts that exceeded the limit. */
  readonly missed: string;
  /** How much text is kept while access is unknown, in characters. */
  readonly keep: number;
}

/** A stream that checks its key's access before each write. */
export interface CheckedStream {
  /** Queues a text. It is written after an access check that starts after this call. */
  offer(text: string): void;
  /** Checks access now. `always` is also written while access is unknown, so it must contain no data. */
  check(always?: string): void;
}

/** Texts that arrive during a check wait for the next one: the running check may predate a loss of access. */
export function createCheckedStream({
  checkAccess,
  write,
  end,
  missed,
  keep,
}: CheckedStreamDeps): CheckedStream {
  let waiting: string[] = [];
  let size = 0;
  let asked = false;
  let always: string | undefined;
  let state: 'idle' | 'checking' | 'over' = 'idle';

  const add = (texts: readonly string[]): void => {
    waiting.push(...texts);
    for (const { length } of texts) size += length;
    if (size <= keep) return;
    waiting = [missed];
    size = missed.length;
  };

  async function checkAndWrite(): Promise<Access> {
    const [texts, comment] = [waiting, always];
    [waiting, size, asked, always] = [[], 0, false, undefined];
    const access = await checkAccess();
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
    state = 'checking';
    let access: Access;
    do access = await checkAndWrite();
    while (
      // If access is unknown, the next message or heartbeat checks again.
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
