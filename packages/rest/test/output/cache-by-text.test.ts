import t from 'tap'
import { cacheByText } from '#src/output/write-any-json.ts'

t.test('an answer is computed once per text', async (t) => {
  const asked: string[] = []
  const answer = cacheByText((text) => {
    asked.push(text)
    return text.toUpperCase()
  })
  t.equal(answer('a'), 'A')
  t.equal(answer('a'), 'A')
  t.same(asked, ['a'])
})

t.test('long texts are not kept, nor are many', async (t) => {
  let count = 0
  const answer = cacheByText((text) => `${text}${count++}`)
  const long = 'x'.repeat(301)
  t.not(answer(long), answer(long))
  const first = answer('0')
  for (let index = 1; index < 200; index++) answer(String(index))
  t.equal(answer('0'), first)
  answer('one more')
  t.not(answer('0'), first)
})
