import t from 'tap'
import { drawBars, drawLines, ticksUpTo } from '#src/report/draw-svg.ts'

const widths = (svg: string): number[] =>
  [...svg.matchAll(/<rect class="(?:limit|ours)[^"]*" x="[^"]+" y="[^"]+" width="([^"]+)" height="12"/g)].map(
    ([, width]) => Number(width)
  )

const bars = (first: readonly number[], second: readonly number[]) => [
  { name: 'one', tone: 'limit', parts: first, label: '1 µs' } as const,
  { name: 'two', tone: 'ours', parts: second, label: '2 µs' } as const
]

t.test('ticks begin at 0, are round, and reach the highest value', async (t) => {
  t.same(ticksUpTo(519), [0, 200, 400, 600])
  t.same(ticksUpTo(4), [0, 1, 2, 3, 4])
  t.same(ticksUpTo(0.9), [0, 0.25, 0.5, 0.75, 1])
  t.same(ticksUpTo(0), [0, 0.25, 0.5, 0.75, 1], 'where nothing was measured')
})

t.test('bars are as long as their values, in all groups or in each', async (t) => {
  const picture = {
    title: 'T',
    subtitle: 'S',
    groups: [
      { title: 'A', bars: bars([100], [50]) },
      { title: 'B', bars: bars([10], [5]) }
    ]
  }
  const [a = 0, b = 0, c = 0, d = 0] = widths(drawBars(picture))
  t.equal(Math.round((a / b) * 10), 20)
  t.equal(Math.round(a / c), 10)
  t.equal(Math.round(a / d), 20)
  const own = widths(drawBars({ ...picture, ownScales: true }))
  t.equal(own[0], own[2], 'the longest bars of both groups')
})

t.test('what was not measured has a label and no bar, and a second part follows the first', async (t) => {
  const svg = drawBars({
    title: 'T',
    subtitle: 'S',
    groups: [{ title: 'A', bars: bars([], [40, 20]) }],
    second: 'database'
  })
  t.equal(widths(svg).length, 4, 'two parts, and two in the key')
  t.match(svg, /<rect class="ours pale"/)
  t.match(svg, />one 1 µs</)
})

t.test('labels stay within the picture, and names are text', async (t) => {
  const svg = drawBars({ title: 'a < b & "c"', subtitle: 'S', groups: [{ title: 'A', bars: bars([1000], [1000]) }] })
  t.match(svg, /a &lt; b &amp; &quot;c&quot;/)
  const [, width = '0'] = /viewBox="0 0 (\d+)/.exec(svg) ?? []
  const starts = [...svg.matchAll(/<text x="([\d.]+)"[^>]*>(?:one|two) /g)].map(([, x]) => Number(x))
  t.equal(starts.length, 2)
  for (const x of starts) t.ok(x + 170 < Number(width), 'room for a name and a value')
})

t.test('lines leave out what was not measured, and their names do not collide', async (t) => {
  const svg = drawLines({
    title: 'T',
    subtitle: 'S',
    steps: ['1', '2', '3'],
    lines: [
      { name: 'first', tone: 'ours', values: [10, 10, 10] },
      { name: 'second', tone: 'other1', values: [11, Number.NaN, 10.1] }
    ]
  })
  t.equal([...svg.matchAll(/<circle/g)].length, 5)
  const ys = [...svg.matchAll(/y="([\d.]+)">(?:first|second)</g)].map(([, y]) => Number(y))
  t.equal(ys.length, 2)
  t.ok(Math.abs((ys[0] ?? 0) - (ys[1] ?? 0)) >= 16)
  t.notMatch(svg, /NaN/)
})

t.test('a picture has colours for light and for dark', async (t) => {
  t.match(drawBars({ title: 'T', subtitle: 'S', groups: [] }), /prefers-color-scheme: dark/)
})
