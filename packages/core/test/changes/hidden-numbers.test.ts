import t from 'tap'
import { HiddenNumbers } from '#src/changes/change-feed.ts'

const numbers = Array.from({ length: 300 }, (_none, index) => index)

t.test('a number is read back by who wrote it, and by nobody else', async (t) => {
  const hidden = new HiddenNumbers()
  for (const number of numbers) t.equal(hidden.read(hidden.hide(number)), number)
  for (const text of ['', '1', 'garbage', 'A'.repeat(22), new HiddenNumbers().hide(1)])
    t.ok(Number.isNaN(hidden.read(text)), text)
})

t.test('nobody sees that two texts are of the same number', async (t) => {
  const hidden = new HiddenNumbers()
  t.not(hidden.hide(7), hidden.hide(7))
})

t.test('texts of numbers do not tell which is larger, nor how far apart they are', async (t) => {
  const hidden = new HiddenNumbers()
  const texts = numbers.map((number) => hidden.hide(number))
  t.equal(new Set(texts).size, texts.length)
  t.strictSame(new Set(texts.map(({ length }) => length)), new Set([22]))
  t.notSame(texts.toSorted(), texts)
  const common = texts.slice(1).filter((text, index) => text.slice(0, 8) === texts[index]?.slice(0, 8))
  t.strictSame(common, [], 'neighbours have no beginning in common')
})
