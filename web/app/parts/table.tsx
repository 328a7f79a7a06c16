import type { ReactNode } from 'react';

/** A cell that spans the ones after it. */
interface Wide {
  readonly columns: number;
  readonly shown: ReactNode;
}

export interface Column<Row> {
  readonly name: string;
  /** A figure, a time, what happened then, or the row header. */
  readonly kind?: 'figure' | 'time' | 'what' | 'row';
  readonly of: (row: Row) => ReactNode | Wide;
  /** More about the cell, on hover. */
  readonly title?: (row: Row) => string | undefined;
}

interface Props<Row> {
  /** The table's name for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The id that a link to a row names, if there are such links. */
  readonly idOf?: (row: Row) => string;
  readonly columns: readonly (Column<Row> | false | undefined)[];
}

/** A table that becomes a list on a phone, where each cell shows the name of its column. */
export function Table<Row>({ label, rows, keyOf, idOf, columns }: Props<Row>) {
  const shown = columns.filter((column): column is Column<Row> => Boolean(column));
  return (
    <div className="scroll">
      <table className="rows" aria-label={label}>
        <thead>
          <tr>
            {shown.map(({ name, kind }) => (
              <th key={name} scope="col" className={kind === 'figure' ? kind : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} id={idOf?.(row)}>
              {cellsOf(row, shown)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cellsOf<Row>(row: Row, columns: readonly Column<Row>[]): readonly ReactNode[] {
  const cells: ReactNode[] = [];
  for (let at = 0; at < columns.length; at++) {
    const { name, kind, of, title } = columns[at] as Column<Row>;
    const cell = of(row);
    if (isWide(cell)) {
      cells.push(
        <td key={name} colSpan={cell.columns}>
          {cell.shown}
        </td>,
      );
      at += cell.columns - 1;
    } else if (kind === 'row') {
      cells.push(
        <th key={name} scope="row">
          {cell}
        </th>,
      );
    } else {
      cells.push(
        <td key={name} className={kind} data-label={name} title={title?.(row)}>
          {cell}
        </td>,
      );
    }
  }
  return cells;
}

const isWide = (cell: ReactNode | Wide): cell is Wide =>
  typeof cell === 'object' && cell !== null && 'columns' in cell && 'shown' in cell;
