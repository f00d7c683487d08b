import t from 'tap'
import { answersAsLoopback, type LoopbackModel } from './answers.ts'

const script = "module.exports = Note => Note.validatesInclusionOf('status', { in: ['open'] })"
const note = (file: object): LoopbackModel => ({
  script,
  file: { properties: { id: { type: 'string', id: true }, status: { type: 'string', required: true } }, ...file }
})

t.test('a model whose ids are its own says whether PATCH of the collection is validated', async (t) => {
  const models = {
    Strict: note({ options: { validateUpsert: true } }),
    Lax: note({}),
    Off: note({ validateUpsert: false })
  }
  await answersAsLoopback(t, models, [
    ['PATCH /Stricts {"id":"x","status":"shut"}', 422],
    ['PATCH /Stricts {"id":"x"}', 422],
    ['PATCH /Stricts {"id":"x","status":"open"}', 200, { id: 'x', status: 'open' }],
    ['PATCH /Stricts {"id":"x","status":"shut"}', 422],
    ['PUT /Stricts {"id":"x","status":"shut"}', 422],
    ['POST /Stricts/upsertWithWhere?where={"id":"x"} {"status":"shut"}', 422],
    ['PATCH /Laxes {"id":"x","status":"shut"}', 200, { id: 'x', status: 'shut' }],
    ['PATCH /Laxes {"id":"y"}', 200, { id: 'y' }],
    ['PUT /Laxes {"id":"x","status":"shut"}', 422],
    ['PATCH /Offs {"id":"x","status":"shut"}', 200, { id: 'x', status: 'shut' }]
  ])
})

t.test('defaults do not count where an upsert is validated', async (t) => {
  const properties = { name: 'string', size: { type: 'number', required: true, default: 1 } }
  await answersAsLoopback(t, { Box: { file: { properties } } }, [
    ['POST /Boxes {"name":"a"}', 200, { name: 'a', size: 1, id: 1 }],
    ['POST /Boxes/upsertWithWhere?where={"name":"a"} {"name":"b"}', 422],
    ['POST /Boxes/upsertWithWhere?where={"name":"a"} {"name":"b","size":2}', 200, { name: 'b', size: 2, id: 1 }],
    ['PATCH /Boxes {"name":"c"}', 200, { name: 'c', size: 1, id: 2 }]
  ])
})
