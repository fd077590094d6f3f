// Shows a sheet as a table: a real one, with a caption, heads that sort its rows, and figures as they were recorded.
import type { Row, Table } from './sheet.ts';

export function tableElement({ caption, columns, rows }: Table): HTMLTableElement {
  const table = document.createElement('table');
  table.createCaption().textContent = caption;
  const head = table.createTHead().insertRow();
  const body = table.createTBody();
  columns.forEach((column, at) => {
    const cell = headCell('', 'col');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = column;
    button.addEventListener('click', () => {
      const order = cell.ariaSort === 'ascending' ? 'descending' : 'ascending';
      for (const other of head.cells) other.removeAttribute('aria-sort');
      cell.ariaSort = order;
      body.replaceChildren(...sorted(rows, at, order).map(rowElement));
    });
    cell.append(button);
    if (rows.some((row) => typeof row[at] === 'number')) cell.className = 'number';
    head.append(cell);
  });
  body.append(...rows.map(rowElement));
  return table;
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
  return cell;
}
