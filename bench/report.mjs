// Turns samples into the few numbers that matter, and prints them with the limits they are held to.

/** Nearest rank: the smallest sample that at least this share of all samples does not exceed. */
export function quantile(samples, share) {
  const sorted = [...samples].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export function median(samples) {
  return quantile(samples, 0.5);
}

export function milliseconds(value) {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

/** Two things measured in one run: holds on any machine, so a miss fails the run. */
export function ratioLimit(name, ratio, most) {
  return { kind: 'ratio', name, value: ratio, most, shown: `${ratio.toFixed(2)} x`, limit: `${most} x` };
}

/** A time of this machine: a miss is shown, and does not fail the run, since a slow disk is no fault of the program. */
export function timeLimit(name, time, most) {
  return { kind: 'time', name, value: time, most, shown: milliseconds(time), limit: `${most} ms` };
}

export function isMissed({ value, most }) {
  // A value that is no number was never measured, and holds nothing.
  return !(value <= most);
}

export function printReport({ title, tables, notes, limits }) {
  console.log(`\n${title}\n`);
  for (const table of tables) console.log(`${columns(table)}\n`);
  for (const note of notes) console.log(`  ${note}`);
  if (notes.length > 0) console.log('');
  const rows = limits.map((limit) => [
    isMissed(limit) ? 'MISSED' : 'ok',
    limit.name,
    limit.shown,
    `limit ${limit.limit}`,
  ]);
  console.log(columns(rows));
}

/** Rows under each other, the first one a heading or like the others; columns of numbers end in line. */
function columns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const isNumber = (column) => rows.slice(1).every((row) => /^[\d.-]/.test(row[column]));
  const pad = (cell, column) => (isNumber(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]));
  return rows.map((row) => `  ${row.map(pad).join('   ').trimEnd()}`).join('\n');
}
