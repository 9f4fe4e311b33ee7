// Ignores SIGTERM, as do its child and its grandchild, which runs in its own process session:
// stubborn.mjs <report> [child | parting | grandchild]. The report has the pids of all three.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [report, role = 'first'] = process.argv.slice(2);
const start = (next, options) =>
  spawn(process.execPath, [process.argv[1], report, next], { stdio: 'ignore', ...options });

if (role === 'parting') {
  // setsid and a double fork: its parent has ended by the time it runs.
  start('grandchild', { detached: true }).unref();
  process.exit(0);
}
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => undefined);
if (role === 'first') {
  start('child');
  start('parting', { detached: true });
}
setInterval(() => undefined, 1000);
appendFileSync(report, `${process.pid}\n`);
