// What stands beside a chart: its legend, and what was measured by what.
import { amount, runTime } from './amounts.ts';
import type { Choice } from './choice.ts';
import type { Bars, Lines } from './sheet.ts';
import { DASHES, type Theme } from './theme.ts';
import { EVERY_RUN } from './view.ts';

export function legend(chart: Bars | Lines, theme: Theme): HTMLElement[] {
  if (chart.kind === 'lines') {
    return chart.lines.map(({ name, colour }) =>
      legendItem(name, colour, theme, DASHES[colour % DASHES.length]!),
    );
  }
  const subjects = new Map(
    chart.groups.flatMap(({ bars }) => bars.map(({ subject, colour }) => [subject, colour])),
  );
  return chart.legend.flatMap((name) => {
    const colour = subjects.get(name);
    return colour === undefined ? [] : [legendItem(name, colour, theme)];
  });
}

function legendItem(name: string, colour: number, theme: Theme, dash?: readonly number[]): HTMLElement {
  const item = document.createElement('li');
  const stroke = theme.palette[colour % theme.palette.length]!;
  const mark = dash
    ? `<line x1="0" y1="6" x2="34" y2="6" stroke="${stroke}" stroke-width="3" stroke-dasharray="${dash.join(' ')}"/>`
    : `<rect width="14" height="12" rx="2" fill="${stroke}"/>`;
  item.innerHTML = `<svg width="${dash ? 34 : 14}" height="12" aria-hidden="true">${mark}</svg>`;
  const label = document.createElement('span');
  label.textContent = name;
  label.title = name;
  item.append(label);
  return item;
}

/** Machine, versions and command of each run that is looked at. */
export function aboutRuns({ runs, view }: Choice, olderRuns: number): HTMLElement[] {
  const shown = runs.filter(({ id }) => view.run === EVERY_RUN || view.run === id);
  const older = document.createElement('p');
  older.textContent = `${olderRuns} older runs had no place on this page.`;
  const parts = shown.reverse().map(({ id, startedAt, machine, subjects, commit, flags, ceilings }) => {
    const part = document.createElement('div');
    const heading = document.createElement('h3');
    heading.textContent = `Run ${runTime(startedAt)}`;
    const list = document.createElement('dl');
    const facts: [string, string][] = [
      ['id', id],
      ['subjects', subjects.map(({ name, version }) => `${name} ${version}`).join(', ')],
      [
        'machine',
        `${machine.cpu}, ${machine.cores} cores, ${amount(machine.memoryBytes, 'bytes')}, ${machine.system}`,
      ],
      ['command', ['sluice bench', ...flags].join(' ')],
      ['commit', commit?.slice(0, 12) ?? 'unknown'],
      [
        'the client reads at most',
        Object.entries(ceilings)
          .map(([http, most]) => `${http} ${amount(most, 'bytes/second')}`)
          .join(', ') || 'unknown',
      ],
    ];
    for (const [term, told] of facts) {
      const [dt, dd] = [document.createElement('dt'), document.createElement('dd')];
      dt.textContent = term;
      dd.textContent = told;
      list.append(dt, dd);
    }
    part.append(heading, list);
    return part;
  });
  return olderRuns > 0 ? [older, ...parts] : parts;
}
