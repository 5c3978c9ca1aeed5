// Loaded into a process before its code. At SIGUSR2 its clock jumps: it is ahead by the milliseconds in the file CLOCK_FILE.
const { readFileSync } = require('node:fs');

const { now } = Date;
let aheadMs = 0;
Date.now = () => now() + aheadMs;

process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
});
