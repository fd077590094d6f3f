// The form: shows what can be chosen, and tells what was.
import { runTime, words } from './amounts.ts';
import type { Choice, Option } from './choice.ts';
import { EVERY_RUN, FACETS, facetsOf, type View } from './view.ts';

export type Controls = { show(choice: Choice): void };

/** `changed` hears the view as the form has it, and whether another kind of picture was chosen. */
export function connectControls(changed: (view: View, isOtherShow: boolean) => void): Controls {
  const form = document.querySelector('form')!;
  let last: View | undefined;
  const tell = () => {
    const view = readForm(form);
    const isOtherShow = last !== undefined && view.show !== last.show;
    changed(view, isOtherShow);
  };
  form.addEventListener('input', tell);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    changed({ ...readForm(form), facets: facetsOf(() => ''), words: '' }, false);
    field(form, 'words').focus();
  });
  return {
    show(choice) {
      last = choice.view;
      fillForm(form, choice);
    },
  };
}

function readForm(form: HTMLFormElement): View {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    show: text('show') as View['show'],
    // A select without options, or switched off, says nothing.
    run: text('run'),
    facets: facetsOf(text),
    words: text('words'),
    measure: text('measure'),
    statistic: text('statistic') as View['statistic'],
    scale: text('scale') as View['scale'],
    form: text('form') as View['form'],
    base: text('base'),
    theme: text('theme') as View['theme'],
  };
}

function fillForm(form: HTMLFormElement, { view, runs, options, measures, subjects }: Choice): void {
  for (const name of ['show', 'scale', 'form'] as const) {
    for (const radio of form.querySelectorAll<HTMLInputElement>(`input[name=${name}]`)) {
      radio.checked = radio.value === view[name];
    }
  }
  for (const facet of FACETS)
    fill(form, facet, [all(options[facet]), ...options[facet].map(told)], view.facets[facet]);
  const every =
    view.show === 'memory' || view.show === 'gradient' ? [{ value: EVERY_RUN, label: 'every run' }] : [];
  const one = [...runs].reverse().map(({ id, startedAt, subjects: of }) => ({
    value: id,
    label: `${runTime(startedAt)} · ${of.map(({ name }) => name).join(', ')}`,
  }));
  fill(
    form,
    'run',
    view.show === 'history' ? [{ value: EVERY_RUN, label: 'every run' }] : [...one, ...every],
    view.run,
  );
  fill(
    form,
    'measure',
    measures.map((name) => ({ value: name, label: words(name) })),
    view.measure,
  );
  fill(
    form,
    'base',
    subjects.map((name) => ({ value: name, label: name })),
    view.base,
  );
  field(form, 'statistic').value = view.statistic;
  field(form, 'theme').value = view.theme;
  // What is being typed stays as it is.
  if (document.activeElement !== field(form, 'words')) field(form, 'words').value = view.words;
  shown(form, 'base', view.show === 'compare' && subjects.length > 1);
  shown(form, 'statistic', view.show !== 'memory');
}

type Choosable = { value: string; label: string };

function all(options: readonly Option[]): Choosable {
  return { value: '', label: options.length === 1 ? `all (${options[0]!.value})` : 'all' };
}

function told({ value, count }: Option): Choosable {
  return { value, label: `${value} (${count})` };
}

function fill(form: HTMLFormElement, name: string, choices: readonly Choosable[], value: string): void {
  const select = field(form, name) as HTMLSelectElement;
  select.replaceChildren(...choices.map((choice) => new window.Option(choice.label, choice.value)));
  select.value = value;
}

function shown(form: HTMLFormElement, name: string, isShown: boolean): void {
  field(form, name).closest('label')!.hidden = !isShown;
}

function field(form: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement {
  return form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
}
