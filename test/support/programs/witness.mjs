// Records how it was started, then ends as its argument says: witness.mjs <report> <exit code | signal | stay> ...
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';

const [report, end] = process.argv.slice(2);
appendFileSync(`${report}.starts`, 'x');
process.stdout.write('the witness was here\n');
writeFileSync(
  `${report}.part`,
  JSON.stringify({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), pid: process.pid }),
);
renameSync(`${report}.part`, report);

if (end === 'stay') process.stdin.resume();
else if (end.startsWith('SIG')) process.kill(process.pid, end);
else process.exit(Number(end));
setInterval(() => undefined, 1000);
