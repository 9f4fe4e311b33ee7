// Ends on SIGTERM: polite.mjs <report>
import { writeFileSync } from 'node:fs';

process.once('SIGTERM', () => process.exit(0));
process.stdin.resume();
setInterval(() => undefined, 1000);
writeFileSync(process.argv[2], String(process.pid));
