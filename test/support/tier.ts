// Which form of a slow suite runs: the short one of "npm test", or the longer one of "npm run test:ci".

export function isCi(): boolean {
  return process.env.CADRE_TESTS === 'ci';
}
