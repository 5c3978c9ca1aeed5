// Loaded into a process before its code. At SIGUSR2 its clock jumps: it is ahead by the milliseconds in the file CLOCK_FILE.
const { readFileSync } = require('node:fs');

const RealDate = Date;
let aheadMs = 0;

class JumpingDate extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(JumpingDate.now());
    else super(...parts);
  }
  static now() {
    return RealDate.now() + aheadMs;
  }
}
globalThis.Date = JumpingDate;

process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
});
