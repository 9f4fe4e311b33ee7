// A short digest of a text, to see whether somebody has changed it. Not for anything that must be safe.

/** FNV-1a, 32 bits, in hexadecimal. */
export function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
