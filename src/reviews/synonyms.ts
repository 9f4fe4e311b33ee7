// What reviewers call the keys and words of their documents, and what they mean by them.
import type { Severity, VerdictWord } from './review-document.ts';

/** Undefined for a word that is not one for a severity. */
export function severityOf(word: string): Severity | undefined {
  return SEVERITY_WORDS.get(bare(word));
}

const SEVERITY_WORDS: ReadonlyMap<string, Severity> = new Map([
  ...named('critical', ['critical', 'crit', 'blocker', 'blocking', 'severe', 'fatal', 'mustfix']),
  ...named('important', ['important', 'major', 'high', 'medium', 'moderate', 'should', 'shouldfix', 'error']),
  ...named('minor', ['minor', 'low', 'nit', 'nitpick', 'trivial', 'suggestion', 'info', 'optional', 'cosmetic']),
]);

/** As a pattern for a word in a line. */
export const SEVERITY_PATTERN =
  'critical|crit|blocker|blocking|severe|fatal|must[- ]fix|important|major|high|medium|moderate|should[- ]fix|minor|low|nit(?:pick)?|trivial|suggestion|cosmetic';

/**
 * The verdict that a text starts with; undefined where it is neither. What was attempted, or done in part, is not addressed.
 */
export function verdictOf(text: string): { readonly verdict: VerdictWord; readonly rest: string } | undefined {
  const [whole = '', before = '', after = ''] = VERDICT.exec(text) ?? [];
  if (whole === '') return undefined;
  const isQualified =
    before !== '' || /^[\s_*:,-]*(?:\?|(?:only|partly|partially|in part|almost|mostly)\b)/i.test(after);
  return { verdict: isQualified ? 'not-addressed' : 'addressed', rest: text.slice(whole.length - after.length) };
}

const VERDICT =
  /^[\s*_`"[(]*((?:(?:is|was)[\s_-]+)?(?:not|un|isn['’]t|never|partly|partially|only|half|hardly|barely|attempted)[\s_-]*(?:(?:fully|yet|completely|really|partially|partly)[\s_-]+)?)?(?:is\s+|was\s+)?addressed\b([\s\S]*)$/i;

/** The key that a reviewer meant; the key itself where nothing is known about it. */
export function keyOf(key: string): string {
  return KEYS.get(bare(key)) ?? key;
}

const KEYS: ReadonlyMap<string, string> = new Map([
  ...named('summary', ['summary', 'overview', 'assessment', 'remarks', 'remark']),
  ...named('findings', ['findings', 'issues', 'problems', 'comments']),
  ...named('verdicts', ['verdicts', 'openfindings', 'rereview']),
  ...named('cannot_verify', ['cannotverify', 'cannotbeverified', 'unverified', 'unverifiable', 'couldnotverify']),
  ...named('severity', ['severity', 'level', 'priority', 'importance']),
  ...named('place', ['place', 'location', 'path', 'file', 'where']),
  ...named('problem', ['problem', 'issue', 'description', 'message', 'title', 'what', 'text', 'comment']),
  ...named('why', ['why', 'reason', 'impact', 'rationale']),
  ...named('fix', ['fix', 'suggestion', 'recommendation', 'suggestedfix', 'remedy']),
  ...named('contradicts_plan', ['contradictsplan', 'contradicts', 'contradiction', 'plantext']),
  ...named('finding', ['finding', 'id', 'findingid']),
  ...named('verdict', ['verdict', 'status', 'state']),
  ...named('evidence', ['evidence', 'proof', 'note', 'details']),
]);

function named<Word extends string>(word: Word, others: readonly string[]): readonly (readonly [string, Word])[] {
  return others.map((other) => [other, word] as const);
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[\s_.:*`-]+/g, '');
}
