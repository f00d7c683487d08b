import t from 'tap'
import { wrapValue } from '#src/output/send-result.ts'

t.test('dates and buffers are wrapped', async (t) => {
  t.strictSame(wrapValue(new Date(0)), { $type: 'date', $data: '1970-01-01T00:00:00.000Z' })
  t.strictSame(wrapValue(Buffer.from('hi')), { $type: 'base64', $data: 'aGk=' })
  t.equal(wrapValue(new Date(Number.NaN)), null)
})

t.test('everything else is left alone, and so is what lies inside', async (t) => {
  for (const value of ['x', 5, null, undefined, false, { d: new Date(0) }, [new Date(0)]])
    t.equal(wrapValue(value), value)
})
