import t from 'tap'
import { randomText } from '#src/server/store/secrets.ts'

t.test('a token is 32 letters and digits, and no sign comes more often than others', async (t) => {
  const counts = new Map<string, number>()
  const texts = new Set(Array.from({ length: 4000 }, () => randomText()))
  t.equal(texts.size, 4000)
  for (const text of texts) {
    t.match(text, /^[A-Za-z0-9]{32}$/)
    for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  }
  t.equal(counts.size, 62)
  const wanted = (4000 * 32) / 62
  const distance = [...counts.values()].reduce((sum, count) => sum + (count - wanted) ** 2 / wanted, 0)
  // Of 61 degrees of freedom: with fair signs larger by chance once in ten million runs.
  t.ok(distance < 140, String(distance))
})
