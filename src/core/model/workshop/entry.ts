// A workshop: rounds of questions and proposals between a planner and a person, which end in a plan to be reviewed.
// What can be computed (open questions, whose turn it is) is not stored: see the functions below and views/workshop.ts.
import type { WorkshopState } from '../../../machines/workshop.ts';
import type { PlanningDocument } from '../../../workshop/planning-document.ts';
import type { AskedQuestion, Proposals, RoundDocument } from '../../../workshop/round-document.ts';
import type { PlanSession } from '../session.ts';

export interface WorkshopEntry {
  readonly state: WorkshopState;
  readonly since: string;
  /**
   * The record since which the present document is asked for: it entered its state, or refused the document before. Signals
   * are stamped with it.
   */
  readonly entered: number;
  /** What the person asked for, in the person's words. */
  readonly brief: string;
  /** The commit that the planner reads. */
  readonly from: string;
  /** Counts the documents that were asked for. It never decreases, also not when planning is redone. */
  readonly round: number;
  /** How many more rounds it took since it was opened or redone, or a person allowed more. */
  readonly rounds: number;
  /** How many invalid documents came since its last move, or since a person let the planner try again. */
  readonly invalid: number;
  /** What is wrong with the last of them. */
  readonly violations: readonly string[];
  /** How often the planner was restarted automatically for the present document. */
  readonly relaunches: number;
  readonly session: PlanSession | null;
  /** What came of the present round; null until its document is here. */
  readonly result: RoundResult | null;
  /** The last valid document of a round since it was opened or redone. */
  readonly last: RoundDocument | null;
  /** All that were ever asked, in that order. */
  readonly questions: readonly WorkshopQuestion[];
  /** The structured plan; only in `review_ready`. */
  readonly document: PlanningDocument | null;
  /** What the architect asks to be changed in it; a person decides. */
  readonly advice?: { readonly text: string; readonly at: string } | null;
  /** The structured plans of earlier versions, oldest first; null where planning was redone before there was one. */
  readonly versions: readonly (PlanningDocument | null)[];
  /** The text that was last published as the plan file. */
  readonly published: string | null;
  /** Everything that was said, in that order. It never shrinks. */
  readonly transcript: readonly TranscriptEntry[];
}

/** The heuristics of a round, computed from its document. */
export interface RoundResult {
  /** Blocking questions without an answer. */
  readonly blocking_questions: number;
  /** It asked nothing new and proposed what the round before did. */
  readonly no_new_info: boolean;
  /** The plan is stable enough to be written. */
  readonly commitment_readiness: boolean;
}

export interface WorkshopQuestion extends AskedQuestion {
  readonly round: number;
  readonly at: string;
  /** `skipped`: a person leaves it to the planner. `withdrawn`: planning was redone before it was answered. */
  readonly state: 'open' | 'answered' | 'skipped' | 'withdrawn';
  readonly answer?: string;
}

/** One line of meeting.jsonl. */
export interface TranscriptEntry {
  readonly ts: string;
  readonly round: number;
  readonly actor: 'person' | 'planner' | 'architect' | 'cadre';
  /** The state of the workshop. */
  readonly phase: WorkshopState;
  /** The role of a session; `user` for a person, `engine` for cadre. */
  readonly role: string;
  /** The session that said it; `command` for a person, `engine` for cadre. */
  readonly source: string;
  readonly kind: TranscriptKind;
  readonly content: string;
  /** The question that it asks or answers. */
  readonly question?: string;
  /** What the planner proposes after the round. */
  readonly proposals?: Proposals;
  /** What a round brought, or what a transition follows from. */
  readonly heuristics?: Readonly<Record<string, number | boolean>>;
}

export type TranscriptKind =
  | 'brief'
  | 'proposal'
  | 'question'
  | 'answer'
  | 'skip'
  | 'invalid'
  | 'transition'
  | 'plan'
  | 'decision'
  | 'feedback'
  /** The architect asks for changes, and a person decides. */
  | 'advice'
  | 'approval';

/** After this many invalid documents in a row a person decides. */
export const MOST_INVALID = 3;

export function openBlocking({ questions }: Pick<WorkshopEntry, 'questions'>): readonly WorkshopQuestion[] {
  return questions.filter(({ state, blocking }) => state === 'open' && blocking);
}

/** What only a person can continue, apart from the review of the plan. */
export type WorkshopWait = 'answers' | 'rounds' | 'documents' | 'planner';

/** Whether the round has come to an end that lets the plan be written. */
export function isStable({ result }: Pick<WorkshopEntry, 'result'>): boolean {
  return result !== null && (result.commitment_readiness || result.no_new_info);
}
