// A command of a person: submits one event, and prints what it was promised.
// Usage: node submit.mjs <main.js of cadre> <event as JSON>
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const [main, event] = process.argv.slice(2);
const { openPorts } = createRequire(import.meta.url)(join(dirname(main), 'program.js'));
const ports = openPorts({ cwd: process.cwd(), env: process.env, pid: process.pid, command: 'submit' });
const { answers } = await ports.gateway.submit([JSON.parse(event)]);
writeSync(1, `${JSON.stringify(answers.flatMap(({ records }) => records))}\n`);
