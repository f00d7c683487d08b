import t from 'tap'
import { rowSize } from '#src/connector/within-bounds.ts'

void t.test('a row is about as large as the texts and bytes in it, however deep', async (t) => {
  const text = 'x'.repeat(1000)
  const rows: readonly object[] = [
    { text },
    { list: ['a', text] },
    { deep: { deeper: [{ deepest: text }] } },
    { bytes: Buffer.alloc(1000) },
    { bytes: new ArrayBuffer(1000) },
    [text, null, 7, true, undefined, new Date()]
  ]
  for (const row of rows) {
    const size = rowSize(row)
    t.ok(size >= 1000 && size < 1100, `${size} of ${JSON.stringify(row).slice(0, 40)}`)
  }
})

void t.test('values that are nested deeper than calls can be are measured', async (t) => {
  let value: unknown = 'x'
  for (let depth = 0; depth < 100_000; depth++) value = [value]
  t.ok(rowSize({ value }) > 100_000)
})
