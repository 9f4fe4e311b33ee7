// Keeps running and writes every line that it receives to a file: clerk.mjs <report> [prompt]. The first line is its pid.
import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [report] = process.argv.slice(2);
writeFileSync(report, `${process.pid}\n`);
process.stdout.write('the clerk listens\n');
createInterface({ input: process.stdin }).on('line', (line) => appendFileSync(report, `${line}\n`));
setInterval(() => undefined, 1000);
