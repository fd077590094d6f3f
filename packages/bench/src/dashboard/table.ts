// Shows a sheet as a table: a real one, with a caption, heads of rows and columns, and figures as they were recorded.
import type { Table } from './sheet.ts';

export function tableElement({ caption, columns, rows }: Table): HTMLTableElement {
  const table = document.createElement('table');
  table.createCaption().textContent = caption;
  const head = table.createTHead().insertRow();
  for (const column of columns) head.append(headCell(column, 'col'));
  const body = table.createTBody();
  for (const [name, ...cells] of rows) {
    const row = body.insertRow();
    row.append(headCell(String(name), 'row'));
    for (const value of cells) {
      const cell = row.insertCell();
      cell.textContent = String(value);
      if (typeof value === 'number') cell.className = 'number';
    }
  }
  return table;
}

function headCell(text: string, scope: 'col' | 'row'): HTMLTableCellElement {
  const cell = document.createElement('th');
  cell.scope = scope;
  cell.textContent = text;
  return cell;
}
