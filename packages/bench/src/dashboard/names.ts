// Short names: what all that is shown has in common goes without saying.
import { runTime } from './amounts.ts';
import type { Entry } from './choice.ts';

/** Names of cells by the parts of them that differ; alone, the whole name. */
export function shortNames(names: readonly string[]): Map<string, string> {
  const unique = [...new Set(names)];
  const parts = unique.map((name) => name.split('/'));
  const differing = parts[0]?.map((_, at) => parts.some((part) => part[at] !== parts[0]![at])) ?? [];
  const isPlain = parts.every((part) => part.length === parts[0]!.length);
  return new Map(
    unique.map((name, index) => {
      const told = parts[index]!.filter((_, at) => differing[at]);
      return [name, isPlain && told.length > 0 ? told.join(' · ') : name];
    }),
  );
}

/** Names of lines: cell, subject, run, as far as they differ. */
export function lineNames(entries: readonly Entry[]): (entry: Entry) => string {
  const cells = shortNames(entries.map(({ cell }) => cell.name));
  const isSame = (of: (entry: Entry) => string) => new Set(entries.map(of)).size <= 1;
  const [oneCell, oneSubject, oneRun] = [
    cells.size <= 1,
    isSame(({ cell }) => cell.subject),
    isSame(({ run }) => run.id),
  ];
  return ({ run, cell }) => {
    const told = [
      oneCell && !(oneSubject && oneRun) ? '' : cells.get(cell.name),
      oneSubject && !oneCell ? '' : cell.subject,
      oneRun ? '' : runTime(run.startedAt),
    ];
    return told.filter(Boolean).join(' · ');
  };
}

/** Cuts the middle out of what is longer than there is room for. */
export function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const kept = Math.max(2, characters - 1);
  return `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;
}
