import { compose, engine } from './containers.ts';

const NAME = 'sluice-test-alone-receiver';
const PORT = 8000;
const PROGRAM = `let n=0;require('node:http').createServer((q,s)=>{q.resume();q.on('end',()=>{if(q.method==='POST')n++;s.end(String(n))})}).listen(${PORT})`;

/** A receiver of messages in the network of the containers: responds 200 and counts. */
export interface Receiver {
  readonly url: string;
  /** The number of messages so far. */
  received(): Promise<number>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  await compose(`--profile test run --detach --no-deps --name ${NAME} test node -e "${PROGRAM}"`);
  return {
    url: `http://${NAME}:${PORT}/hook`,
    received: async () =>
      Number(
        await engine(
          `exec ${NAME} node -e "fetch('http://127.0.0.1:${PORT}').then(a=>a.text()).then(console.log)"`,
        ),
      ),
    close: async () => {
      await engine(`rm --force ${NAME}`);
    },
  };
}
