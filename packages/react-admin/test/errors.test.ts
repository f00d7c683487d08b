import { HttpError } from 'ra-core'
import t from 'tap'
import { toHttpError } from '#src/errors.ts'
import { modelwireDataProvider } from '#src/index.ts'
import { openShop } from './open-api.ts'

t.test('an error has the status, message, code and details of the answer', async (t) => {
  const { provider } = await openShop(t)
  const error = await provider.getOne('Products', { id: 99 }).catch((thrown: unknown) => thrown)
  t.type(error, HttpError)
  t.match(error, { status: 404, message: 'No Product has the id "99"', body: { code: 'MODEL_NOT_FOUND' } })
})

t.test('a record that is not valid has a message for each field', async (t) => {
  const { provider } = await openShop(t)
  const created = provider.create('Products', { data: { name: 'x', size: { width: 1 } } })
  const error = await created.catch((thrown: unknown) => thrown)
  t.match(error, { status: 422, body: { code: 'VALIDATION_FAILED', details: { context: 'Product' } } })
  t.strictSame((error as HttpError).body.errors, {
    name: 'is too short',
    price: "can't be blank",
    'size.height': 'Expected required property'
  })
  t.strictSame(Object.keys(await failed({ name: '', price: -1 })), ['name', 'price'])
  async function failed(data: object): Promise<object> {
    const thrown = await provider.create('Products', { data }).catch((reason: unknown) => reason)
    return (thrown as HttpError).body.errors
  }
})

const answers: readonly (readonly [name: string, answer: Parameters<typeof toHttpError>[0], error: object])[] = [
  ['no body', { status: 502, statusText: 'Bad Gateway', body: undefined }, { message: 'Bad Gateway', status: 502 }],
  ['no text at all', { status: 502, statusText: '', body: 'x' }, { message: 'HTTP 502', status: 502 }],
  [
    'its error at the root',
    { status: 400, statusText: '', body: { message: 'no' } },
    { message: 'no', body: { message: 'no' } }
  ],
  [
    'several messages of a field',
    invalid({ name: ['is short', 'is odd'] }),
    { body: { errors: { name: 'is short; is odd' } } }
  ],
  ['one text of a field', invalid({ name: 'is short' }), { body: { errors: { name: 'is short' } } }],
  [
    'a place by names',
    invalid({ a: ['has "b" that has "c" that is not a whole number'] }),
    { body: { errors: { 'a.b.c': 'is not a whole number' } } }
  ],
  [
    'an escaped place',
    invalid({ a: ['has a wrong value at /b~1c/0: Expected x'] }),
    { body: { errors: { 'a.b/c.0': 'Expected x' } } }
  ]
]

function invalid(messages: object) {
  return { status: 422, statusText: '', body: { error: { message: 'not valid', details: { messages } } } }
}

for (const [name, answer, error] of answers)
  t.test(`an answer with ${name} is an error`, async (t) => {
    t.match(toHttpError(answer), error)
  })

t.test('details that name no field make no errors of fields', async (t) => {
  for (const details of [undefined, [null], { messages: 1 }, { messages: {} }, { messages: { a: [1] } }])
    t.notOk('errors' in toHttpError({ status: 422, statusText: '', body: { error: { details } } }).body)
})

t.test('an answer that is not JSON keeps its status', async (t) => {
  const fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' })
  const provider = modelwireDataProvider('/api', { fetch })
  await t.rejects(provider.getOne('Products', { id: 1 }), { status: 502, message: 'Bad Gateway' })
})

t.test('headers are asked for before each request', async (t) => {
  let token = 'first'
  const { provider, seen } = await openShop(t, { headers: async () => ({ authorization: `Bearer ${token}` }) })
  await provider.getOne('Products', { id: 1 })
  token = 'second'
  await provider.create('Products', { data: { name: 'New', price: 1 } })
  t.strictSame(
    seen.map(({ headers }) => headers['authorization']),
    ['Bearer first', 'Bearer second']
  )
  const fixed = await openShop(t, { headers: { 'x-shop': 'one', authorization: undefined } })
  await fixed.provider.getOne('Products', { id: 1 })
  t.equal(fixed.seen[0]?.headers['x-shop'], 'one')
  t.equal(fixed.seen[0]?.headers['authorization'], undefined)
})

t.test('reads can be aborted', async (t) => {
  const { provider } = await openShop(t)
  t.equal(provider.supportAbortSignal, true)
  const signal = AbortSignal.abort()
  const list = { pagination: { page: 1, perPage: 2 }, sort: { field: 'id', order: 'ASC' as const }, filter: {} }
  const aborted = { name: 'AbortError' }
  await t.rejects(provider.getOne('Products', { id: 1, signal }), aborted)
  await t.rejects(provider.getMany('Products', { ids: [1], signal }), aborted)
  await t.rejects(provider.getList('Products', { ...list, signal }), aborted)
  await t.rejects(provider.getManyReference('Products', { ...list, target: 'supplier', id: 'x', signal }), aborted)
})

t.test('the address may end with a slash, and lead to another origin', async (t) => {
  const urls: string[] = []
  const fetch = async (url: string) => {
    urls.push(url)
    return Response.json({ id: 1 })
  }
  await modelwireDataProvider('https://shop.example/api/', { fetch }).getOne('Products', { id: 1 })
  t.strictSame(urls, ['https://shop.example/api/Products/1'])
})
