import t from 'tap'
import { curlLines } from '#src/curl-lines.ts'
import { buildServer } from '#src/server.ts'
import { readCurl } from './read-curl.ts'

interface Expected {
  readonly status: number
  /** Part of the answer: JSON, or a pattern of its text. */
  readonly body: object | RegExp
}

const expected: Readonly<Record<string, Expected>> = {
  'three products': { status: 200, body: [{ id: 1, sku: 'GAR-001' }, { id: 2 }, { id: 3, tags: ['gift', 'seeds'] }] },
  'what is in stock below 30 euros, the dearest first': {
    status: 200,
    body: [{ price: 29.5 }, { price: 24.5 }, { price: 21 }]
  },
  'how many products are tagged gift': { status: 200, body: { count: 9 } },
  'a product with its category and its two best reviews': {
    status: 200,
    body: {
      sku: 'GAR-001',
      category: { name: 'Garden' },
      reviews: [
        { stars: 5, customer: { name: 'Ann Berger' } },
        { stars: 4, customer: { name: 'Mei Lin' } }
      ]
    }
  },
  'the reviews that one customer wrote': { status: 200, body: [{ productId: 1 }, { productId: 6 }] },
  'what there is for the kitchen, the dearest first': {
    status: 200,
    body: [{ name: 'Cast iron pan, 26 cm', price: 69 }, { name: 'Pepper mill' }]
  },
  'write a review': { status: 200, body: { id: 9, stars: 5, written: /^\d{4}-/ } },
  'what is wrong with this one': {
    status: 422,
    body: { error: { statusCode: 422, details: { codes: { text: ['presence'], stars: ['range.high'] } } } }
  },
  'place an order; its total is worked out': { status: 200, body: { id: 3, status: 'new', total: 49 } },
  'a category as XML': { status: 200, body: /<response>\s*<name>Garden<\/name>/ }
}

for (const { shows, command } of curlLines('http://127.0.0.1:3000')) {
  t.test(`the printed command is answered as promised: ${shows}`, async (t) => {
    const app = await buildServer()
    t.teardown(() => app.close())
    const response = await app.inject(readCurl(command))
    const { status, body } = expected[shows] ?? { status: 0, body: {} }
    t.equal(response.statusCode, status)
    if (body instanceof RegExp) t.match(response.body, body)
    else t.match(response.json(), body)
  })
}

t.test('the start page shows the same commands, with the address that was asked', async (t) => {
  const app = await buildServer()
  t.teardown(() => app.close())
  const { body } = await app.inject({ url: '/', headers: { host: 'shop.example:8080' } })
  for (const { command } of curlLines('http://shop.example:8080')) t.ok(body.includes(command))
})
