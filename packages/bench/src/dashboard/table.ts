// Shows a sheet as a table: a real one, with a caption, heads that sort its rows, and figures as they were recorded.
import type { Row, Table } from './sheet.ts';

/** So many rows at first: a browser takes seconds for thousands. */
const ROWS_AT_ONCE = 500;

/** The table, and what shows the rest of its rows. */
export function tableElements({ caption, columns, rows }: Table): HTMLElement[] {
  const table = document.createElement('table');
  table.createCaption().textContent = caption;
  const head = table.createTHead().insertRow();
  const body = table.createTBody();
  let order = rows;
  let shown = ROWS_AT_ONCE;
  const draw = () => body.replaceChildren(...order.slice(0, shown).map(rowElement));
  columns.forEach((column, at) => {
    const cell = headCell('', 'col');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = column;
    button.addEventListener('click', () => {
      const direction = cell.ariaSort === 'ascending' ? 'descending' : 'ascending';
      for (const other of head.cells) other.removeAttribute('aria-sort');
      cell.ariaSort = direction;
      order = sorted(rows, at, direction);
      draw();
    });
    cell.append(button);
    if (rows.some((row) => typeof row[at] === 'number')) cell.className = 'number';
    head.append(cell);
  });
  draw();
  if (rows.length <= shown) return [table];
  const more = document.createElement('button');
  more.type = 'button';
  more.textContent = `Show all ${rows.length} rows`;
  more.addEventListener('click', () => {
    const next = body.rows.length;
    shown = rows.length;
    draw();
    more.remove();
    // Who reads on by keyboard is where they were.
    body.rows[next]?.querySelector('th')?.focus();
  });
  return [table, more];
}

/** Numbers by size, texts by letters; cells with nothing in them always come last. */
function sorted(rows: readonly Row[], at: number, order: 'ascending' | 'descending'): Row[] {
  const direction = order === 'ascending' ? 1 : -1;
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');
  return [...rows].sort(({ [at]: a = '' }, { [at]: b = '' }) =>
    a === '' || b === '' ? Number(a === '') - Number(b === '') : direction * compare(a, b),
  );
}

function rowElement([name, ...cells]: Row): HTMLTableRowElement {
  const row = document.createElement('tr');
  row.append(headCell(String(name), 'row'));
  for (const value of cells) {
    const cell = row.insertCell();
    cell.textContent = String(value);
    if (typeof value === 'number') cell.className = 'number';
  }
  return row;
}

function headCell(text: string, scope: 'col' | 'row'): HTMLTableCellElement {
  const cell = document.createElement('th');
  cell.scope = scope;
  cell.textContent = text;
  if (scope === 'row') cell.tabIndex = -1;
  return cell;
}
