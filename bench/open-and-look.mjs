// A fresh process that opens the repository in its current folder, folds its journal, and says how long that took.
import { openPorts } from '../dist/program.js';

const started = performance.now();
const { gateway } = openPorts({ cwd: process.cwd(), env: process.env, pid: process.pid, command: 'cadre bench' });
const { seq, plans } = await gateway.look();
const ended = performance.now();
// Node counts from the start of the process, so `ended` also holds starting Node and loading the program.
console.log(JSON.stringify({ seq, plans: plans.size, opened: ended - started, sinceStart: ended }));
