/**
 * Lines of columns, each as wide as its widest cell. Cells may hold no colours yet: their length counts.
 * @param paint colours a cell of the finished table
 */
export function writeTable(
  rows: readonly (readonly string[])[],
  paint: (cell: string) => string = (cell) => cell
): string[] {
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return rows.map((row) => {
    const last = row.findLastIndex((cell) => cell !== '')
    return row
      .slice(0, last + 1)
      .map((cell, at) => paint(cell) + (at === last ? '' : ' '.repeat((widths[at] ?? 0) - cell.length)))
      .join('  ')
      .trimEnd()
  })
}
