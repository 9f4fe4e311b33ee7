// Reads its terminal key by key and writes every byte to a file: receiver.mjs <report> <bracketed | plain>
import { appendFileSync, writeFileSync } from 'node:fs';

const [report, mode] = process.argv.slice(2);
process.stdin.setRawMode(true);
process.stdin.on('data', (bytes) => {
  appendFileSync(report, bytes);
  // Echoes, like a program that shows what was typed.
  process.stdout.write('\r.');
});
process.stdout.write(mode === 'bracketed' ? '\u001b[?2004h' : '\u001b[?2004l');
process.stdout.write('listening\r\n');
writeFileSync(report, '');
