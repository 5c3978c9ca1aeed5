import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { watch } from '../support/run-script.ts';

const SOURCE = `
import { openSync } from 'node:fs';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { watchFiles } from '@sluice/runtime/telemetry/watch-files';

const logger = createLogger({ service: 'ingress', level: 'info' });
watchFiles({ logger, everyMs: 10 });
setInterval(() => {}, 1000);
const metrics = createMetrics({ service: 'ingress' });
try { for (;;) openSync('/dev/null'); } catch {}
const numbers = await metrics.text();
console.log('open ' + /^process_open_fds.* (.+)$/m.exec(numbers)[1] + ' of ' + /^process_max_fds.* (.+)$/m.exec(numbers)[1]);
`;

describe('a process without free file descriptors', () => {
  it('reports that in its log and in its metrics', async () => {
    const node = [process.execPath, '--import=tsx', '--conditions=source', '--input-type=module'];
    const args = ['-c', 'ulimit -n 128; exec "$@"', 'sh', ...node, '--eval', SOURCE];
    const script = watch(spawn('sh', args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    try {
      expect(await script.line(/^open/)).to.equal('open 128 of 128');
      const line = JSON.parse(await script.line(/files\.exhausted/)) as object;
      expect(line).to.include({ level: 50, event: 'files.exhausted', code: 'EMFILE' });
    } finally {
      script.child.kill('SIGKILL');
      await script.ended;
    }
  });
});
