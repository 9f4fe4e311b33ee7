// How long ago something was, in a word: 12s, 4m, 2h, 3d.

export function ageWords(at: string, now: number): string {
  const since = Date.parse(at);
  if (Number.isNaN(since)) return '';
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
