import t from 'tap'
import { parseByteSize } from '#src/input/body-parsers.ts'

t.test('sizes are bytes, with 1024 in a kilobyte', async (t) => {
  const sizes: readonly (readonly [string | number, number])[] = [
    ['100kb', 102_400],
    ['500b', 500],
    ['1.5 MB', 1_572_864],
    ['2gb', 2 ** 31],
    ['1TB', 2 ** 40],
    ['512', 512],
    [1024, 1024],
    ['0', 0]
  ]
  for (const [size, bytes] of sizes) t.equal(parseByteSize(size), bytes, String(size))
})

t.test('what is no size is refused', async (t) => {
  for (const size of ['', 'x', '1xb', '-1', '1kb2', Number.NaN]) {
    t.throws(() => parseByteSize(size), { code: 'OPTION_INVALID' }, String(size))
  }
})
