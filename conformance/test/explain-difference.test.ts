import t from 'tap'
import { explainDifference, explainFailures, followsWrite } from '#src/explain-difference.ts'
import type { Exchange } from '#src/replay.ts'

const answer = (json: unknown, status = 200) => ({ status, type: 'application/json', json })

function exchange(recorded: unknown, seen: unknown, { path = '/api/Books', status = 200 } = {}): Exchange {
  return { request: { path }, accepted: [answer(recorded)], seen: { ...answer(seen, status), headers: {} } }
}

const explain = (...given: Parameters<typeof exchange>): string | undefined => explainDifference(exchange(...given))

t.test('null stands for what is absent, in lists and objects, but not the other way round', async (t) => {
  t.equal(explain([{ a: 1, b: {} }], [{ a: 1, b: { c: null } }]), 'null for absent')
  t.equal(explain({ $unordered: [{ a: 1 }, { a: 2 }] }, [{ a: 2, b: null }, { a: 1 }]), 'null for absent')
  t.equal(explain({ a: 1, b: null }, { a: 1 }), undefined)
  t.equal(explain({ a: 1 }, { a: null }), undefined)
  t.equal(explain([null], []), undefined)
})

t.test('null stands for what is absent in XML and in events', async (t) => {
  const request = { path: '/api/Books' }
  const xml = (text: string) => ({ status: 200, type: 'application/xml', headers: {}, text })
  const accepted = [xml('<r><a>1</a><b>undefined</b></r>')]
  t.equal(explainDifference({ request, accepted, seen: xml('<r><a>1</a><b>null</b></r>') }), 'null for absent')
  t.equal(explainDifference({ request, accepted, seen: xml('<r><a>2</a></r>') }), undefined)
  const stream = (data: object) => ({ status: 0, type: '', headers: {}, events: [{ data }] })
  const told = { request, accepted: [stream({ a: 1 })], seen: stream({ a: 1, b: null }) }
  t.equal(explainDifference(told), 'null for absent')
})

t.test('another order is explained only where one was asked for, of the same records', async (t) => {
  const path = '/api/Books?filter={"order":"price"}'
  const turned = [{ id: 2, price: null }, { id: 1 }]
  t.equal(explain([{ id: 1 }, { id: 2 }], turned, { path }), 'place in an order')
  t.equal(explain([{ id: 1 }, { id: 2 }], turned), undefined)
  t.equal(explain([{ id: 1 }, { id: 3 }], turned, { path }), undefined)
})

t.test('a condition on an undeclared property is told from one on a declared one', async (t) => {
  const path = '/api/Books?filter={"where":{"extra":1}}'
  t.equal(explain([], [{ id: 1 }], { path }), 'undeclared in where')
  t.equal(explain([], [{ id: 1, extra: 1 }], { path }), undefined)
})

t.test('what follows a refused write is told from what comes before it', async (t) => {
  const refused = exchange({ id: 1 }, { error: { code: 'CONSTRAINT_VIOLATED' } }, { status: 422 })
  const other = exchange({ count: 1 }, { count: 0 })
  const failures = [other, refused, other].map((one) => ({ step: 's', why: 'w', exchange: one }))
  t.strictSame(explainFailures(failures), [undefined, 'a column must not be null', followsWrite])
})

t.test('an upsert by a condition is told from other writes: it may be a patch, and show defaults', async (t) => {
  const path = '/api/Books/upsertWithWhere?where={"id":1}'
  const request = { path }
  const accepted = [answer({ error: { code: 'VALIDATION_FAILED' } }, 422)]
  const told = (status: number) =>
    explainDifference({ request, accepted, seen: { ...answer({}, status), headers: {} } })
  t.strictSame([200, 400, 404].map(told), ['a patch of what matches', 'a patch of what matches', undefined])
  t.equal(explain({ id: 1 }, { id: 1, sold: true }, { path }), 'a patch of what matches')
  t.equal(explain({ id: 1 }, { id: 1, sold: true }), undefined)
  t.equal(explain({ id: 1 }, { id: 2, sold: true }, { path }), undefined)
  const heard = ['access | query | ', 'before save | data,where | ']
  t.equal(
    explain(heard, ['access | query | ', 'before save | currentInstance,data,where | ']),
    'a patch of what matches'
  )
  t.equal(explain(heard, ['access | query | ', 'persist | data | ']), undefined)
})
