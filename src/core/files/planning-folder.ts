// The files of a workshop in docs/plans/<plan>/planning: all of them are made from the journal, and can be made again.

import type { PlanningDocument } from '../../workshop/planning-document.ts';
import { formatDocument, planFilesText, projectPlan } from '../../workshop/project-plan.ts';
import type { WorkshopEntry } from '../model/workshop/entry.ts';
import type { PlanningFolder } from '../ports/planning-files.ts';

/** The folder beside the plan file, below one that is named like the plan. */
export const PLANNING_FOLDER = 'planning';

/** The folder of docs/plans for plans that were archived, each below one that is named like it. */
export const ARCHIVE_FOLDER = 'archive';

/** What is made of a structured plan. */
export const ARTIFACTS = ['planning.ai.json', 'plan.md', 'plan.files.json'] as const;

export function planningFolder(workshop: WorkshopEntry): PlanningFolder {
  const { brief, document, versions } = workshop;
  const files = new Map([
    ['brief.md', withNewline(brief)],
    ['meeting.jsonl', transcriptText(workshop)],
    ...(document === null ? [] : artifactsOf(document)),
    ...versions.flatMap((version, index) =>
      version === null
        ? []
        : artifactsOf(version).map(([name, text]) => [`versions/v${index + 1}/${name}`, text] as const),
    ),
  ]);
  return {
    files,
    wasWritten(path, text) {
      if (path === 'meeting.jsonl') return (files.get(path) ?? '').startsWith(text);
      if (files.get(path) === text) return true;
      return [document, ...versions].some(
        (one) => one !== null && artifactsOf(one).some(([name, made]) => name === path && made === text),
      );
    },
  };
}

function artifactsOf(document: PlanningDocument): readonly (readonly [string, string])[] {
  return [
    ['planning.ai.json', formatDocument(document)],
    ['plan.md', projectPlan(document)],
    ['plan.files.json', planFilesText(document)],
  ];
}

/** meeting.jsonl: one entry a line. */
export function transcriptText({ transcript }: Pick<WorkshopEntry, 'transcript'>): string {
  return transcript.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
